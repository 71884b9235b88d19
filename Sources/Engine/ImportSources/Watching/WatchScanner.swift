internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// Finds the files below a watch folder.
///
/// Links are not followed, and neither hidden folders nor libraries are entered. A folder is
/// watched before it is read, so no file is missed in between.
struct WatchScanner {
    /// The maximum depth of folders; each level keeps a descriptor open.
    private static let maximumDepth = 256
    private static let temporarySuffixes = [".part", ".tmp", ".crdownload"]

    /// Called for each folder that the scan enters; returns whether to continue the scan.
    var enter: (Descriptor, _ path: [UInt8]) -> Bool
    /// Called for each file that may be imported.
    var find: (SourceFile) -> Void
    /// Called with each failure to read a folder or an entry, whose files then remain unknown.
    ///
    /// What disappeared during the scan is no failure.
    var fail: (SystemError) -> Void

    /// Scans a folder and all folders below it.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - isRoot: Whether it is a watch folder, whose name may be that of a hidden folder.
    func scan(_ path: [UInt8], isRoot: Bool) {
        let name = path.lastComponent
        if !isRoot, Self.isSkipped(name) { return }
        let number = path.withCString { open($0, Self.folderFlags) }
        guard number >= 0 else { return report("open", path) }
        let folder = Descriptor(owning: number)
        guard SourceBundle.reason(against: name, folder: folder) == nil else { return }
        _ = visit(folder, path, depth: 0)
    }

    private static let folderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    /// Visits an open folder.
    ///
    /// - Returns: False if the scan was stopped.
    private func visit(_ folder: Descriptor, _ path: [UInt8], depth: Int) -> Bool {
        guard depth < Self.maximumDepth else { return true }
        guard enter(folder, path) else { return false }
        var names: [[UInt8]] = []
        if let failure = folder.readNames(into: &names) { report("readdir", path, failure) }
        for name in names where !Self.isSkipped(name) {
            let entry = path + [UInt8(ascii: "/")] + name
            var status = stat()
            let isThere = name.withCString {
                fstatat(folder.number, $0, &status, AT_SYMLINK_NOFOLLOW) == 0
            }
            guard isThere else {
                report("fstatat", entry)
                continue
            }
            switch status.st_mode & S_IFMT {
            case S_IFREG:
                if !Self.isTemporary(name) { find(SourceFile(path: entry, status: status)) }
            case S_IFDIR:
                let number = name.withCString { openat(folder.number, $0, Self.folderFlags) }
                guard number >= 0 else {
                    report("openat", entry)
                    continue
                }
                let child = Descriptor(owning: number)
                guard SourceBundle.reason(against: name, folder: child) == nil else { continue }
                if !visit(child, entry, depth: depth + 1) { return false }
            default: break
            }
        }
        return true
    }

    private func report(_ call: String, _ path: [UInt8], _ number: Int32 = errno) {
        guard ![ENOENT, ENOTDIR, ELOOP].contains(number) else { return }
        fail(SystemError(call: call, number: number, path: path.text))
    }

    /// Returns whether a name denotes a hidden file or folder.
    ///
    /// Programs use hidden names for files that are being transferred.
    static func isSkipped(_ name: [UInt8]) -> Bool { name.first == UInt8(ascii: ".") }

    /// Returns whether a name denotes a file that is still being written.
    static func isTemporary(_ name: [UInt8]) -> Bool {
        let text = String(decoding: name.lowercasedASCII, as: UTF8.self)
        return temporarySuffixes.contains { text.hasSuffix($0) }
    }
}
