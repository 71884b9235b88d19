internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// Stages files of an export by copying them from folders or decompressing them from archives.
struct TakeoutStager: Sendable {
    /// The staged file that was decompressed from an archive, or the reason for the failure.
    enum Extracted: Sendable {
        case file(StagedFile)
        case failed(String)
    }

    let session: StagingSession
    let files: FileOperations
    let stager: SourceStager
    let archives: any ArchiveReader
    let sources: [TakeoutSource]
    let descriptors: [Descriptor]

    /// Stages a file of an export.
    ///
    /// - Throws: An error that concerns the whole import, from the library's volume or the worker.
    func stage(_ file: TakeoutFile, extracted: Extracted?) throws(LibraryError)
        -> SourceStager.Result
    {
        switch file.place {
        case .folder(let path): return try stage(path, of: file)
        case .archive(let entry):
            let ready: Extracted
            if let extracted {
                ready = extracted
            } else {
                ready = try extract(entry, source: file.source, from: { _ in nil }).result
            }
            switch ready {
            case .failed(let reason): return .outcome(ImportOutcome(.failed, reason: reason))
            case .file(let copy):
                let source = source(of: file)
                return try stager.stage(copy, of: source, name: SourceName(path: source.path))
            }
        }
    }

    private func stage(_ path: String, of file: TakeoutFile) throws(LibraryError)
        -> SourceStager.Result
    {
        let descriptor: Descriptor
        do throws(SystemError) {
            descriptor = try open(path, source: file.source)
        } catch {
            if error.isTooManyOpenFiles { throw error.libraryError("A file cannot be opened.") }
            return .outcome(ImportOutcome(.failed, reason: "It cannot be read: \(error.reason)."))
        }
        return try withExtendedLifetime(descriptor) { () throws(LibraryError) in
            try stager.stage(source(of: file), from: descriptor.number)
        }
    }

    /// Opens a file below a source's folder without following symbolic links.
    private func open(_ path: String, source: Int) throws(SystemError) -> Descriptor {
        try Folder(
            descriptor: descriptors[source],
            path: String(decoding: sources[source].path, as: UTF8.self),
            files: files
        ).file(below: path)
    }

    /// Returns the path and the known size and modification time of a file.
    ///
    /// A file in an archive gets the path that it would have if the archive were extracted in its
    /// own folder. So files that different archives have in the same folder are also in the same
    /// folder here.
    func source(of file: TakeoutFile) -> SourceFile {
        let root = sources[file.source]
        var path = root.path
        if root.isArchive { path = Array(path.prefix(upTo: path.lastIndex(of: 0x2F) ?? 0)) }
        return SourceFile(
            path: path + [0x2F] + Array(file.path.utf8),
            size: file.size,
            modificationTime: file.modificationTime,
            statusChangeTime: 0,
            inode: 0,
            device: 0
        )
    }

    // MARK: - Archives

    /// Decompresses an archive's entry into the staging folder.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - source: The index of the archive.
    ///   - position: Returns the position from which to decompress a tape archive to reach an
    ///     offset.
    /// - Returns: The staged file or the reason for the failure, and the position after the entry.
    /// - Throws: An error that concerns the whole import.
    func extract(
        _ entry: ArchiveEntry,
        source: Int,
        from position: (Int64) -> InflatePosition?
    ) throws(LibraryError) -> (result: Extracted, position: InflatePosition?) {
        guard entry.size > 0 else { return (.failed("The file is empty (0 bytes)."), nil) }
        let message = "A file cannot be extracted to the library's staging folder."
        let target: (path: String, descriptor: Descriptor)
        do { target = try session.createFile() } catch { throw error.libraryError(message) }
        var isKept = false
        defer { if !isKept { try? files.remove(target.path) } }
        var last: InflatePosition?
        if case .tar(let offset) = entry.place { last = position(offset) }
        var done: Int64 = 0
        while done < entry.size {
            let request = ArchiveExtraction(entry: entry, position: last, done: done)
            let answer: WorkerPool.ExtractionAnswer
            do throws(WorkerError) {
                answer = try archives.extract(
                    request,
                    from: descriptors[source].number,
                    to: target.descriptor.number
                )
            } catch { throw SourceStager.unavailable(error) }
            switch answer {
            case .progress(let progress): (done, last) = (progress.done, progress.position)
            case .failed(let reason): return (.failed(reason), nil)
            case .unwritable(let reason):
                throw LibraryError(
                    reason.contains("space") || reason.contains("quota") ? .noSpace : .inputOutput,
                    message,
                    reason: reason + ".",
                    recovery: "Free some space on the library's volume and import again.",
                    path: session.folder
                )
            }
        }
        do throws(SystemError) {
            guard try files.status(of: target.descriptor.number).size == entry.size else {
                return (.failed("It was not extracted completely."), nil)
            }
            let digest = try files.digest(of: target.descriptor.number, path: target.path)
            isKept = true
            let file = StagedFile(
                path: target.path,
                descriptor: target.descriptor,
                size: entry.size,
                digest: digest,
                files: files
            )
            return (.file(file), last)
        } catch { throw error.libraryError(message) }
    }
}
