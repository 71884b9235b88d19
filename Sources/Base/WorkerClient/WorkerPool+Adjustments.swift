package import FoundationEssentials
internal import Glibc
internal import WorkerProtocol

/// The result of reading an adjustment envelope (an AAE file), Apple's format for the adjustments
/// of an edited photo or movie.
package enum AdjustmentsAnswer: Sendable {
    case adjustments(formatIdentifier: String, formatVersion: String, data: Data)
    /// The envelope has no readable adjustments; `reason` is text for users.
    case unreadable(reason: String)
}

extension WorkerPool {
    /// Reads an editor's adjustments from the envelope behind `descriptor`.
    ///
    /// The caller keeps the descriptor and must close it.
    ///
    /// - Throws: `WorkerError`, only when no worker is available.
    package func adjustments(in descriptor: Int32) throws(WorkerError) -> AdjustmentsAnswer {
        switch try run(.adjustments, on: descriptor, cancellation: nil, priority: .reading) {
        case .failed(let reason, _): return .unreadable(reason: reason)
        case .cancelled: return .unreadable(reason: Self.confusion)
        case .replied(let reply, let memory):
            defer { if let memory { close(memory) } }
            switch reply {
            case .adjustments(let identifier, let version, 0):
                return .adjustments(
                    formatIdentifier: identifier,
                    formatVersion: version,
                    data: Data()
                )
            case .adjustments(let identifier, let version, let length):
                guard let memory, let file = SealedMemory(descriptor: memory, length: length) else {
                    return .unreadable(reason: Self.confusion)
                }
                return .adjustments(
                    formatIdentifier: identifier,
                    formatVersion: version,
                    data: file.withBytes { Data($0) }
                )
            case .unsupported(let reason), .failed(let reason):
                return .unreadable(reason: reason)
            default: return .unreadable(reason: Self.confusion)
            }
        }
    }
}
