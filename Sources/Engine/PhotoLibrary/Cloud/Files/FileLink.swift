internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// Creates a second path to a library file, for a resource with the same content.
///
/// It is a hard link where the volume has them, else a copy. Files of a library never change, so
/// one file may have several paths.
struct FileLink {
    let bundle: LibraryBundle
    let files: FileOperations

    /// Durably creates a second path to a file; both paths are relative to the library's folder.
    func make(_ path: String, to name: String) throws(SystemError) {
        let source = bundle.absolutePath(of: path)
        let target = bundle.absolutePath(of: name)
        let folder = (target as NSString).deletingLastPathComponent
        let modes = BundleModes(root: bundle.root)
        _ = try files.createFolder(folder, inBundle: bundle.root, mode: modes.folder)
        // What a commit that failed left there.
        try files.remove(target)
        if Glibc.link(source, target) != 0 {
            guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else {
                throw .last("link", path: target)
            }
            try copy(source, to: target, modes)
        }
        let parent = (folder as NSString).deletingLastPathComponent
        try files.syncFolders([folder, parent])
    }

    private func copy(_ source: String, to target: String, _ modes: BundleModes)
        throws(SystemError)
    {
        let input = try files.open(source, O_RDONLY)
        let flags = O_WRONLY | O_CREAT | O_EXCL
        let output = try files.open(target, flags, mode: modes.original)
        modes.giveAway(output.number)
        do throws(FileCopier.Failure) {
            _ = try FileCopier(files: files)
                .copyToEnd(from: input.number, to: output.number, limit: .max)
        } catch {
            switch error {
            case .read(let error), .write(let error): throw error
            case .sizeChanged: throw SystemError(call: "write", number: EFBIG, path: target)
            case .hashing: throw SystemError(call: "hash", number: ENOMEM, path: source)
            }
        }
        try files.syncFile(output, path: target)
    }
}
