internal import CLinuxShim
internal import Foundation
internal import Glibc
internal import PhotoModel

/// Writes a resource to a new file, byte for byte.
///
/// 1. The bytes are written to a hidden file in the same folder, which is then renamed atomically,
///    so no reader sees a partial file.
/// 2. An existing file is never replaced, even if it appears during the write.
/// 3. The hidden file is removed after any error.
struct ResourceWriter {
    let resource: PHAssetResource
    let fileURL: URL
    /// The progress handler, called with the fraction written, from 0 to 1.
    let progressHandler: PHAssetResourceProgressHandler?
    let network: NetworkAccess
    /// A closure that returns whether the write was canceled, called before each step.
    let isCancelled: @Sendable () -> Bool

    func write() throws(LibraryError) {
        let target = try targetPath()
        var reader = try ResourceReader(resource, network)
        let sibling = siblingPath(of: target)
        let file = open(sibling, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw failure(at: target, errno) }
        var isOpen = true
        defer {
            if isOpen { _ = close(file) }
            _ = unlink(sibling)
        }
        if reader.record.size == 0 || cphotos_clone_file(file, reader.number) != 0 {
            try copy(&reader, to: file, at: target)
        } else {
            try checkClone(file, of: reader)
            progressHandler?(1)
        }
        isOpen = false
        // Some file systems report a failed write only on close.
        guard close(file) == 0 else { throw failure(at: target, errno) }
        try throwIfCancelled()
        try place(sibling, at: target)
    }

    // MARK: - Names

    private func targetPath() throws(LibraryError) -> String {
        guard fileURL.isFileURL else {
            throw LibraryError(
                .invalidRequest,
                "“\(fileURL.absoluteString)” is not a file.",
                reason: "Resources can be written to file URLs only.",
                recovery: "Create the URL with URL(fileURLWithPath:)."
            )
        }
        let path = fileURL.path
        var facts = stat()
        if lstat(path, &facts) == 0 { throw failure(at: path, EEXIST) }
        let folder = fileURL.deletingLastPathComponent().path
        if stat(folder, &facts) != 0, errno == ENOENT {
            throw LibraryError(
                .inputOutput,
                "“\(path)” cannot be written: the folder “\(folder)” does not exist.",
                recovery: "Create the folder first.",
                path: path,
                identifiers: [resource.assetLocalIdentifier]
            )
        }
        return path
    }

    /// Returns the path of a hidden temporary file next to `path`, with a short name because file
    /// names have a length limit.
    private func siblingPath(of path: String) -> String {
        let folder = (path as NSString).deletingLastPathComponent
        return (folder as NSString).appendingPathComponent(".photos-\(UUID().uuidString)")
    }

    /// Renames the hidden temporary file to its final name, and throws if a file with that name
    /// exists.
    private func place(_ sibling: String, at target: String) throws(LibraryError) {
        if cphotos_rename_new(sibling, target) == 0 { return }
        // File systems without that call support hard links, which never replace an existing file
        // either.
        if errno == EINVAL || errno == ENOSYS, link(sibling, target) == 0 { return }
        throw failure(at: target, errno)
    }

    // MARK: - Bytes

    private func copy(
        _ reader: inout ResourceReader,
        to file: Int32,
        at target: String
    ) throws(LibraryError) {
        while true {
            try throwIfCancelled()
            guard let chunk = try reader.next() else { break }
            let code = chunk.withUnsafeBytes { writeAll($0, to: file) }
            guard code == 0 else { throw failure(at: target, code) }
            progressHandler?(network.progress(afterReading: reader.progress))
        }
        if reader.record.size == 0 { progressHandler?(1) }
    }

    /// Writes all bytes, and returns 0 or the error number.
    private func writeAll(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(
                file,
                UnsafeRawBufferPointer(rebasing: rest).baseAddress,
                rest.count
            )
            if count < 0 {
                if errno == EINTR { continue }
                return errno
            }
            rest = rest.dropFirst(count)
        }
        return 0
    }

    private func checkClone(_ file: Int32, of reader: ResourceReader) throws(LibraryError) {
        var facts = stat()
        guard fstat(file, &facts) == 0, Int64(facts.st_size) == reader.record.size else {
            throw LibraryError(
                .invalidResource,
                "The file of “\(reader.record.originalFilename)” does not have the "
                    + "recorded size.",
                reason:
                    "\(reader.record.size) bytes were imported, but \(facts.st_size) were found.",
                recovery: "Run “photos verify --full” to check the library.",
                path: reader.record.path,
                identifiers: [resource.assetLocalIdentifier]
            )
        }
    }

    private func throwIfCancelled() throws(LibraryError) {
        guard isCancelled() else { return }
        throw LibraryError(
            .cancelled,
            "Writing “\(fileURL.path)” was canceled.",
            reason: "The program canceled the request.",
            path: fileURL.path,
            identifiers: [resource.assetLocalIdentifier]
        )
    }

    private func failure(at path: String, _ code: Int32) -> LibraryError {
        let (kind, recovery): (LibraryError.Code, String) =
            switch code {
            case EEXIST: (.alreadyExists, "Choose another name, or move the existing file.")
            case ENOSPC, EDQUOT: (.noSpace, "Free space on the volume and try again.")
            case EACCES, EPERM:
                (.noPermission, "Choose a folder that you have permission to write to.")
            case EROFS: (.readOnly, "Choose a folder on a writable volume.")
            default: (.inputOutput, "Check the volume and try again.")
            }
        return LibraryError(
            kind,
            code == EEXIST
                ? "“\(path)” already exists and was not changed."
                : "“\(path)” cannot be written.",
            reason: String(cString: strerror(code)) + ".",
            recovery: recovery,
            path: path,
            identifiers: [resource.assetLocalIdentifier]
        )
    }
}
