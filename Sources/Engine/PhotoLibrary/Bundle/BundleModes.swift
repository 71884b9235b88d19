internal import Glibc
internal import PhotoModel

/// The permissions of a library's files, and whose they are.
///
/// 1. A new library is its owner's alone: folders 0700, databases and their like 0600.
/// 2. Originals and rendered edits are 0400, so that no program damages one by mistake.
/// 3. An older library that others can enter stays as it is until `verify --repair`. What is added to it
///    can be read by those who can enter.
/// 4. What root adds to somebody's library belongs to that person.
/// 5. A file system without modes, such as FAT, keeps its own: that is not an error.
struct BundleModes: Hashable, Sendable {
    /// Of the folders of a new library.
    static let newFolder: mode_t = 0o700
    /// Of the databases of a new library, and of what lies beside them.
    static let newFile: mode_t = 0o600
    /// Of an original in a library that is private.
    static let privateOriginal: mode_t = 0o400

    private struct Owner: Hashable, Sendable {
        var user: uid_t
        var group: gid_t
    }

    /// Of folders that are added.
    let folder: mode_t
    /// Of originals and rendered edits that are added.
    let original: mode_t
    /// To whom root gives what it adds; nil where it stays with who added it.
    private let owner: Owner?

    /// What holds for a library, by its folder.
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

    /// Gives a file that was just made, and is open, the permissions of an original.
    func setOriginalMode(_ descriptor: Int32) {
        giveAway(descriptor)
        // The umask may have taken away what readers of a shared library need.
        _ = fchmod(descriptor, original)
    }

    /// Gives a file that was just made, and is open, to the library's owner.
    func giveAway(_ descriptor: Int32) {
        if let owner { _ = fchown(descriptor, owner.user, owner.group) }
    }

    /// Gives a file or folder that was just made to the library's owner.
    func giveAway(path: String) {
        if let owner { _ = lchown(path, owner.user, owner.group) }
    }
}

extension FileOperations {
    /// Makes a folder in one of a library's own folders, and that one too where it is missing.
    ///
    /// Programs that copy or synchronize folders leave out empty ones, such as `staging`. Nothing is made
    /// where the library's volume is not mounted.
    ///
    /// - Parameters:
    ///   - path: A path of two components below `root`.
    ///   - root: The library's folder.
    ///   - mode: The permissions of the folder.
    /// - Returns: Whether it was made by this call.
    /// - Throws: What the file system says.
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
            try syncFolder(root)
            isNew = try createFolder(path, mode: mode)
        }
        if isNew { modes.giveAway(path: path) }
        return isNew
    }
}
