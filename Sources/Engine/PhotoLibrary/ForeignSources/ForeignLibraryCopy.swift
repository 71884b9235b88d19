internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// Private copies of all databases of a library, each with its write-ahead log.
struct ForeignLibraryCopy {
    let database: ForeignDatabaseCopy
    private var others:
        [(copy: ForeignDatabaseCopy, part: ForeignLibraryPart, log: ForeignLibraryPart?)] =
            []
    private let form: AppleLibraryForm

    /// Copies the databases; only those in `furtherDatabases` may be absent.
    init(
        of form: AppleLibraryForm,
        in source: SourceFolder,
        to session: StagingSession,
        name: String
    ) throws(LibraryError) {
        self.form = form
        func copy(_ path: String) throws(LibraryError) -> ForeignDatabaseCopy {
            if form.isIPhoto { try Self.refuseJournal(of: path, in: source, name) }
            return try ForeignDatabaseCopy(
                of: path,
                in: source,
                to: session,
                name: name,
                program: form.program
            )
        }
        func size(_ path: String) throws(LibraryError) -> Int64? {
            do throws(SystemError) {
                return try source.status(of: path).flatMap { $0.isRegularFile ? $0.size : nil }
            } catch { throw error.libraryError("The library \(name) cannot be read.") }
        }
        if let list = form.modelVersion {
            guard let size = try size(list), size <= ForeignLibraryPart.maximumListLength else {
                throw LibraryError(
                    .invalidResource,
                    "The library \(name) cannot be read.",
                    reason: "Its \(list) is too large.",
                    recovery: form.recovery
                )
            }
            others.append((try copy(list), .modelVersion, nil))
        }
        do throws(LibraryError) {
            database = try copy(form.database)
        } catch {
            others.forEach { $0.copy.discard() }
            throw error
        }
        do throws(LibraryError) {
            for (path, part, log) in form.furtherDatabases {
                // SQLite leaves an empty file for a database without tables.
                guard let size = try size(path), size > 0 else { continue }
                others.append((try copy(path), part, log))
            }
        } catch {
            discard()
            throw error
        }
    }

    /// Indicates whether the main database's write-ahead log is missing although its index file
    /// exists.
    var isLogMissing: Bool { database.isLogMissing }
    var logSize: Int64 { database.log?.size ?? 0 }

    func discard() {
        database.discard()
        others.forEach { $0.copy.discard() }
    }

    /// Starts a worker that reads the copies through separate descriptors.
    func reader(_ pool: WorkerPool) throws(LibraryError) -> any ForeignReader {
        var parts: [ForeignLibraryPart: Int32] = [:]
        for (copy, part, logPart) in others {
            parts[part] = copy.database.descriptor.number
            if let logPart, let log = copy.log { parts[logPart] = log.descriptor.number }
        }
        do throws(ForeignLibrary.Failure) {
            let library = try ForeignLibrary(
                pool: pool,
                database: database.database.descriptor.number,
                log: database.log?.descriptor.number,
                parts: parts
            )
            return form.isIPhoto ? IPhotoRecords(library) : library
        } catch {
            var failure = error.libraryError
            if case .library = error, let recovery = form.recovery { failure.recovery = recovery }
            throw failure
        }
    }

    /// The bytes at the start of an unfinished rollback journal.
    private static let journalStart: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

    /// Throws an error if a database has an unfinished rollback journal.
    ///
    /// The program was then stopped in the midst of a change, which only that program can roll
    /// back.
    private static func refuseJournal(
        of path: String,
        in source: SourceFolder,
        _ name: String
    ) throws(LibraryError) {
        let journal = path + "-journal"
        var start = [UInt8](repeating: 0, count: journalStart.count)
        do throws(SystemError) {
            guard let status = try source.status(of: journal), status.isRegularFile,
                status.size >= journalStart.count
            else { return }
            let file = try source.open(journal)
            let read: Swift.Result<Int, SystemError> = start.withUnsafeMutableBytes { buffer in
                do throws(SystemError) {
                    return .success(try FileOperations().read(file.number, at: 0, into: buffer))
                } catch { return .failure(error) }
            }
            _ = try read.get()
        } catch { throw error.libraryError("The library \(name) cannot be read.") }
        guard start == journalStart else { return }
        throw LibraryError(
            .inputOutput,
            "The library \(name) cannot be read.",
            reason: "It was not closed properly: a journal lies beside its database (\(journal)).",
            recovery: "Quit iPhoto and copy the library again; or open it once in iPhoto or Photos,"
                + " which completes it. The folder with its originals (Masters) can be imported"
                + " in any case."
        )
    }
}
