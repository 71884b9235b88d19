internal import CLinuxShim
internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// The destination folder of a library export, in which every file appears complete or not at all.
///
///     .photos-export/parts/n ──SHA-256 right, synced──rename──▶ Photos/2024/2024-05/IMG_1.HEIC
///
/// 1. A folder with other files is refused. The file `.photos-export/library` marks the folder of
///    an export; it contains the UUID of the library.
/// 2. Only one process at a time writes to the folder; it holds a flock on the mark.
/// 3. A file with the right size and SHA-256 is not written again. Only paths of exported files are
///    replaced, and nothing is removed except symbolic links in albums.
/// 4. The file `.photos-export/names` records which asset each path belongs to; see
///    ``ExportNameLog`` and ``ExportedNames``.
/// 5. The content of a file is durable before it gets its name; the name is durable after the next
///    call of ``sync()``. The same applies to the names of unchanged files, which a killed export
///    may have placed.
final class ExportTree {
    /// The result of writing a file.
    enum Outcome {
        case written
        case unchanged
    }

    /// The name of the hidden folder for unfinished files and for the file that marks an export.
    static let ownFolder = ".photos-export"

    let root: String
    private let service: any LibraryService
    private let folderSync: FolderSync
    // Holds the flock while the object exists.
    private let mark: Descriptor
    private var number = 0
    /// The folders that this export has used, as paths below the export's folder.
    private var folders: Set<String> = []
    /// The folders with names that may not be durable, as paths below the export's folder.
    private var unsynced: Set<String> = []

    /// Opens the folder of an export, and creates it durably if it does not exist.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - uuid: The UUID of the library.
    ///   - service: The library.
    ///   - folderSync: The operation that makes names durable.
    /// - Throws: For a folder inside a library, one with other files, and one of another library.
    init(
        path: String,
        library uuid: String,
        service: any LibraryService,
        folderSync: FolderSync
    ) throws(LibraryError) {
        let parents = Self.parents(of: path)
        root = try ExportFolder(path: path).path
        self.service = service
        self.folderSync = folderSync
        let own = root + "/" + Self.ownFolder
        if access(own, F_OK) != 0, !Self.isEmpty(root) {
            throw LibraryError(
                .invalidRequest,
                "The library cannot be exported to \(path).",
                reason: "The folder contains other files.",
                recovery: "Name an empty or new folder, or one of an earlier export.",
                path: path
            )
        }
        _ = try ExportFolder(path: own + "/parts")
        let file = open(own + "/library", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard file >= 0 else { throw Self.refusal(own, FileAccessError()) }
        mark = Descriptor(owning: file)
        guard flock(mark.number, LOCK_EX | LOCK_NB) == 0 else {
            throw LibraryError(
                .busy,
                "Another process is exporting to \(path).",
                recovery: "Wait until it finishes, and try again.",
                path: path
            )
        }
        try Self.check(mark, uuid: uuid, path: path)
        for parent in parents { try folderSync.sync(parent) }
        removeParts()
    }

    /// Returns the parent folder of a path and, if the parent does not exist, those of the missing
    /// folders.
    private static func parents(of path: String) -> [String] {
        var parents: [String] = []
        var folder = path
        repeat {
            folder = (folder as NSString).deletingLastPathComponent
            parents.append(folder.isEmpty ? "." : folder)
        } while !folder.isEmpty && access(folder, F_OK) != 0
        return parents
    }

    private static func isEmpty(_ path: String) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty ?? false
    }

    /// Checks that the file that marks the export contains the library's UUID.
    ///
    /// An empty file is a new one, to which the UUID is written.
    private static func check(_ mark: Descriptor, uuid: String, path: String)
        throws(LibraryError)
    {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = max(0, pread(mark.number, &bytes, bytes.count, 0))
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
            .trimmingCharacters(in: .newlines)
        guard !text.isEmpty else {
            var line = uuid + "\n"
            let isWritten = line.withUTF8 {
                pwrite(mark.number, $0.baseAddress, $0.count, 0) == $0.count
            }
            guard isWritten else { throw refusal(path, FileAccessError()) }
            return
        }
        guard text != uuid else { return }
        throw LibraryError(
            .invalidRequest,
            "The library cannot be exported to \(path).",
            reason: "The folder contains the export of another library.",
            recovery: "Choose another folder.",
            path: path
        )
    }

    /// Returns the error for a file of the export that cannot be written.
    static func refusal(_ path: String, _ error: FileAccessError) -> LibraryError {
        error.libraryError("\(path) cannot be written.", path: SourcePath(path))
    }

