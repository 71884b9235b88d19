internal import CLinuxShim
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// Copies an open file into a staging folder and hashes the copied bytes.
struct FileStager: Sendable {
    /// The reason why a file could not be staged.
    enum Failure: Error {
        /// The library's volume failed, so other files will fail as well.
        case volume(LibraryError)
        /// The source is not a regular file; the value names its kind.
        case notRegular(String)
        /// The file is empty.
        case empty
        /// The file was modified while it was read.
        case changed
        /// The file could not be read; the value is the reason as one sentence.
        case unreadable(String)
    }

    var session: StagingSession
    var files: FileOperations

    /// Copies an open file into the staging folder.
    ///
    /// `fingerprint` receives the bytes of each copy, also if the file has to be copied again.
    ///
    /// - Returns: The copy, and the status of the source when it was read.
    func stage(_ descriptor: Int32, fingerprint: SourceFingerprint? = nil) throws(Failure) -> (
        file: StagedFile, status: FileStatus
    ) {
        let before = try status(of: descriptor)
        guard before.isRegularFile else { throw .notRegular(before.kind) }
        if cphotos_is_served_by_program(descriptor) != 0 {
            return try stageDoubted(descriptor, before, fingerprint)
        }
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

    /// Copies a file; nil if the source changed during the copy.
    private func copy(
        _ descriptor: Int32,
        _ before: FileStatus,
        _ fingerprint: SourceFingerprint?
    ) throws(Failure) -> StagedFile? {
        if files.isPlan { return try hollowCopy(descriptor, before) }
        fingerprint?.start()
        let message = Self.message
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
        guard try status(of: descriptor).isUntouched(since: before) else { return nil }
        isKept = true
        return StagedFile(
            path: target.path,
            descriptor: target.descriptor,
            size: before.size,
            digest: digest,
            files: files
        )
    }

    private static let message = "The file cannot be copied to the library's staging folder."

    /// Hashes a file for an import plan without copying it; returns nil if the source changed
    /// during the read.
    ///
    /// The staged file is sparse: it has the source's size but no content. Its descriptor reads the
    /// source.
    private func hollowCopy(_ descriptor: Int32, _ before: FileStatus) throws(Failure)
        -> StagedFile?
    {
        let digest: SHA256Digest
        do { digest = try files.digest(of: descriptor) } catch {
            throw Self.unreadable(error)
        }
        guard try status(of: descriptor).isUntouched(since: before) else { return nil }
        return try hollowFile(of: descriptor, size: before.size, digest)
    }

    /// Creates a staged file for an import plan (a dry run); the file has the source's size but no
    /// content.
    ///
    /// Its descriptor reads the source.
    private func hollowFile(
        of descriptor: Int32,
        size: Int64,
        _ digest: SHA256Digest
    ) throws(Failure) -> StagedFile {
        do throws(SystemError) {
            let source = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard source >= 0 else { throw .last("fcntl") }
            let duplicate = Descriptor(owning: source)
            let target = try session.createFile()
            try files.hollow(target.descriptor, path: target.path, size: size)
            return StagedFile(
                path: target.path,
                descriptor: duplicate,
                size: size,
                digest: digest,
                isHollow: true,
                files: files
            )
        } catch { throw .volume(error.libraryError(Self.message)) }
    }

    // MARK: - Files whose status is doubtful

    /// The number of bytes by which a file may exceed the size that its file system reports.
    static let maximumExcess: Int64 = 16 << 30

    /// Stages a file whose file system may report wrong sizes and times.
    ///
    /// Programs that mount cameras and phones report sizes of 0 until a file is opened, sizes that
    /// end at 4 GB, and times that are missing or that of the call. The file is therefore read to
    /// its end. If its status does not confirm the result, it is read again and must be the same.
    /// A file with fewer bytes than its size is refused, since an unplugged device looks like that.
    private func stageDoubted(
        _ descriptor: Int32,
        _ before: FileStatus,
        _ fingerprint: SourceFingerprint?
    ) throws(Failure) -> (file: StagedFile, status: FileStatus) {
        let copy = try copyToEnd(descriptor, before, fingerprint)
        var isKept = false
        defer { if !isKept { copy.discard() } }
        var after = try status(of: descriptor)
        let size = max(before.size, after.size)
        guard copy.size >= size else {
            throw .unreadable(
                "Only \(copy.size) of its \(size) bytes can be read. If it is on a device, the"
                    + " device may have been disconnected."
            )
        }
        guard copy.size > 0 else { throw .empty }
        let isConfirmed =
            copy.size == after.size && after.modificationTime == before.modificationTime
        if !isConfirmed {
            let second = try copyToEnd(descriptor, before, fingerprint)
            defer { second.discard() }
            guard second.size == copy.size, second.digest == copy.digest else { throw .changed }
        }
        isKept = true
        after.size = copy.size
        return (copy, after)
    }

    /// Copies a file until its end, regardless of the size that its file system reports.
    private func copyToEnd(
        _ descriptor: Int32,
        _ before: FileStatus,
        _ fingerprint: SourceFingerprint?
    ) throws(Failure) -> StagedFile {
        guard !files.isPlan else {
            let read = try read(descriptor, before, into: nil, fingerprint)
            return try hollowFile(of: descriptor, size: read.size, read.digest)
        }
        let target: (path: String, descriptor: Descriptor)
        do { target = try session.createFile() } catch {
            throw .volume(error.libraryError(Self.message))
        }
        var isKept = false
        defer { if !isKept { try? files.remove(target.path) } }
        let copied = try read(descriptor, before, into: target.descriptor, fingerprint)
        isKept = true
        return StagedFile(
            path: target.path,
            descriptor: target.descriptor,
            size: copied.size,
            digest: copied.digest,
            files: files
        )
    }

    private func read(
        _ descriptor: Int32,
        _ before: FileStatus,
        into target: Descriptor?,
        _ fingerprint: SourceFingerprint?
    ) throws(Failure) -> (digest: SHA256Digest, size: Int64) {
        fingerprint?.start()
        do {
            return try FileCopier(files: files).copyToEnd(
                from: descriptor,
                to: target?.number,
                limit: max(before.size, 0).addingSaturated(Self.maximumExcess),
                fingerprint: fingerprint
            )
        } catch {
            switch error {
            case .write(let cause): throw .volume(cause.libraryError(Self.message))
            case .read(let cause): throw Self.unreadable(cause)
            case .sizeChanged:
                throw .unreadable("It has far more bytes than the size that is reported for it.")
            case .hashing: throw .unreadable("Its SHA-256 cannot be computed: out of memory.")
            }
        }
    }

    private func status(of descriptor: Int32) throws(Failure) -> FileStatus {
        do { return try files.status(of: descriptor) } catch { throw Self.unreadable(error) }
    }

    private static func unreadable(_ error: SystemError) -> Failure {
        .unreadable("It cannot be read: \(error.reason).")
    }
}
