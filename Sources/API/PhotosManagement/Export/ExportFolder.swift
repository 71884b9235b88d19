internal import CLinuxShim
internal import Foundation
internal import Glibc
internal import PhotoModel

/// Places sets of files in a folder, each set completely or not at all.
///
///     staged ──rename each──▶ placed
///       │  ▲           │
///       │  └─────back──┘   (when a name is taken, which leads to the next number,
///       │                   and on any failure)
///       └──────discarded   (on any failure)
///
/// 1. An existing file in the folder is never replaced.
/// 2. A set is written to its own hidden subfolder and then renamed file by file. When one file
///    cannot be placed, the files placed before it are renamed back.
struct ExportFolder {
    /// Renames a file, and fails with EEXIST if the new name exists.
    ///
    /// It returns 0, or -1 with errno: EINVAL or ENOSYS on file systems that cannot do it.
    typealias RenameNew = @Sendable (_ source: String, _ target: String) -> Int32

    let path: String
    private let renameNew: RenameNew

    /// Opens a folder, and creates it if it does not exist.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - renameNew: The system call that renames files. Tests replace it, since it is hard to
    ///     arrange a file system without it.
    /// - Throws: When the folder is in a library, or cannot be created.
    init(
        path: String,
        renameNew: @escaping RenameNew = { cphotos_rename_new($0, $1) }
    ) throws(LibraryError) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        self.renameNew = renameNew
        try Self.checkSurroundings(self.path)
        try Self.make(self.path)
    }

    /// Checks that a folder is not inside a photo library, which may contain only the library's own
    /// files.
    private static func checkSurroundings(_ path: String) throws(LibraryError) {
        var existing = path
        while access(existing, F_OK) != 0, existing.contains("/"), existing != "/" {
            existing = (existing as NSString).deletingLastPathComponent
        }
        var surroundings = LibrarySurroundings(removesSources: false)
        let inside = SourcePath((existing.isEmpty ? "." : existing) + "/file")
        guard let reason = surroundings.reason(against: inside) else { return }
        throw LibraryError(
            .invalidRequest,
            "Files cannot be exported to \(path).",
            reason: reason,
            recovery: "Choose a folder outside the library.",
            path: path
        )
    }

    /// Creates a folder and its missing parents.
    static func make(_ path: String) throws(LibraryError) {
        if mkdir(path, 0o777) == 0 { return }
        var number = errno
        if number == ENOENT {
            let parent = (path as NSString).deletingLastPathComponent
            if !parent.isEmpty, parent != path {
                try make(parent)
                if mkdir(path, 0o777) == 0 { return }
                number = errno
            }
        }
        var status = stat()
        if number == EEXIST {
            guard stat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR else { return }
            throw LibraryError(
                .invalidRequest,
                "\(path) is a file, not a folder.",
                recovery: "Choose another path.",
                path: path
            )
        }
        throw FileAccessError(number).libraryError(
            "The folder \(path) cannot be created.",
            path: SourcePath(path)
        )
    }

    /// Creates a hidden subfolder, the stage, for writing a set of files.
    func makeStage() throws(LibraryError) -> String {
        let stage = path + "/.photos-export-" + UUID().uuidString
        guard mkdir(stage, 0o700) == 0 else {
            throw FileAccessError().libraryError(
                "Files cannot be written to \(path).",
                path: SourcePath(path)
            )
        }
        return stage
    }

    /// Removes the stage of a set of files, with any files that are left in it.
    func discard(_ stage: String) {
        try? FileManager.default.removeItem(atPath: stage)
    }

    /// Moves the staged files into the folder; if any target name is taken, appends a number to all
    /// names.
    ///
    /// The number is the lowest one with which all names are free.
    ///
    /// - Parameters:
    ///   - staged: The names of the files in the stage.
    ///   - names: The target names, in the same order.
    ///   - stage: The folder that contains the staged files.
    ///   - control: Stops the search for a free number.
    /// - Returns: The paths, in the same order.
    /// - Throws: When a file cannot be renamed or the export was stopped; then none of the files is
    ///   in the folder.
    func place(
        _ staged: [String],
        as names: ExportNames,
        from stage: String,
        control: OperationControl
    ) throws(LibraryError) -> [String] {
        let sources = staged.map { stage + "/" + $0 }
        for number in 0...Self.maximumNumber {
            guard !control.isStopped else { throw Self.stopped }
            let targets = names.names(number: number).map { path + "/" + $0 }
            if try place(sources, at: targets) { return targets }
        }
        throw LibraryError(
            .invalidRequest,
            "\(names.names(number: 0)[0]) cannot be written to \(path).",
            reason: "All numbers up to \(Self.maximumNumber) are taken for this name.",
            recovery: "Export to another folder.",
            path: path
        )
    }

    /// The highest number that is appended to file names to make them unique in the folder.
    private static let maximumNumber = 9_999

    /// The error of an export that was stopped.
    static let stopped = LibraryError(.cancelled, "The export was stopped.")

    /// Renames all files, or none if a name is taken; returns whether the files were renamed.
    private func place(_ sources: [String], at targets: [String]) throws(LibraryError) -> Bool {
        // Checking all names first is cheaper than renaming files back.
        for target in targets where Self.isTaken(target) { return false }
        for (index, target) in targets.enumerated() {
            if move(sources[index], to: target) { continue }
            let failure = FileAccessError()
            for (source, target) in zip(sources, targets).prefix(index) { rename(target, source) }
            if failure.number == EEXIST { return false }
            throw failure.libraryError(
                "\(target) cannot be written.",
                path: SourcePath(target)
            )
        }
        return true
    }

    /// Renames a file unless the new name is taken; returns false with errno if it fails.
    private func move(_ source: String, to target: String) -> Bool {
        if renameNew(source, target) == 0 { return true }
        // NFS and some FUSE file systems, such as sshfs, know no flags of renameat2. A hard link
        // never replaces a file either.
        guard errno == EINVAL || errno == ENOSYS, link(source, target) == 0 else { return false }
        if unlink(source) == 0 { return true }
        // A rename back from the target has no effect while both names exist.
        let failure = errno
        unlink(target)
        errno = failure
        return false
    }

    private static func isTaken(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}