    private func removeParts() {
        let parts = root + "/" + Self.ownFolder + "/parts"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parts)) ?? []
        for name in names { unlink(parts + "/" + name) }
    }

    // MARK: - Files

    /// Writes a file of an asset, and sets its times to the capture time.
    ///
    /// - Throws: `missingResource`, `identifierNotFound`, `networkAccessRequired` and
    ///   `invalidResource` if the library does not have the file whole, or it cannot be read;
    ///   otherwise errors of the folder.
    func write(_ resource: ResourceRecord, at path: String, time: Date?) throws(LibraryError)
        -> Outcome
    {
        if isPresent(resource, at: path) {
            use((path as NSString).deletingLastPathComponent)
            return .unchanged
        }
        let source = try openSource(of: resource)
        let (part, target) = try makePart()
        defer { unlink(part) }
        try copy(source, to: target, path: part)
        guard try digest(of: target) == resource.sha256 else {
            throw LibraryError(
                .invalidResource,
                "The file \(resource.originalFilename) differs from the imported one.",
                reason: "Its SHA-256 is not \(resource.sha256).",
                recovery: "Repair it from a backup: photos verify --full --repair --from BACKUP.",
                path: resource.path
            )
        }
        if let time { Self.setTime(time, of: target) }
        try place(part, target, at: path)
        return .written
    }

    /// Opens a file of the library; throws `invalidResource` if the file cannot be read.
    private func openSource(of resource: ResourceRecord) throws(LibraryError) -> Descriptor {
        do throws(LibraryError) {
            let request = ResourceOpenRequest(resourceUUID: resource.uuid)
            let (_, source) = try service.openResource(request)
            return source
        } catch {
            guard [.noPermission, .inputOutput].contains(error.code) else { throw error }
            var failure = error
            failure.code = .invalidResource
            throw failure
        }
    }

    /// Writes a text file.
    func write(_ text: String, at path: String) throws(LibraryError) -> Outcome {
        let bytes = Array(text.utf8)
        if Self.contents(of: root + "/" + path, limit: bytes.count + 1) == bytes {
            use((path as NSString).deletingLastPathComponent)
            return .unchanged
        }
        let (part, target) = try makePart()
        defer { unlink(part) }
        try write(bytes, to: target, path: part)
        try place(part, target, at: path)
        return .written
    }

    /// Creates an empty temporary file, which the caller writes and then passes to `place`.
    func makePart() throws(LibraryError) -> (path: String, file: Descriptor) {
        let path = "\(root)/\(Self.ownFolder)/parts/\(number)"
        number += 1
        let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let file = open(path, flags, 0o666)
        guard file >= 0 else { throw Self.refusal(path, FileAccessError()) }
        return (path, Descriptor(owning: file))
    }

    /// Appends bytes to an unfinished file.
    func write(_ bytes: [UInt8], to file: Descriptor, path: String) throws(LibraryError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(
                    file.number,
                    buffer.baseAddress?.advanced(by: written),
                    buffer.count - written
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.refusal(path, FileAccessError()) }
            written += count
        }
    }

    /// Makes the content of an unfinished file durable, and renames the file to its final path in
    /// the export; ``sync()`` makes its name durable.
    func place(_ part: String, _ file: Descriptor, at path: String) throws(LibraryError) {
        let target = root + "/" + path
        guard fdatasync(file.number) == 0 else { throw Self.refusal(target, FileAccessError()) }
        let folder = (path as NSString).deletingLastPathComponent
        try makeFolder(folder)
        guard rename(part, target) == 0 else { throw Self.refusal(target, FileAccessError()) }
        unsynced.insert(folder)
    }

    /// Creates a folder below the export's folder, with its missing parents.
    func makeFolder(_ path: String) throws(LibraryError) {
        guard !path.isEmpty, !folders.contains(path) else { return }
        _ = try ExportFolder.make(root + "/" + path)
        use(path)
    }

    // MARK: - Syncing

    /// Makes the names of all files, links and folders durable that were placed or found since the
    /// last call.
    func sync() throws(LibraryError) {
        for folder in unsynced.sorted() {
            try folderSync.sync(folder.isEmpty ? root : root + "/" + folder)
        }
        unsynced = []
    }

    /// Records that the export uses a folder.
    ///
    /// At the first use, no name in the folder and in those above it counts as durable, since a
    /// killed export may have left them. Later, only new names do not.
    private func use(_ path: String) {
        guard folders.insert(path).inserted else { return }
        var folder = path
        unsynced.insert(folder)
        while !folder.isEmpty {
            folder = (folder as NSString).deletingLastPathComponent
            unsynced.insert(folder)
        }
    }

    // MARK: - Content

    private func copy(_ source: Descriptor, to target: Descriptor, path: String)
        throws(LibraryError)
    {
        if cphotos_clone_file(target.number, source.number) == 0 { return }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var offset = 0
        while true {
            let count = pread(source.number, &buffer, buffer.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                let failure = FileAccessError()
                throw LibraryError(
                    .invalidResource,
                    "A file of the library cannot be read.",
                    reason: "The system reported: \(failure.words).",
                    path: path
                )
            }
            if count == 0 { return }
            let bytes = count == buffer.count ? buffer : Array(buffer[..<count])
            try write(bytes, to: target, path: path)
            offset += count
        }
    }

    private func digest(of file: Descriptor) throws(LibraryError) -> String? {
        try service.fileDigests(of: [file]).digests.first
    }

    /// Returns whether a file of an asset is in the export at a path, unchanged.
    func isPresent(_ resource: ResourceRecord, at path: String) -> Bool {
        isPresent(at: path, size: resource.size, sha256: resource.sha256)
    }

    /// Returns whether a file, folder or link exists in the export.
    func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(root + "/" + path, &status) == 0
    }

    /// Returns whether a file in the export is the sidecar that an export wrote for an asset.
    func isSidecar(at path: String, of uuid: String) -> Bool {
        var status = stat()
        guard lstat(root + "/" + path, &status) == 0, (1...Self.sidecarLimit) ~= status.st_size,
            let bytes = Self.contents(of: root + "/" + path, limit: Int(status.st_size))
        else { return false }
        return XMPPacket.isSidecar(String(decoding: bytes, as: UTF8.self), of: uuid)
    }

    /// The maximum number of bytes of a sidecar that are searched for its asset.
    private static let sidecarLimit: off_t = 1 << 20

    /// Returns whether a file exists in the export with the right size and SHA-256; false if it
    /// cannot be read.
    private func isPresent(at path: String, size: Int64, sha256: String) -> Bool {
        let number = open(root + "/" + path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else { return false }
        let file = Descriptor(owning: number)
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            Int64(status.st_size) == size
        else { return false }
        return (try? digest(of: file)) == sha256
    }

    /// Returns the first bytes of a file, at most `limit`; nil if it cannot be read.
    static func contents(of path: String, limit: Int) -> [UInt8]? {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else { return nil }
        defer { close(number) }
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = read(number, &bytes, limit)
        return count < 0 ? nil : Array(bytes.prefix(count))
    }

    private static func setTime(_ date: Date, of file: Descriptor) {
        let seconds = date.timeIntervalSince1970
        guard let whole = Int(exactly: seconds.rounded(.down)) else { return }
        let time = timespec(tv_sec: whole, tv_nsec: Int((seconds - Double(whole)) * 1e9))
        futimens(file.number, [time, time])
    }

    /// Copies an exported file to another path in the export.
    func copy(_ path: String, to other: String) throws(LibraryError) {
        let number = open(root + "/" + path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        var status = stat()
        guard number >= 0, fstat(number, &status) == 0 else {
            throw Self.refusal(root + "/" + path, FileAccessError())
        }
        let source = Descriptor(owning: number)
        guard let digest = try digest(of: source),
            !isPresent(at: other, size: Int64(status.st_size), sha256: digest)
        else { return use((other as NSString).deletingLastPathComponent) }
        let (part, target) = try makePart()
        defer { unlink(part) }
        try copy(source, to: target, path: part)
        futimens(target.number, [status.st_atim, status.st_mtim])
        try place(part, target, at: other)
    }

    // MARK: - Links

    /// Creates or replaces a relative symbolic link.
    ///
    /// - Parameters:
    ///   - path: The path of the link below the folder.
    ///   - target: The path of the file below the folder.
    /// - Returns: False if the file system has no symbolic links.
    /// - Throws: The folder's error.
    func link(_ path: String, to target: String) throws(LibraryError) -> Bool {
        let depth = path.split(separator: "/").count - 1
        let text = String(repeating: "../", count: depth) + target
        let place = root + "/" + path
        let folder = (path as NSString).deletingLastPathComponent
        if (try? FileManager.default.destinationOfSymbolicLink(atPath: place)) == text {
            use(folder)
            return true
        }
        try makeFolder(folder)
        let part = "\(root)/\(Self.ownFolder)/parts/\(number)"
        number += 1
        defer { unlink(part) }
        guard symlink(text, part) == 0 else {
            let failure = FileAccessError()
            if Self.withoutLinks.contains(failure.number) { return false }
            throw Self.refusal(place, failure)
        }
        guard rename(part, place) == 0 else { throw Self.refusal(place, FileAccessError()) }
        unsynced.insert(folder)
        return true
    }

    /// The errors of symlink(2) on file systems without symbolic links, such as FAT and exFAT.
    private static let withoutLinks: Set<Int32> = [EPERM, EOPNOTSUPP, ENOSYS]

    /// Returns the files below `folder` that are not part of this export because their paths are
    /// not in `written`.
    ///
    /// Symbolic links in `Albums` that do not belong to it are removed instead.
    ///
    /// - Parameters:
    ///   - folder: A folder below the export's folder.
    ///   - written: The paths that this export wrote or found unchanged.
    /// - Returns: The other files, as paths below the export's folder.
    func others(in folder: String, written: Set<String>) -> [String] {
        guard let names = FileManager.default.enumerator(atPath: root + "/" + folder) else {
            return []
        }
        var others: [String] = []
        for case let name as String in names {
            let path = folder + "/" + name
            var status = stat()
            guard lstat(root + "/" + path, &status) == 0, !written.contains(path) else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: break
            case S_IFLNK where folder == "Albums": unlink(root + "/" + path)
            default: others.append(path)
            }
        }
        return others.sorted()
    }
}
