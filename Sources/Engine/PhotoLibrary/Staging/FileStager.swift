internal import LibraryService
internal import PhotoModel

/// Copies an open file into a staging folder and hashes the copied bytes.
struct FileStager: Sendable {
    /// The reason why a file could not be staged.
    enum Failure: Error {
        /// The library's volume failed, which concerns more than this file.
        case volume(LibraryError)
        /// The source is not a regular file; the value names its kind.
        case notRegular(String)
        /// The file is empty.
        case empty
        /// The file was modified meanwhile.
        case changed
        /// The file could not be read; the value is the reason as one sentence.
        case unreadable(String)
    }

    var session: StagingSession
    var files: FileOperations

    /// Stages a file.
    ///
    /// `fingerprint` receives the bytes of each attempt.
    ///
    /// - Returns: The copy, and the status of the source when it was read.
    func stage(_ descriptor: Int32, fingerprint: SourceFingerprint? = nil) throws(Failure) -> (
        file: StagedFile, status: FileStatus
    ) {
        let before = try status(of: descriptor)
        guard before.isRegularFile else { throw .notRegular(before.kind) }
        guard before.size > 0 else { throw .empty }
        if let copy = try copy(descriptor, before, fingerprint) { return (copy, before) }
        // The file's link count or permissions changed, so its content may be the same. This
        // happens if a file has several names that are moved together.
        let after = try status(of: descriptor)
        guard after.isRetouched(since: before),
            let copy = try copy(descriptor, after, fingerprint)
        else { throw .changed }
        return (copy, after)
    }

    /// Copies a file; nil if it changed meanwhile.
    private func copy(
        _ descriptor: Int32,
        _ before: FileStatus,
        _ fingerprint: SourceFingerprint?
    ) throws(Failure) -> StagedFile? {
        fingerprint?.start()
        let message = "The file cannot be copied to the library's staging folder."
        let target: (path: String, descriptor: Descriptor)
        let sharesVolume: Bool
        do {
            target = try session.createFile()
            sharesVolume = try files.status(of: target.descriptor.number).device == before.device
        } catch { throw .volume(error.libraryError(message)) }
        var isKept = false
        defer { if !isKept { try? files.remove(target.path) } }
        let digest: SHA256Digest
        do {
            digest = try FileCopier(files: files).copy(
                from: descriptor,
                to: target.descriptor.number,
                size: before.size,
                sharesVolume: sharesVolume,
                fingerprint: fingerprint
            )
        } catch {
            switch error {
            case .write(let cause): throw .volume(cause.libraryError(message))
            case .read(let cause): throw Self.unreadable(cause)
            case .sizeChanged: return nil
            case .hashing: throw .unreadable("Its SHA-256 cannot be computed: out of memory.")
            }
        }
        guard try status(of: descriptor).isUnchanged(since: before) else { return nil }
        isKept = true
        return StagedFile(
            path: target.path,
            descriptor: target.descriptor,
            size: before.size,
            digest: digest,
            files: files
        )
    }

    private func status(of descriptor: Int32) throws(Failure) -> FileStatus {
        do { return try files.status(of: descriptor) } catch { throw Self.unreadable(error) }
    }

    private static func unreadable(_ error: SystemError) -> Failure {
        .unreadable("It cannot be read: \(error.reason).")
    }
}
