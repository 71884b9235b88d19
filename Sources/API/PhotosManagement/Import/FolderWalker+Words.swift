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

    /// Returns why a folder is a library that must not be entered; nil for an ordinary folder.
    static func bundleReason(_ name: [UInt8], folder: Descriptor) -> String? {
        func exists(_ name: String) -> Bool { faccessat(folder.number, name, F_OK, 0) == 0 }
        // The bundles of iPhoto have the same suffix as ours.
        if exists("Database/apdb/Library.apdb") {
            return "It is a library of iPhoto or Aperture. Import it by its own path: photos import"
                + " PATH."
        }
        let suffix = name.suffix(from: name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)
        switch String(decoding: Array(suffix).lowercasedASCII, as: UTF8.self) {
        case ".photolibrary": return "It is a photo library."
        case ".photoslibrary":
            return "It is an Apple Photos library. Import it by its own path: photos import PATH."
        default: break
        }
        if exists("database/library.sqlite") { return "It is a photo library." }
        if exists("database/Photos.sqlite") || exists("database/photos.db") {
            return "It is an Apple Photos library. Import it by its own path: photos import PATH."
        }
        // Its folders of hidden and deleted photos would otherwise become visible photos.
        let list = "library.jsonl".withCString {
            openat(folder.number, $0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        }
        if list >= 0 {
            defer { close(list) }
            if exists(".photos-export/library") || ImportSourceKind.hasHeader(list) {
                return "It is an export of a library. Import it by its own path: photos import"
                    + " PATH."
            }
        }
        return nil
    }
}
