internal import Glibc
internal import ImportSources
internal import LibraryService

/// Removes the source of a file that was moved into a library.
///
/// 1. A source is removed only after the library declared that safe: the library's copy is durable,
///    its bytes were compared with the source, and it is not in Recently Deleted, from where it may
///    be purged.
/// 2. A source is removed only while its name still refers to the file that was read (same device,
///    inode, size and times).
/// 3. Nothing is removed on a device, such as a phone, whatever its mount permits.
enum SourceRemoval {
    /// Removes a source file.
    ///
    /// If that is not possible, the reason is added to the outcome.
    static func remove(
        _ candidate: SourceCandidate,
        _ source: SourceFile,
        _ outcome: inout FileOutcome
    ) {
        guard let problem = remove(candidate, source) else { return }
        outcome.reason = [outcome.reason, "It was not removed: \(problem)."]
            .compactMap(\.self).joined(separator: " ")
    }

    private static func remove(_ candidate: SourceCandidate, _ source: SourceFile) -> String? {
        switch candidate.place {
        case .link: return "it is a link"
        case .device: return "it is on a device, where nothing is deleted"
        case .entry(let folder, let name):
            return remove(folder: folder.number, name: name, path: candidate.path, source)
        case .path:
            return remove(
                folder: AT_FDCWD,
                name: candidate.path.bytes,
                path: candidate.path,
                source
            )
        }
    }

    private static func remove(
        folder: Int32,
        name: [UInt8],
        path: SourcePath,
        _ source: SourceFile
    ) -> String? {
        name.withCString { name in
            var status = stat()
            guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                return errno == ENOENT ? nil : FileAccessError().words
            }
            if status.st_mode & S_IFMT == S_IFLNK { return "it is a link" }
            if let device = DeviceMount(device: UInt64(status.st_dev)) {
                return "it is on a device (\(device.type)), where nothing is deleted"
            }
            let now = SourceFile(path: path.bytes, status: status)
            guard now.inode != 0 else { return "its file system does not identify files" }
            guard now.inode == source.inode, now.device == source.device else {
                return "another file now has its name"
            }
            // Removing another hard link of the file also changes this time.
            let isTouched = now.statusChangeTime != source.statusChangeTime && status.st_nlink > 1
            guard now.size == source.size, now.modificationTime == source.modificationTime,
                now.statusChangeTime == source.statusChangeTime || isTouched
            else { return "it was changed after it was read" }
            return unlinkat(folder, name, 0) == 0 ? nil : FileAccessError().words
        }
    }
}
