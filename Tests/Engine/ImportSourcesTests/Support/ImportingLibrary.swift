import LibraryService
import PhotoModel
import RemoteLibrary
import Synchronization

@testable import ImportSources

/// A library that answers imports by the names of the files, and keeps the names and its changes.
///
/// Names that begin with `bad` fail, and those that begin with `copy` are duplicates.
final class ImportingLibrary: CallingLibrary {
    private let imported = Mutex<[String]>([])
    private let committed = Mutex<[ChangeAction]>([])
    /// The UUID of the album with each title, which is reused.
    private let albums: [String: String]

    init(albums: [String: String] = [:]) { self.albums = albums }

    /// The names of the files whose import was requested.
    var names: [String] { imported.withLock(\.self) }
    /// The changes, in order.
    var changes: [ChangeAction] { committed.withLock(\.self) }

    func close() {}

    func openSession(_ request: SessionRequest) throws(LibraryError) -> any LibraryService { self }

    func perform<Request, Reply>(
        _ call: Call<Request, Reply>,
        _ request: Request,
        descriptors: [Descriptor]
    ) throws(LibraryError) -> (reply: Reply, descriptors: [Descriptor]) {
        guard let reply = reply(to: request) as? Reply else {
            throw LibraryError(.internalError, "“\(call.name)” is not expected.")
        }
        return (reply, [])
    }

    private func reply(to request: any Sendable) -> any Sendable {
        switch request {
        case is ImportSessionRequest: ImportSessionReply(session: 1)
        case let request as KnownFilesRequest:
            KnownFilesReply(outcomes: request.files.map { _ in nil })
        case let request as ImportFilesRequest:
            imported.withLock { names in
                names += request.files.map(\.path.lastComponent.text)
                let outcomes = request.files.map { Self.outcome(of: $0.path.lastComponent.text) }
                return ImportFilesReply(outcomes: outcomes)
            }
        case let request as CommitRequest: commit(request.changes.operations.map(\.action))
        default: NoValue()
        }
    }

    private static func outcome(of name: String) -> ImportOutcome {
        if name.hasPrefix("bad") { return ImportOutcome(.failed, reason: "It is damaged.") }
        return ImportOutcome(name.hasPrefix("copy") ? .duplicate : .imported)
    }

    private func commit(_ actions: [ChangeAction]) -> CommitReply {
        committed.withLock { $0 += actions }
        var reused: [String: String] = [:]
        for case .createCollection(let creation) in actions {
            reused[creation.uuid] = albums[creation.title]
        }
        return CommitReply(version: 1, reused: reused)
    }
}
