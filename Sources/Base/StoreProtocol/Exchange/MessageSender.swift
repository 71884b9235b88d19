internal import Dispatch
internal import Foundation
package import ObjectStorage
internal import Synchronization
package import WorkerProtocol

/// A queue of messages, which a dedicated thread sends over a connection in order.
///
/// A peer that reads slowly, or not at all, blocks only this thread and none of Swift's tasks. The
/// queue has no limit; callers limit the number of calls and so of messages.
package final class MessageSender: Sendable {
    private struct Message {
        var body: any Encodable & Sendable
        /// A file whose descriptor is sent with the message, and which is released afterward.
        var file: OpenFile?
    }

    private struct State {
        var messages: [Message] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let signal = DispatchSemaphore(value: 0)

    /// Creates the queue and starts its thread, which ends with `close()` or with the connection.
    ///
    /// The thread retains the socket, so that its descriptor number is not reused for another file.
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

    /// Appends a message to the queue; has no effect after `close()` or after the connection has
    /// failed.
    package func send(_ body: some Encodable & Sendable, file: OpenFile? = nil) {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.messages.append(Message(body: body, file: file))
        }
        signal.signal()
    }

    /// Ends the thread and discards the messages that were not sent yet.
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
