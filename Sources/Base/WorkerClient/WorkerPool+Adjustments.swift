package import FoundationEssentials
internal import Glibc
internal import WorkerProtocol

/// What an editor did, read out of an envelope.
package enum AdjustmentsAnswer: Sendable {
    case adjustments(formatIdentifier: String, formatVersion: String, data: Data)
    /// None that can be read; why, in words for people.
    case unreadable(reason: String)
}

extension WorkerPool {
    /// Reads what an editor did out of the envelope in the file behind `descriptor`, which stays the
    /// caller's.
    ///
    /// - Throws: `WorkerError`, only when no worker could be had.
    package func adjustments(in descriptor: Int32) throws(WorkerError) -> AdjustmentsAnswer {
        switch try run(.adjustments, on: descriptor, cancellation: nil, priority: .reading) {
        case .failed(let reason): return .unreadable(reason: reason)
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
