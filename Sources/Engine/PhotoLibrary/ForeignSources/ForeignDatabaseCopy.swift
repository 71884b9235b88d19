internal import Foundation
internal import LibraryService
internal import PhotoModel

/// A private copy of another program's database and of its write-ahead log.
///
/// The log holds committed work and is always copied with the database; the shared-memory index
/// (`-shm`) never is. The database is not opened in place, since SQLite writes files beside it even
/// when it only reads.
struct ForeignDatabaseCopy {
    /// The maximum number of attempts to copy the database while another program writes to it.
    private static let attempts = 3

    let database: StagedFile
    let log: StagedFile?
    /// Indicates whether the write-ahead log is missing although its index file exists.
    let isLogMissing: Bool

    /// Copies the database at `path` and its write-ahead log; `program` names the program that
    /// writes them.
    ///
    /// - Throws: `busy` when another program writes to them; `inputOutput` and the like.
    init(
        of path: String,
        in source: SourceFolder,
        to session: StagingSession,
        name: String,
        program: String = "Photos"
    ) throws(LibraryError) {
        for _ in 0..<Self.attempts {
            let before = try Self.statuses(path, source)
            guard let main = before.main, main.size > 0 else {
                throw LibraryError(
                    .inputOutput,
                    "The library \(name) cannot be read.",
                    reason: before.main == nil
                        ? "Its database (\(path)) is not there."
                        : "Its database (\(path)) is empty (0 bytes).",
                    recovery: "Copy the library as a whole."
                )
            }
            var copies: [StagedFile] = []
            var isWhole = true
            for (path, status) in [(path, main), (path + "-wal", before.log)] {
                guard let status, status.size > 0 else { continue }
                do {
                    copies.append(try Self.stage(path, source, session))
                } catch FileStager.Failure.changed {
                    isWhole = false
                } catch FileStager.Failure.volume(let error) {
                    throw error
                } catch {
                    copies.forEach { $0.discard() }
                    throw Self.unreadable(path, name, error)
                }
            }
            if isWhole, let first = copies.first, try Self.statuses(path, source) == before {
                database = first
                log = copies.dropFirst().first
                // A closed library keeps its lock; an index without its log is from a copy that
                // left the log out.
                isLogMissing = before.log == nil && before.hasIndex
                return
            }
            copies.forEach { $0.discard() }
        }
        throw LibraryError(
            .busy,
            "The library \(name) cannot be read.",
            reason: "\(program) is writing to this library.",
            recovery: "Quit \(program) and try again."
        )
    }

    func discard() {
        database.discard()
        log?.discard()
    }

    private struct Statuses: Equatable {
        var main: FileStatus?
        var log: FileStatus?
        var hasIndex: Bool

        /// Compares the files by size and modification time.
        ///
        /// Inode numbers are not compared, since they change at each call if a program serves the
        /// file system.
        static func == (first: Statuses, second: Statuses) -> Bool {
            func isSame(_ one: FileStatus?, _ other: FileStatus?) -> Bool {
                guard let one, let other else { return one == nil && other == nil }
                return one.size == other.size && one.modificationTime == other.modificationTime
            }
            return isSame(first.main, second.main) && isSame(first.log, second.log)
        }
    }

    private static func statuses(_ path: String, _ source: SourceFolder) throws(LibraryError)
        -> Statuses
    {
        do throws(SystemError) {
            return Statuses(
                main: try source.status(of: path),
                log: try source.status(of: path + "-wal"),
                hasIndex: try source.status(of: path + "-shm") != nil
            )
        } catch { throw error.libraryError("The library's database cannot be read.") }
    }

    private static func stage(
        _ path: String,
        _ source: SourceFolder,
        _ session: StagingSession
    ) throws -> StagedFile {
        let file = try source.open(path)
        return try withExtendedLifetime(file) {
            try FileStager(session: session, files: session.files).stage(file.number).file
        }
    }

    private static func unreadable(_ path: String, _ name: String, _ error: any Error)
        -> LibraryError
    {
        if let error = error as? SystemError {
            return error.libraryError("The database of the library \(name) cannot be read.")
        }
        let reason: String =
            switch error as? FileStager.Failure {
            case .unreadable(let reason): reason
            case .notRegular(let kind): "It is \(kind)."
            default: "It cannot be copied."
            }
        return LibraryError(
            .inputOutput,
            "The database of the library \(name) cannot be read (\(path)).",
            reason: reason,
            recovery: "Check the volume, or copy the library again."
        )
    }
}
