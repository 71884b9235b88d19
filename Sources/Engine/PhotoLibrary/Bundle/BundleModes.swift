internal import Glibc
internal import PhotoModel

/// The permissions and the ownership of a library's files.
///
/// 1. A new library is private to its owner: folders have mode 0700, databases and the files beside
///    them 0600.
/// 2. Originals and rendered edits have mode 0400, so that no program damages them by accident.
/// 3. An older library that other users can enter keeps its modes until `verify --repair`. Files
///    added to it are readable by the users who can enter it.
/// 4. Files that root adds to another user's library belong to that user. A library that root
///    restores belongs to the owner of the one that it replaces, or else of the folder that
///    contains it.
/// 5. A file system without modes, such as FAT, keeps its own modes; that is not an error.
struct BundleModes: Hashable, Sendable {
    /// The mode of a new library's folders.
    static let newFolder: mode_t = 0o700
    /// The mode of a new library's databases and of the files beside them.
    static let newFile: mode_t = 0o600
    /// The mode of an original in a private library.
    static let privateOriginal: mode_t = 0o400

    private struct Owner: Hashable, Sendable {
        var user: uid_t
        var group: gid_t
    }

    /// The mode of folders added to the library.
    let folder: mode_t
    /// The mode of originals and rendered edits added to the library.
    let original: mode_t
    /// The owner that root assigns to added files; nil if added files belong to the user who adds
    /// them.
    private let owner: Owner?

    /// Derives the modes and the owner from the library's folder.
    init(root: String) {
        var status = stat()
        guard stat(root, &status) == 0 else {
            folder = Self.newFolder
            original = Self.privateOriginal
            owner = nil
            return
        }
        let mode = status.st_mode & 0o777
        folder = mode | Self.newFolder
        let readers: mode_t =
            (mode & 0o050 == 0o050 ? 0o040 : 0) | (mode & 0o005 == 0o005 ? 0o004 : 0)
        original = Self.privateOriginal | readers
        let isForeign = geteuid() == 0 && status.st_uid != 0
        owner = isForeign ? Owner(user: status.st_uid, group: status.st_gid) : nil
    }

    /// Sets the mode of an original, and the library's owner, on a newly created open file.
    func setOriginalMode(_ descriptor: Int32) {
        giveAway(descriptor)
        // The umask may have removed bits that readers of a shared library need.
        _ = fchmod(descriptor, original)
    }

    /// Assigns a newly created open file to the library's owner.
    func giveAway(_ descriptor: Int32) {
        if let owner { _ = fchown(descriptor, owner.user, owner.group) }
    }

    /// Assigns a newly created file or folder to the library's owner.
    func giveAway(path: String) {
        if let owner { _ = lchown(path, owner.user, owner.group) }
    }

    /// Assigns the folder of a new bundle to the owner if it belongs to root.
    ///
    /// The folder may be one that an interrupted run has created. It is opened first, since others
    /// may put something else at its path meanwhile.
    func giveAway(bundle path: String) {
        guard let owner else { return }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == 0 else { return }
        _ = fchown(descriptor, owner.user, owner.group)
    }
}

extension FileOperations {
    /// Creates a folder in one of the library's own folders, which is also created if missing.
    ///
    /// Programs that copy or synchronize folders omit empty ones, such as `staging`. Nothing is
    /// created if the library's volume is not mounted.
    ///
    /// - Parameters:
    ///   - path: A path of two components below `root`.
    ///   - root: The library's folder.
    ///   - mode: The permissions of the folder.
    /// - Returns: Whether this call created the folder.
    /// - Throws: The file system's error.
    func createFolder(_ path: String, inBundle root: String, mode: mode_t) throws(SystemError)
        -> Bool
    {
        let modes = BundleModes(root: root)
        let isNew: Bool
        do throws(SystemError) {
            isNew = try createFolder(path, mode: mode)
        } catch {
            let bundle = LibraryBundle(root: root)
            guard error.number == ENOENT, access(bundle.version, F_OK) == 0,
                let slash = path.lastIndex(of: "/")
            else { throw error }
            let area = String(path[..<slash])
            if try createFolder(area, mode: modes.folder) { modes.giveAway(path: area) }
            try syncFolder(root, followsLink: true)
            isNew = try createFolder(path, mode: mode)
        }
        if isNew { modes.giveAway(path: path) }
        return isNew
    }
}
