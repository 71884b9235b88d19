internal import DaemonCore
internal import EmbeddedLibrary
internal import Foundation
internal import PhotoModel
internal import Synchronization

/// Stores the replies to requests that changed a library, so that a repeated request gets the same
/// reply.
///
/// The replies to commits and undos are stored in the library, in the transaction of the change.
/// The replies to other changes are kept in memory for as long as clients repeat a request: an
/// import that is repeated after the daemon was killed reports its files as already imported.
final class EngineAnswers: AnsweredRequests {
    private struct Answer {
        var program: String
        var reply: [UInt8]
        var time: SuspendingClock.Instant
    }

    /// The minimum time for which replies are kept in memory.
    ///
    /// Clients repeat a request for 30 seconds after the loss of a connection.
    private static let lifetime = Duration.seconds(120)

    private let engine: LibraryEngine
    private let recent = Mutex<[UUID: Answer]>([:])

    init(_ engine: LibraryEngine) { self.engine = engine }

    func answer(to request: UUID, of program: String) throws(LibraryError) -> [UInt8]? {
        guard let answer = recent.withLock({ $0[request] }) else {
            return try engine.answer(to: request, of: program)
        }
        guard answer.program == program else { throw .foreignRequest }
        return answer.reply
    }

    func store(
        _ reply: [UInt8],
        to request: UUID,
        of program: String
    ) throws(LibraryError) {
        let now = SuspendingClock.now
        recent.withLock { recent in
            if let oldest = recent.values.map(\.time).min(), oldest + Self.lifetime * 2 < now {
                recent = recent.filter { $0.value.time + Self.lifetime > now }
            }
            recent[request] = Answer(program: program, reply: reply, time: now)
        }
    }
}
