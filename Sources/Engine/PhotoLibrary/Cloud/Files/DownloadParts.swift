package import CloudSync
internal import Foundation
internal import Glibc
package import LibraryService
internal import PhotoModel

/// The parts of large files that interrupted downloads have left, with which later downloads
/// continue.
///
///     created, locked ──frames written──▶ kept ──opened again, locked──▶ …
///                            │              └──old, or not needed──▶ removed
///                            ├──complete──▶ moved into a staging session ──not placed──▶ kept
///                            └──refused──▶ removed
///
/// 1. A part belongs to the holder of the flock on its file, which alone writes, moves and removes
///    it. The kernel releases the flock with the process. `removeAll()` is the only exception.
/// 2. The bytes of a part are not trusted: after a crash, its size can be durable while its bytes
///    are not. The sync host reads them again, and the SHA-256 of the whole file decides.
/// 3. A part is named after its blob, whose name is never used for another file.
/// 4. Parts are in `staging/`, on the volume of the originals, so that a complete one is moved and
///    not copied. Neither a backup nor `StagingRecovery` concerns itself with them.
/// 5. Parts can be downloaded again, so they are removed without any further condition, at the
///    latest a week after they were written. The next writer of the library does it, even if the
///    library is no longer synced.
package struct DownloadParts: Sendable {
    private static let folderName = "cloud"
    private static let suffix = ".part"
    /// The time in seconds for which a part is kept after its last change.
    private static let lifetime = 7.0 * 86_400
    private static let attempts = 3

    private let bundle: LibraryBundle
    private let files: FileOperations

    init(of bundle: LibraryBundle, files: FileOperations) {
        self.bundle = bundle
        self.files = files
    }

    private var path: String { bundle.staging + "/" + Self.folderName }

    // MARK: - Parts

    /// Opens the part of a blob's file and acquires its lock; creates an empty part if there is
    /// none.
    ///
    /// - Returns: Nil if another download has the part, or if the volume fails. The caller then
    ///   downloads the file without a part.
    package func open(_ blob: BlobName) -> DownloadPart? {
        let mode = BundleModes.newFolder
        guard (try? files.createFolder(path, inBundle: bundle.root, mode: mode)) != nil,
            let folder = try? Folder(path, files: files)
        else { return nil }
        let name = Self.name(of: blob)
        // The holder of the lock may have moved or removed the file since it was opened.
        for _ in 0..<Self.attempts {
            guard let part = DownloadPart(locking: name, in: folder, O_RDWR | O_CREAT) else {
                return nil
            }
            if part.isUsable {
                BundleModes(root: bundle.root).giveAway(part.descriptor.number)
                return part
            }
            part.discard()
        }
        return nil
    }

    /// Returns the number of bytes in the part of a blob's file; 0 if there is no part, or if
    /// another download has it.
    package func size(of blob: BlobName) -> Int64 {
        guard let folder = try? Folder(path, files: files),
            let part = DownloadPart(locking: Self.name(of: blob), in: folder, O_RDONLY)
        else { return 0 }
        defer { part.unlock() }
        return part.isUsable ? part.size : 0
    }

    /// Moves a complete file that could not be placed in the library back to the part of its blob.
    ///
    /// A later download, also of another process, reads the file again and requests nothing. If
    /// another download has the part, or if the volume fails, the file stays where it is.
    ///
    /// - Parameters:
    ///   - file: The file, which no call uses any more.
    ///   - blob: The blob from which it was downloaded.
    package func putBack(_ file: StagedDownload, of blob: BlobName) {
        // Only the holder of its lock may replace a part.
        guard let former = open(blob) else { return }
        // An empty one that was created for its lock is removed if the file does not replace it.
        defer { former.keep() }
        guard (try? files.rename(file.path, to: former.path)) != nil else { return }
        // It has the mode of an original, with which nobody could write it.
        if fchmod(file.descriptor.number, BundleModes.newFile) != 0 {
            try? files.remove(former.path)
        }
    }

    // MARK: - Removal

    /// Removes the parts that were last written more than a week ago, and those that are not
    /// needed.
    ///
    /// The parts of downloads in progress stay, in this process and in others. Parts that cannot be
    /// removed are left for the next call.
    ///
    /// - Parameter isNeeded: Returns whether the file of a blob may still be downloaded.
    package func clear(_ isNeeded: (BlobName) -> Bool = { _ in true }) {
        guard let folder = try? Folder(path, files: files), let names = try? folder.names() else {
            return
        }
        for name in names {
            guard let blob = Self.blob(named: name),
                Self.isOld(name, in: folder) || !isNeeded(blob),
                let part = DownloadPart(locking: name, in: folder, O_RDWR)
            else { continue }
            part.discard()
        }
    }

    /// Removes all parts, including those of downloads in progress, which then fail.
    package func removeAll() {
        guard let folder = try? Folder(path, files: files), let names = try? folder.names() else {
            return
        }
        for name in names where Self.blob(named: name) != nil { try? folder.remove(name) }
        rmdir(path)
    }

    /// Returns whether the modification time of a part is more than a week in the past or in the
    /// future.
    private static func isOld(_ name: String, in folder: Folder) -> Bool {
        guard let status = try? folder.status(of: name) else { return false }
        let age = Date().timeIntervalSince1970 - Double(status.modificationTime) / 1e9
        return abs(age) > lifetime
    }

    // MARK: - Names

    private static func name(of blob: BlobName) -> String {
        "\(blob.device.hexadecimal)-\(blob.id.hexadecimal)\(suffix)"
    }

    /// Returns the blob that the name of a part denotes; nil if the name is not that of a part.
    private static func blob(named name: String) -> BlobName? {
        guard name.hasSuffix(suffix) else { return nil }
        let digits = name.dropLast(suffix.count).split(
            separator: "-",
            omittingEmptySubsequences: false
        )
        guard digits.count == 2, let device = CloudID(hexadecimal: digits[0]),
            let id = CloudID(hexadecimal: digits[1])
        else { return nil }
        return BlobName(device: device, id: id)
    }
}

