internal import Foundation
internal import Glibc
package import LibraryService
package import PhotoModel
internal import Synchronization
package import WorkerClient
internal import WorkerProtocol

/// Migrates libraries of other programs, each library in a separate session.
///
/// Thread-safe; calls block their thread.
package final class Migrator: Sendable {
    private let store: LibraryStore
    private let pool: WorkerPool
    private let renditions: (any FirstRenditionSink)?
    private let configuration: ImportConfiguration
    private let sessions = Mutex(Sessions())

    private struct Sessions {
        var next: Int64 = 1
        var open: [Int64: SessionBox] = [:]
    }

    /// A session with a lock that serializes its use.
    private final class SessionBox: Sendable {
        // Guarded by the mutex.
        let session: Mutex<MigrationSession>
        init(_ session: sending MigrationSession) { self.session = Mutex(session) }
    }

    package init(
        store: LibraryStore,
        pool: WorkerPool,
        renditions: (any FirstRenditionSink)?,
        configuration: ImportConfiguration = ImportConfiguration()
    ) {
        self.store = store
        self.pool = pool
        self.renditions = renditions
        self.configuration = configuration
    }

    /// Opens a source, and plans its migration without reading any original.
    ///
    /// - Parameters:
    ///   - request: The source and the options.
    ///   - files: The descriptors of the source's folder and of its volumes.
    ///   - author: The author of the migration in the journal.
    /// - Returns: The identity and the size of the source.
    /// - Throws: `invalidRequest`, `invalidResource`, `readOnly`, `busy`.
    package func begin(
        _ request: MigrationBeginRequest,
        files: [Descriptor],
        author: String
    ) throws(LibraryError) -> MigrationBeginReply {
        guard files.count == 1 + request.volumes.count, let root = files.first else {
            throw LibraryError(
                .invalidRequest,
                "A migration has \(files.count) descriptors for \(request.volumes.count) volumes.",
                recovery: "Pass the source's folder and one folder per volume."
            )
        }
        if let missing = store.missingChanges { throw missing }
        if let reason = store.readOnlyReason {
            throw LibraryError(
                .readOnly,
                "Nothing can be imported into the library at \(store.bundle.root).",
                reason: reason,
                recovery: "Open it from a writable volume, or copy it to another volume.",
                path: store.bundle.root
            )
        }
        let staging: StagingSession
        do throws(SystemError) {
            staging = try StagingSession(staging: store.bundle.staging, files: configuration.files)
        } catch { throw error.libraryError("The import's staging folder cannot be created.") }
        let opened: (MigrationSession, MigrationBeginReply)
        do throws(LibraryError) {
            if ExportSource.isExport(root, path: request.path) {
                opened = try ExportSource(
                    request: request,
                    author: author,
                    root: root,
                    pool: pool,
                    staging: staging
                ).open(store: store, configuration: configuration, renditions: renditions)
            } else {
                opened = try AppleSource(
                    request: request,
                    author: author,
                    root: root,
                    volumes: Array(files.dropFirst()),
                    pool: pool,
                    staging: staging
                ).open(store: store, configuration: configuration, renditions: renditions)
            }
        } catch {
            staging.end()
            throw error
        }
        var reply = opened.1
        let box = SessionBox(opened.0)
        reply.migration = sessions.withLock { sessions in
            defer { sessions.next += 1 }
            sessions.open[sessions.next] = box
            return sessions.next
        }
        return reply
    }

    /// Migrates the next group of items; they are durable when the call returns.
    package func step(_ request: MigrationStepRequest) throws(LibraryError) -> MigrationStepReply {
        guard let box = sessions.withLock({ $0.open[request.migration] }) else {
            throw Self.noSession(request.migration)
        }
        let result: Result<MigrationStepReply, LibraryError> = box.session.withLock { session in
            do throws(LibraryError) { return .success(try session.step()) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Ends a migration and removes its staging folder.
    package func end(_ request: MigrationEndRequest) throws(LibraryError) {
        guard let box = sessions.withLock({ $0.open.removeValue(forKey: request.migration) }) else {
            throw Self.noSession(request.migration)
        }
        box.session.withLock { $0.end() }
    }

    /// Ends all migrations, as `end` does.
    package func endAll() {
        let ended = sessions.withLock { sessions in
            defer { sessions.open = [:] }
            return Array(sessions.open.values)
        }
        for box in ended { box.session.withLock { $0.end() } }
    }

    private static func noSession(_ number: Int64) -> LibraryError {
        LibraryError(
            .invalidRequest,
            "There is no migration \(number).",
            recovery: "Begin a migration first, and end it once."
        )
    }
}
