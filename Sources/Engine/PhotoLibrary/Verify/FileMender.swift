internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// Replaces missing and damaged files of a library with copies from another library.
///
///     staged, SHA-256 right, synced ──▶ damaged file kept in leftovers/ ──rename──▶ in place
///
/// 1. A file is only replaced by a file with the SHA-256 and size that the row states.
/// 2. The damaged file is kept in `leftovers/`. If the file system has no hard links, a crash may
///    leave the row without a file, which the next repair restores.
/// 3. The file is placed under the writer lock, and only if its row still exists.
struct FileMender {
    let store: LibraryStore
    let donor: DonorLibrary

    private static let kinds: Set<String> = [
        "missingFile", "wrongSize", "wrongBytes", "unreadableFile",
    ]

    /// Tries to repair the file that a finding is about, and returns the finding with the result.
    ///
    /// - Throws: SQLite's error, and the failure to write to the library.
    func mend(_ record: ResourceRecord, _ finding: Finding) throws -> Finding {
        var finding = finding
        guard Self.kinds.contains(finding.kind), store.readOnlyReason == nil,
            let digest = Hexadecimal.bytes(record.sha256)
        else { return finding }
        let session: StagingSession
        do throws(SystemError) {
            session = try StagingSession(staging: store.bundle.staging, files: FileOperations())
        } catch {
            throw error.libraryError("The library cannot be repaired.")
        }
        defer { session.end() }
        guard let staged = try staged(record, digest, session) else {
            finding.advice =
                "\(donor.bundle.root) does not have the file. Its SHA-256 is"
                + " \(record.sha256)."
            return finding
        }
        guard let kept = try store.withoutWriters({ try place(staged, record) }) else {
            return finding
        }
        finding.isRepaired = true
        finding.advice = "It was restored from \(donor.bundle.root)."
        if !kept.isEmpty { finding.advice += " The damaged file was moved to \(kept)." }
        return finding
    }

    /// Stages a copy of the first donor file that has the required content; returns nil if there is
    /// no such file.
    private func staged(
        _ record: ResourceRecord,
        _ digest: Data,
        _ session: StagingSession
    ) throws -> StagedFile? {
        let files = session.files
        // A backup also has the files that are kept for an undo, at the same paths.
        let same = donor.bundle.absolutePath(of: record.path)
        for path in try donor.paths(with: digest) + [same] {
            guard let source = try? files.open(path, O_RDONLY | O_NONBLOCK),
                let status = try? files.status(of: source.number), status.isRegularFile,
                status.size == record.size
            else { continue }
            do {
                let (draft, copy) = try session.createFile()
                let found = try FileCopier(files: files).copy(
                    from: source.number,
                    to: copy.number,
                    size: status.size,
                    sharesVolume: (try? files.status(of: copy.number))?.device == status.device
                )
                let staged = StagedFile(
                    path: draft,
                    descriptor: copy,
                    size: status.size,
                    digest: found,
                    files: files
                )
                guard found.bytes == [UInt8](digest) else {
                    staged.discard()
                    continue
                }
                try staged.sync()
                return staged
            } catch FileCopier.Failure.read, FileCopier.Failure.sizeChanged {
                continue
            } catch FileCopier.Failure.write(let error) {
                throw error.libraryError("The library cannot be repaired.")
            } catch let error as SystemError {
                throw error.libraryError("The library cannot be repaired.")
            }
        }
        return nil
    }

    /// Moves a staged file to the resource's path in the library; a damaged file that it replaces
    /// is kept in `leftovers/`.
    ///
    /// Requires the writer lock.
    ///
    /// - Returns: The new path of the damaged file, empty if there was none; nil if the row no
    ///   longer exists.
    private func place(_ staged: StagedFile, _ record: ResourceRecord) throws -> String? {
        guard try store.read({ try StagingRecovery.hasRow(record.path, in: $0) }) else {
            return nil
        }
        // Not the file of another library of which this is a plan.
        let target = store.bundle.root + "/" + record.path
        let files = FileOperations()
        do throws(SystemError) {
            let folder = (target as NSString).deletingLastPathComponent
            let modes = BundleModes(root: store.bundle.root)
            _ = try files.createFolder(folder, inBundle: store.bundle.root, mode: modes.folder)
            let kept = try keep(target, record.path, files)
            try files.rename(staged.path, to: target)
            try files.syncFolder(folder)
            return kept
        } catch {
            throw error.libraryError("The file \(target) cannot be repaired.")
        }
    }

    /// Links or moves a damaged file into `leftovers/`, and returns its path there.
    ///
    /// The path is empty if there is no file.
    private func keep(
        _ target: String,
        _ path: String,
        _ files: FileOperations
    ) throws(SystemError) -> String {
        var status = stat()
        guard lstat(target, &status) == 0 else { return "" }
        let base = store.bundle.leftovers + "/" + path
        let folder = (base as NSString).deletingLastPathComponent
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for number in 1...1_000 {
            let place = number == 1 ? base : "\(base).\(number)"
            if link(target, place) == 0 { return place }
            guard errno != EEXIST else { continue }
            try files.rename(target, to: place)
            return place
        }
        throw SystemError(call: "link", number: EEXIST, path: base)
    }
}
