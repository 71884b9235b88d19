import Foundation
import LibraryService
import PhotoModel
import RemoteLibrary
import Synchronization

@testable import ImportSources

/// A library that answers imports by the names of the files, and keeps the names and its changes.
///
/// Names that begin with `bad` fail, and those that begin with `copy` are duplicates. For a batch
/// with a name that begins with `full` there is no space. A name that begins with `busy` fails the
/// first time, and `a.xmp` is a sidecar of `a.jpg`.
final class ImportingLibrary: CallingLibrary {
    private let imported = Mutex<[String]>([])
    private let committed = Mutex<[ChangeAction]>([])
    private let sessions = Mutex(0)
    private let state = Mutex((version: Int64(1), start: 0.0))
    /// The UUID of the album with each title, which is reused.
    private let albums: [String: String]

    init(albums: [String: String] = [:]) { self.albums = albums }

    /// The names of the files whose import was requested.
    var names: [String] { imported.withLock(\.self) }
    /// The number of import sessions that were begun and not ended.
    var openSessions: Int { sessions.withLock(\.self) }
    /// The present version; each import of files adds one.
    var version: Int64 {
        get { state.withLock { $0.version } }
        set { state.withLock { $0.version = newValue } }
    }
    /// The time of version 0, by which another history differs.
    var start: Double {
        get { state.withLock { $0.start } }
        set { state.withLock { $0.start = newValue } }
    }
    /// The changes, in order.
    var changes: [ChangeAction] { committed.withLock(\.self) }

    func close() {}

    func openSession(_ request: SessionRequest) throws(LibraryError) -> any LibraryService { self }

    func perform<Request, Reply>(
        _ call: Call<Request, Reply>,
        _ request: Request,
        descriptors: [Descriptor]
    ) throws(LibraryError) -> (reply: Reply, descriptors: [Descriptor]) {
        guard let reply = try reply(to: request, of: call.name) as? Reply else {
            throw LibraryError(.internalError, "“\(call.name)” is not expected.")
        }
        return (reply, [])
    }

    private func stamp(of version: Int64) -> HistoryStamp {
        HistoryStamp(Date(timeIntervalSinceReferenceDate: start + Double(version)))
    }

    private func reply(
        to request: any Sendable,
        of call: String
    ) throws(LibraryError) -> any Sendable {
        switch request {
        case is NoValue where call == "status":
            return LibraryStatus(
                path: nil,
                version: version,
                stamp: stamp(of: version),
                readOnlyReason: nil
            )
        case is ImportSessionRequest:
            sessions.withLock { $0 += 1 }
            return ImportSessionReply(session: 1)
        case is ImportEndRequest:
            sessions.withLock { $0 -= 1 }
            return NoValue()
        case let request as HistoryRequest:
            return HistoryReply(
                versions: [],
                current: version,
                stamp: stamp(of: request.since)
            )
        case let request as KnownFilesRequest:
            return KnownFilesReply(outcomes: request.files.map { _ in nil })
        case let request as ImportFilesRequest:
            let names = request.files.map(\.path.lastComponent.text)
            imported.withLock { $0 += names }
            if names.contains(where: { $0.hasPrefix("full") }) {
                throw LibraryError(.noSpace, "The files cannot be copied.")
            }
            version += 1
            let all = self.names
            return ImportFilesReply(outcomes: names.map { Self.outcome(of: $0, among: all) })
        case let request as CommitRequest:
            return commit(request.changes.operations.map(\.action))
        default: return NoValue()
        }
    }

    /// Returns the outcome of a file; `names` are those of all files so far, with this one.
    private static func outcome(of name: String, among names: [String]) -> ImportOutcome {
        if name.hasPrefix("bad") { return ImportOutcome(.failed, reason: "It is damaged.") }
        if name.hasPrefix("busy"), names.count(where: { $0 == name }) == 1 {
            return ImportOutcome(.failed, reason: "It was removed.", obstacle: .passing)
        }
        if name.hasSuffix(".xmp"), !names.contains(String(name.dropLast(4)) + ".jpg") {
            return ImportOutcome(.unsupported, reason: "Alone.", obstacle: .mediumMissing)
        }
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
