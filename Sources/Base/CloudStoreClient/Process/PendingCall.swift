internal import FoundationEssentials
internal import ObjectStorage
internal import StoreProtocol
internal import Synchronization

/// A call that was sent to `photos-cloud`, with the answers received so far.
final class PendingCall: Sendable {
    private struct Progress {
        /// The number of further pieces of the object that the process may send before it needs
        /// another permission.
        var permitted = StoreLimits.pieces
        var received: Int64 = 0
    }

    let number: Int64
    let isChange: Bool
    let answer = Promise<StoreResult>()
    /// The stream of an object's pieces, which ends before `answer` is set.
    let pieces: AsyncStream<Data>
    private let continuation: AsyncStream<Data>.Continuation
    /// The maximum number of bytes of all pieces together.
    private let limit: Int64
    private let progress = Mutex(Progress())
    /// The file whose descriptor the process sent with the result.
    private let file = Mutex<OpenFile?>(nil)

    init(number: Int64, _ call: StoreCall) {
        self.number = number
        isChange = call.isChange
        limit = if case .get(_, _, _, let limit) = call { limit } else { 0 }
        (pieces, continuation) = AsyncStream.makeStream()
    }

    /// The number of bytes received so far.
    var received: Int64 { progress.withLock { $0.received } }

    func grant() { progress.withLock { $0.permitted += 1 } }

    /// Accepts a piece of the object; returns false if the process was not permitted to send it.
    func receive(_ bytes: Data) -> Bool {
        let isPermitted = progress.withLock { progress in
            guard progress.permitted > 0, !bytes.isEmpty, bytes.count <= StoreLimits.piece,
                Int64(bytes.count) <= limit - progress.received
            else { return false }
            progress.permitted -= 1
            progress.received += Int64(bytes.count)
            return true
        }
        if isPermitted { continuation.yield(bytes) }
        return isPermitted
    }

    /// Keeps the file that was sent with the result; must be called before `end(_:)`.
    func attach(_ opened: OpenFile) { file.withLock { $0 = opened } }

    /// Removes and returns the file that was sent with the result; nil if there was none.
    func takeFile() -> OpenFile? {
        file.withLock { file in
            defer { file = nil }
            return file
        }
    }

    func end(_ result: Result<StoreResult, any Error>) {
        continuation.finish()
        answer.end(result)
    }
}
