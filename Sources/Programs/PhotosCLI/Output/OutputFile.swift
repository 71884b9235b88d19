import Foundation
import Glibc
import Photos
import PhotosManagement

/// Writes output files atomically.
enum OutputFile {
    /// Writes data to a path and atomically replaces an existing file.
    ///
    /// Files that are not regular, such as devices and pipes, are opened and written to directly.
    static func write(_ data: Data, to path: SourcePath) throws {
        let name = path.bytes.map(CChar.init(bitPattern:)) + [0]
        var status = stat()
        if stat(name, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            let file = open(name, O_WRONLY | O_CLOEXEC | O_NOCTTY)
            guard file >= 0 else { throw problem(path) }
            defer { close(file) }
            guard write(data, to: file) else { throw problem(path) }
            return
        }
        // The temporary file is in the same folder, so that a rename puts it in place atomically.
        let end = path.bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        let hidden = ".photos-\(getpid())-" + UUID().uuidString
        let temporary =
            (path.bytes[..<end] + Array(hidden.utf8)).map(CChar.init(bitPattern:)) + [0]
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw problem(path) }
        let isWritten = write(data, to: file)
        let error = errno
        guard close(file) == 0, isWritten, rename(temporary, name) == 0 else {
            let number = isWritten ? errno : error
            unlink(temporary)
            errno = number
            throw problem(path)
        }
    }

    private static func write(_ data: Data, to file: Int32) -> Bool {
        data.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count, let start = bytes.baseAddress {
                let count = Glibc.write(file, start + written, bytes.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
    }

    private static func problem(_ path: SourcePath) -> PHPhotosError {
        let reason = String(cString: strerror(errno))
        return PHPhotosError(
            errno == ENOSPC ? .notEnoughSpace : .internalError,
            userInfo: [
                NSLocalizedDescriptionKey: "The file \(path.description) cannot be written.",
                NSLocalizedFailureReasonErrorKey: reason + ".",
                NSLocalizedRecoverySuggestionErrorKey:
                    "Give the path of a file in a folder that you can write to.",
            ]
        )
    }
}
