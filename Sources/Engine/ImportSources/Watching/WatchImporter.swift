internal import Glibc
internal import LibraryService
internal import PhotoModel

/// Imports files of a watch folder through the library's ordinary import.
struct WatchImporter {
    /// The result of importing one file.
    enum Verdict {
        /// The library contains the file; `isNew` indicates whether this import added it.
        case done(asset: String?, isNew: Bool)
        case failed(String)
        /// The file is a sidecar whose photo or movie is not in the library yet.
        case mediumMissing
        /// The circumstances prevented the import.
        case postponed
        /// The file cannot be opened at present, for example for lack of permission.
        case unreadable(SystemError)
        /// The file has changed since it was seen; the value is its current metadata.
        case changed(SourceFile)
        case gone
    }

    let service: any LibraryService
    let session: Int64
    /// The real path of the watch folder.
    let root: [UInt8]
    /// Opens a file as open(2) does.
    let openFile: (_ path: [UInt8], _ flags: Int32) -> Int32

    /// Opens a file by the system call.
    static func systemOpen(_ path: [UInt8], _ flags: Int32) -> Int32 {
        path.withCString { Glibc.open($0, flags) }
    }

    /// Imports a batch.
    ///
    /// - Returns: The result of each file, in order.
    /// - Throws: When nothing of the batch was imported, for a reason that is not a file's own.
    func importFiles(_ files: [SourceFile]) throws(LibraryError) -> [Verdict] {
        var verdicts = [Verdict](repeating: .gone, count: files.count)
        var opened: [(index: Int, file: SourceFile, descriptor: Descriptor)] = []
        var reasons: [[UInt8]: String?] = [:]
        for (index, file) in files.enumerated() {
            // A folder may have become a library since it was scanned.
            let parent = file.path.parentPath
            let reason = reasons[parent] ?? libraryReason(around: parent)
            reasons[parent] = .some(reason)
            if let reason {
                verdicts[index] = .failed(reason)
                continue
            }
            switch try open(file) {
            case .success(let descriptor): opened.append((index, file, descriptor))
            case .failure(let problem): verdicts[index] = problem.verdict
            }
        }
        guard !opened.isEmpty else { return verdicts }
        let known = try service.knownFiles(
            KnownFilesRequest(session: session, files: opened.map(\.file))
        ).outcomes
        for (entry, outcome) in zip(opened, known) {
            guard let outcome else { continue }
            verdicts[entry.index] = verdict(of: entry.file, outcome, isNew: false)
        }
        let unknown = zip(opened, known).filter { $0.1 == nil }.map(\.0)
        guard !unknown.isEmpty else { return verdicts }
        let outcomes = try service.importFiles(
            ImportFilesRequest(session: session, files: unknown.map(\.file)),
            files: unknown.map(\.descriptor)
        ).outcomes
        for (entry, outcome) in zip(unknown, outcomes) {
            let isNew = outcome.kind == .imported || outcome.kind == .paired
            verdicts[entry.index] = verdict(of: entry.file, outcome, isNew: isNew)
        }
        return verdicts
    }

    private struct Problem: Error {
        var verdict: Verdict
    }

    private func open(_ file: SourceFile) throws(LibraryError) -> Result<Descriptor, Problem> {
        let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW
        let number = openFile(file.path, flags)
        guard number >= 0 else {
            let error = SystemError.last("open", path: file.text)
            if error.isTooManyOpenFiles {
                throw error.libraryError("Files of a watch folder cannot be imported.")
            }
            // ENXIO means that a socket or a device is there instead.
            let isGone = [ENOENT, ENOTDIR, ELOOP, ENXIO].contains(error.number)
            return .failure(Problem(verdict: isGone ? .gone : .unreadable(error)))
        }
        let descriptor = Descriptor(owning: number)
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            RealPath.isFile(number, below: root)
        else { return .failure(Problem(verdict: .gone)) }
        let present = SourceFile(path: file.path, status: status)
        guard present.isSame(as: file) else {
            return .failure(Problem(verdict: .changed(present)))
        }
        return .success(descriptor)
    }

    /// Returns the reason not to import files from a folder in a photo library or in an export; nil
    /// for other folders.
    ///
    /// The folder can also be the library or the export itself.
    private func libraryReason(around folder: [UInt8]) -> String? {
        var path = folder
        while path.count >= root.count {
            let number = path.withCString { Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
            if number >= 0 {
                let reason = SourceBundle.reason(
                    against: path.lastComponent,
                    folder: Descriptor(owning: number)
                )
                if let reason { return reason }
            }
            path = path.parentPath
        }
        return nil
    }

    private func verdict(
        of file: SourceFile,
        _ outcome: ImportOutcome,
        isNew: Bool
    ) -> Verdict {
        switch outcome.kind {
        case .imported, .duplicate, .paired:
            return .done(asset: outcome.localIdentifier, isNew: isNew)
        case .unsupported, .failed:
            // A file that changed or disappeared meanwhile has not failed.
            var status = stat()
            guard file.path.withCString({ lstat($0, &status) }) == 0 else { return .gone }
            let present = SourceFile(path: file.path, status: status)
            guard present.isSame(as: file) else { return .changed(present) }
            return switch outcome.obstacle {
            case .mediumMissing: .mediumMissing
            case .passing: .postponed
            case nil: .failed(outcome.reason ?? outcome.kind.rawValue)
            }
        }
    }
}

extension SourceFile {
    /// The path as text.
    var text: String { path.text }
}
