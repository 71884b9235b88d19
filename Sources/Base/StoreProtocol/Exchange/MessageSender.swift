internal import Dispatch
internal import Foundation
package import ObjectStorage
internal import Synchronization
package import WorkerProtocol

/// A thread that sends the messages of a connection in order.
///
/// A peer that reads slowly, or not at all, blocks this thread and none of Swift's tasks. Callers
/// limit the number of messages: those of a call, and credits.
package final class MessageSender: Sendable {
    private struct Message {
        var body: any Encodable & Sendable
        /// A file whose descriptor goes with the message, and is closed after it.
        var file: OpenFile?
    }

    private struct State {
        var messages: [Message] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let signal = DispatchSemaphore(value: 0)

    /// Starts the thread, which ends with `close()` or with the connection.
    ///
    /// The thread keeps the socket open, so that it never writes to another file.
    package init(_ socket: OpenFile, _ connection: MessageConnection) {
        Thread.detachNewThread { [self] in
            defer { withExtendedLifetime(socket) {} }
            while let message = next() {
                do throws(ConnectionError) {
                    try connection.send(message.body, descriptor: message.file?.descriptor)
                } catch {
                    // The reader of the connection receives its end.
                    close()
                }
            }
        }
    }

    /// Sends a message; without effect after the end.
    package func send(_ body: some Encodable & Sendable, file: OpenFile? = nil) {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.messages.append(Message(body: body, file: file))
        }
        signal.signal()
    }

    /// Drops the messages that were not sent yet.
    package func close() {
        state.withLock { state in
            state.isClosed = true
            state.messages = []
        }
        signal.signal()
    }

    private func next() -> Message? {
        while true {
            let (message, isClosed) = state.withLock { state -> (Message?, Bool) in
                if state.isClosed { return (nil, true) }
                return (state.messages.isEmpty ? nil : state.messages.removeFirst(), false)
            }
            if isClosed { return nil }
            if let message { return message }
            signal.wait()
        }
    }
}
