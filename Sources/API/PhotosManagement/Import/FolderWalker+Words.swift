internal import Glibc
internal import LibraryService

extension FolderWalker {
    static func missing(_ path: SourcePath, _ number: Int32) -> FileOutcome {
        let reason =
            switch number {
            case ENOENT, ENOTDIR: "There is no such file or folder."
            case EACCES: "This user may not look at it."
            default: "It could not be looked at: \(FileAccessError(number).words)."
            }
        return FileOutcome(path: path, kind: .failed, reason: reason)
    }

    static func unreadable(_ path: SourcePath, _ number: Int32) -> FileOutcome {
        let reason =
            switch number {
            case EACCES, EPERM: "This user may not read the folder."
            case ENOENT: "The folder vanished before it could be read."
            case ELOOP, ENOTDIR: "It was a folder and is not any more."
            default: "The folder could not be read whole: \(FileAccessError(number).words)."
            }
        return FileOutcome(path: path, kind: .failed, reason: reason)
    }

    static func notAFile(_ path: SourcePath, mode: mode_t) -> FileOutcome {
        let reason =
            switch mode & S_IFMT {
            case S_IFIFO: "It is a named pipe, not a file."
            case S_IFSOCK: "It is a socket, not a file."
            case S_IFCHR, S_IFBLK: "It is a device, not a file."
            default: "It is not a file."
            }
        return FileOutcome(path: path, kind: .unsupported, reason: reason)
    }

    /// Returns why a folder is a library that must not be entered; nil for an ordinary folder.
    static func bundleReason(_ name: [UInt8], folder: Descriptor) -> String? {
        let suffix = name.suffix(from: name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)
        switch String(decoding: Array(suffix).lowercasedASCII, as: UTF8.self) {
        case ".photolibrary": return "It is a photo library."
        case ".photoslibrary":
            return "It is a library of Apple Photos; import the folder `originals` in it."
        default:
            return faccessat(folder.number, "database/library.sqlite", F_OK, 0) == 0
                ? "It is a photo library." : nil
        }
    }
}
