internal import Glibc
internal import LibraryService

extension FolderWalker {
    static func missing(_ path: SourcePath, _ number: Int32) -> FileOutcome {
        let reason =
            switch number {
            case ENOENT, ENOTDIR: "No such file or folder."
            case EACCES: "This user has no permission to access it."
            default: "It cannot be accessed: \(FileAccessError(number).words)."
            }
        return FileOutcome(path: path, kind: .failed, reason: reason)
    }

    static func unreadable(_ path: SourcePath, _ number: Int32) -> FileOutcome {
        let reason =
            switch number {
            case EACCES, EPERM: "This user has no permission to read the folder."
            case ENOENT: "The folder disappeared before it could be read."
            case ELOOP, ENOTDIR: "It is no longer a folder."
            default: "The folder cannot be read completely: \(FileAccessError(number).words)."
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
}