/// A part of a file that is being downloaded, whose lock this object holds.
///
/// Must be passed to `CloudStaging.adopt(_:)`, kept or discarded. If the process ends before, the
/// part is kept.
package final class DownloadPart: Sendable {
    /// The file, open for reading and writing.
    package let descriptor: Descriptor
    private let name: String
    private let folder: Folder

    /// Opens a part and acquires its lock; returns nil if another download holds it, or if the
    /// volume fails or has no locks.
    fileprivate init?(locking name: String, in folder: Folder, _ flags: Int32) {
        guard let file = try? folder.open(name, flags) else { return nil }
        while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EINTR else { return nil }
        }
        descriptor = file
        self.name = name
        self.folder = folder
    }

    var path: String { folder.path + "/" + name }

    /// The number of bytes in the file; 0 if the volume fails.
    package var size: Int64 { status?.size ?? 0 }

    private var status: FileStatus? { try? folder.files.status(of: descriptor.number) }

    /// Indicates whether the name still refers to this file, which is a regular file with no other
    /// name.
    var isUsable: Bool {
        guard let status, status.isRegularFile, status.linkCount == 1 else { return false }
        return hasName
    }

    private var hasName: Bool {
        guard let status, let named = try? folder.status(of: name) else { return false }
        return status.inode == named.inode && status.device == named.device
    }

    /// Removes all bytes of the file, so that the download can start from the beginning.
    ///
    /// - Returns: False if the volume fails.
    package func removeBytes() -> Bool { ftruncate(descriptor.number, 0) == 0 }

    /// Leaves the part to a later download; a part without bytes is removed.
    package func keep() {
        if size == 0 { remove() }
        unlock()
    }

    /// Removes the part.
    package func discard() {
        remove()
        unlock()
    }

    private func remove() {
        if hasName { try? folder.remove(name) }
    }

    /// Releases the lock immediately, since other objects may keep the descriptor open longer than
    /// this object.
    fileprivate func unlock() { _ = flock(descriptor.number, LOCK_UN) }
}

extension LibraryStore {
    /// The parts of large files that interrupted downloads have left.
    package var downloadParts: DownloadParts { DownloadParts(of: bundle, files: files) }
}
