internal import ObjectStorage
internal import StoreProtocol
internal import Synchronization

/// The host's calls that are in progress.
final class RunningCalls: Sendable {
    private struct Running {
        var task: Task<Void, Never>
        var credits: AsyncSlots
    }

    private let store: any ObjectStore
    private let sender: MessageSender
    private let running = Mutex<[Int64: Running]>([:])

    init(_ store: any ObjectStore, _ sender: MessageSender) {
        self.store = store
        self.sender = sender
    }

    /// Starts a call, whose replies are sent to the host.
    func start(_ number: Int64, _ call: StoreCall, _ file: OpenFile?, timeout: Duration) {
        let credits = AsyncSlots(StoreLimits.pieces)
        let pieces = PieceSender(number: number, credits: credits, sender: sender)
        let execution = CallExecution(store: store, pieces: pieces, file: file, timeout: timeout)
        running.withLock { running in
            // Its end waits for this lock, so that it finds the task.
            let task = Task.detached { [self] in
                let reply: StoreReply
                var opened: OpenFile?
                do throws(ObjectStoreError) {
                    let (result, file) = try await execution.run(call)
                    reply = .done(number, result)
                    opened = file
                } catch {
                    reply = .failed(number, StoreFailure(error))
                }
                self.running.withLock { $0[number] = nil }
                sender.send(reply, file: opened)
            }
            running[number] = Running(task: task, credits: credits)
        }
    }

    /// Permits a call to send one more piece; has no effect after the end of the call.
    func grant(_ number: Int64) {
        running.withLock { $0[number]?.credits }?.release()
    }

    /// Cancels a call; has no effect after the end of the call.
    func cancel(_ number: Int64) {
        running.withLock { $0[number]?.task }?.cancel()
    }
}
