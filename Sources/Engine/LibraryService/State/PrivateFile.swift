package import Foundation
internal import Glibc
package import PhotoModel

/// Operations on files that only their owner can access.
package enum PrivateFile {
    /// Opens and truncates a file for writing; creates the file if it does not exist.
    package static func create(_ path: String) throws(SystemError) -> Descriptor {
        let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw .last("open", path: path) }
        return Descriptor(owning: number)
    }

    /// Writes all of the data at the current position of a file.
    package static func append(
        _ data: Data,
        to file: Descriptor,
        path: String
    ) throws(SystemError) {
        var written = 0
        while written < data.count {
            let count = data.withUnsafeBytes { buffer in
                Glibc.write(
                    file.number,
                    buffer.baseAddress?.advanced(by: written),
                    buffer.count - written
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .last("write", path: path) }
            written += count
        }
    }

    /// Makes the directory entries of a folder durable.
    package static func sync(folder: String) throws(SystemError) {
        let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw .last("open", path: folder) }
        let descriptor = Descriptor(owning: number)
        let result = withExtendedLifetime(descriptor) { fsync(descriptor.number) }
        guard result == 0 else { throw .last("fsync", path: folder) }
    }
}
