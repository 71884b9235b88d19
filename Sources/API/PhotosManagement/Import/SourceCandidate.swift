internal import Glibc
internal import ImportSources
internal import LibraryService
internal import WorkerProtocol
internal import Foundation

/// A file that a walk found, with its file system metadata and the location from which to open it.
///
/// It is a class because a walk passes on many of them.
final class SourceCandidate: Sendable {
    enum Place: Sendable {
        /// A file name in an open folder. If the name refers to a symbolic link when the file is
        /// opened, the link is not followed.
        case entry(folder: Descriptor, name: [UInt8])
        /// A path that was given as a root; symbolic links are followed.
        case path
        /// A symbolic link, which is followed. Its target must be a file below `root`, the real
        /// path of the tree's root.
        case link(root: [UInt8])
        /// A file on a camera or phone, which is transferred when it is opened.
        case device(DeviceSource, DeviceFile, folder: Data)
    }

    let path: SourcePath
    let place: Place
    let source: SourceFile

    init(path: SourcePath, place: Place, status: stat) {
        self.path = path
        self.place = place
        self.source = SourceFile(path: path.bytes, status: status)
    }

    /// Creates a candidate for a file on a camera or phone.
    init(_ file: DeviceFile, in folder: Data, on device: DeviceSource) {
        path = device.path(of: folder, file.name)
        place = .device(device, file, folder: folder)
        source = device.source(of: file, in: folder)
    }

    /// Opens the file for reading, and reads the metadata of the opened file.
    ///
    /// Never blocks, even if the file has become a named pipe since the walk.
    func open() throws(OpeningFailure) -> (SourceFile, Descriptor) {
        if case .device(let device, let file, let folder) = place {
            return (source, try device.transfer(file, in: folder))
        }
        let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
        let number: Int32 =
            switch place {
            case .entry(let folder, let name):
                name.withCString { openat(folder.number, $0, flags | O_NOFOLLOW) }
            case .path, .link, .device:
                path.withCString { Glibc.open($0, flags) }
            }
        guard number >= 0 else { throw OpeningFailure(errno) }
        let descriptor = Descriptor(owning: number)
        var status = stat()
        guard fstat(number, &status) == 0 else { throw OpeningFailure(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw OpeningFailure(reason: "It is no longer a file.")
        }
        if case .link(let root) = place, !RealPath.isFile(number, below: root) {
            throw OpeningFailure(
                reason: "It is a link to a file outside the imported folder.",
                isUnsupported: true
            )
        }
        return (SourceFile(path: path.bytes, status: status), descriptor)
    }
}

/// The reason why a file could not be opened.
struct OpeningFailure: Error {
    let reason: String
    let isUnsupported: Bool
    /// Indicates whether the limit of open files was reached, which is not a failure of the file.
    let isTooManyOpenFiles: Bool

    /// Creates the failure for a file in a folder that disappeared.
    init(vanished folder: SourcePath) {
        self.init(
            reason: "The folder \(folder) disappeared. If it is on a device, connect the device and"
                + " import it again."
        )
    }

    init(reason: String, isUnsupported: Bool = false) {
        self.reason = reason
        self.isUnsupported = isUnsupported
        isTooManyOpenFiles = false
    }

    init(_ number: Int32) {
        isUnsupported = false
        isTooManyOpenFiles = FileAccessError(number).isTooManyOpenFiles
        reason =
            switch number {
            case ENOENT, ENOTDIR, ESTALE: "It disappeared before it could be read."
            case ELOOP: "It became a link before it could be read."
            case EACCES, EPERM: "This user has no permission to read it."
            case ENXIO: "It is no longer a file."
            default: "It cannot be opened: \(FileAccessError(number).words)."
            }
    }
}
