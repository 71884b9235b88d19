internal import Glibc
internal import LibraryService
internal import PhotoModel

/// Checks whether other users can enter the library's folder.
///
/// A library may be shared on purpose, so this finding is a note rather than damage. A repair makes
/// the library private and its originals read-only.
struct ModeCheck {
    private static let folders = 256

    let store: LibraryStore

    /// Performs one slice of the check; the first examines the permissions of the library's folder.
    ///
    /// If repairs are enabled, each further slice makes the files of one folder read-only.
    func slice(from position: Int64, repairs: Bool) throws -> Verifier.Slice {
        let mayRepair = repairs && store.readOnlyReason == nil
        let last = 2 * Self.folders
        var slice = Verifier.Slice()
        // A client can send any position.
        guard (0...Int64(last)).contains(position) else { return slice }
        if position == 0 {
            slice.findings = bundle(mayRepair: mayRepair)
        } else {
            let index = Int(position) - 1
            let digits = String(index % Self.folders, radix: 16)
            let area = index < Self.folders ? store.bundle.originals : store.bundle.edits
            protectFiles(in: area, folder: (digits.count == 1 ? "0" : "") + digits)
        }
        slice.next = mayRepair && position < last ? position + 1 : nil
        slice.progress = mayRepair ? Double(position) / Double(last) : 1
        return slice
    }

    private func bundle(mayRepair: Bool) -> [Finding] {
        let root = store.bundle.root
        guard Self.isOpen(root) else { return [] }
        if mayRepair {
            chmod(root, BundleModes.newFolder)
            let bundle = store.bundle
            let databases = [bundle.database, bundle.renditions].flatMap {
                [$0, $0 + "-wal", $0 + "-shm"]
            }
            let others = [
                bundle.lock, bundle.changed, bundle.checked, bundle.duty, bundle.scrubbed,
                bundle.rendered, bundle.version,
            ]
            for file in databases + others {
                chmod(file, BundleModes.newFile)
            }
        }
        let isRepaired = mayRepair && !Self.isOpen(root)
        let advice =
            if isRepaired {
                "It is private now, and its originals are read-only."
            } else if mayRepair {
                "It cannot be made private: it belongs to another user, or its file system has no"
                    + " permissions. Mount such a volume with the option umask=077."
            } else {
                "If this is not intended, run photos verify --repair, which makes the library"
                    + " private and its originals read-only."
            }
        return [
            Finding(
                .note,
                kind: "openBundle",
                message: "Other users of this computer can access \(root).",
                advice: advice,
                path: root,
                isRepaired: isRepaired
            )
        ]
    }

    private static func isOpen(_ root: String) -> Bool {
        guard case .success(let status) = FileSystem.status(of: root) else { return false }
        return status.st_mode & 0o077 != 0
    }

    /// Makes the files of a folder read-only, ignoring errors.
    ///
    /// A file with several hard links keeps its mode, since the other links may belong to a backup.
    private func protectFiles(in area: String, folder name: String) {
        let mode = BundleModes(root: store.bundle.root).original
        do throws(SystemError) {
            let folder = try Folder(area, files: FileOperations()).folder(name)
            for name in try folder.names() {
                guard let status = try folder.status(of: name), status.isRegularFile,
                    status.linkCount == 1, status.permissions != mode
                else { continue }
                let file = try folder.open(name, O_RDONLY)
                fchmod(file.number, mode)
                withExtendedLifetime(file) {}
            }
        } catch {
            // A missing folder has no files; unreadable entries are findings of another check.
        }
    }
}
