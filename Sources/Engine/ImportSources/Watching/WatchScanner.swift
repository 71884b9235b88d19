internal import Foundation
internal import Glibc
internal import LibraryService

/// Finds the files below a watch folder.
///
/// Links are not followed, and neither hidden folders nor libraries are entered. A folder is
/// watched before it is read, so no file is missed in between.
struct WatchScanner {
    /// The maximum depth of folders; each level keeps a descriptor open.
    private static let maximumDepth = 256
    private static let temporarySuffixes = [".part", ".tmp", ".crdownload"]

    /// Receives each folder that is entered, and returns whether to go on.
    var enter: (Descriptor, _ path: [UInt8]) -> Bool
    /// Receives each file that may be imported.
    var find: (SourceFile) -> Void

    /// Scans a folder and those below it.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - isRoot: Whether it is a watch folder, whose name may be that of a hidden folder.
    /// - Returns: The folder's status; nil if it cannot be opened.
    @discardableResult
    func scan(_ path: [UInt8], isRoot: Bool) -> stat? {
        let name = Array(path[((path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...])
        if !isRoot, Self.isSkipped(name) { return nil }
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let number = path.withCString { open($0, flags) }
        guard number >= 0 else { return nil }
        let folder = Descriptor(owning: number)
        var status = stat()
        guard fstat(number, &status) == 0 else { return nil }
        if SourceBundle.reason(against: name, folder: folder) == nil {
            _ = visit(folder, path, depth: 0)
        }
        return status
    }

    /// Visits an open folder.
    ///
    /// - Returns: False if the scan was stopped.
    private func visit(_ folder: Descriptor, _ path: [UInt8], depth: Int) -> Bool {
        guard depth < Self.maximumDepth, enter(folder, path) else { return depth > 0 }
        for name in Self.names(in: folder) where !Self.isSkipped(name) {
            var status = stat()
            let isThere = name.withCString {
                fstatat(folder.number, $0, &status, AT_SYMLINK_NOFOLLOW) == 0
            }
            guard isThere else { continue }
            let entry = path + [UInt8(ascii: "/")] + name
            switch status.st_mode & S_IFMT {
            case S_IFREG:
                if !Self.isTemporary(name) { find(SourceFile(path: entry, status: status)) }
            case S_IFDIR:
                let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
                let number = name.withCString { openat(folder.number, $0, flags) }
                guard number >= 0 else { continue }
                let child = Descriptor(owning: number)
                guard SourceBundle.reason(against: name, folder: child) == nil else { continue }
                if !visit(child, entry, depth: depth + 1) { return false }
            default: break
            }
        }
        return true
    }

    /// Returns whether a name is that of a hidden file or folder, as programs use for files that
    /// are being transferred.
    static func isSkipped(_ name: [UInt8]) -> Bool { name.first == UInt8(ascii: ".") }

    /// Returns whether a name is that of a file that is being written.
    static func isTemporary(_ name: [UInt8]) -> Bool {
        let text = String(decoding: name.lowercasedASCII, as: UTF8.self)
        return temporarySuffixes.contains { text.hasSuffix($0) }
    }

    private static func names(in folder: Descriptor) -> [[UInt8]] {
        let copy = fcntl(folder.number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return [] }
        guard let stream = fdopendir(copy) else {
            close(copy)
            return []
        }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    let bytes = UnsafeRawPointer(pointer)
                    let count = strlen(bytes.assumingMemoryBound(to: CChar.self))
                    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
                }
            )
        }
        return names
    }
}
