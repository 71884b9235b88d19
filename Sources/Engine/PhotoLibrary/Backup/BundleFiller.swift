internal import CLinuxShim
internal import Foundation
internal import GRDB
internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// Copies all files that a database snapshot references into another bundle.
///
///     absent ──copy──▶ staging/backup/n.part ──hash, sync, rename──▶ originals/… or edits/…
///
/// 1. A file gets its name only once its bytes are complete, synced, and have the SHA-256 of its
///    row.
/// 2. A file that is already there stays if a complete earlier run wrote it, or else if its SHA-256
///    is right. It is replaced only by a whole one.
/// 3. Nothing is removed, and no source is written to.
struct BundleFiller {
    /// A library that provides files.
    struct Source {
        /// The library's folder.
        var root: String
        /// Indicates whether files may be hard-linked, after their content was checked.
        var links = false
    }

    /// A file that no source could provide.
    struct Loss {
        var file: NamedFile
        var kind: CopyProblem.Kind
        var reason: String
        /// Indicates whether the target has the file, although the source does not.
        var isKept = false
        /// Indicates whether the target has a file of the right size that is damaged or cannot be
        /// read.
        var hasBadCopy = false
    }

    /// The result of a pass.
    struct Outcome {
        var losses: [Loss] = []
        var wasStopped = false
    }

    private static let filesPerStep = 64
    private static let namesPerStep = 1_000
    private static let width = 2

    let target: LibraryBundle
    /// The sources, in the order of preference.
    let sources: [Source]
    let files: FileOperations
    /// Returns whether a completed earlier run wrote the file.
    ///
    /// Only the size of such a file is compared.
    let trusts: (NamedFile) throws -> Bool
    /// Indicates whether to report problems with the first source's copies of files that the target
    /// already has.
    var checksSource = false
    let isStopped: () -> Bool
    let handler: (CopyEvent) throws -> Void

    // MARK: - Measuring

    /// Returns the number and size of a snapshot's files, and the number of bytes that the target
    /// still lacks.
    func measure(_ snapshot: SnapshotDatabase) throws -> (total: CopyProgress, missing: Int64) {
        var total = CopyProgress()
        var missing: Int64 = 0
        try forEach(in: snapshot) { names in
            for name in names where !isStopped() {
                let size = name.size ?? 0
                total.totalFiles += 1
                total.totalBytes = total.totalBytes.addingSaturated(size)
                let path = target.absolutePath(of: name.path)
                guard case .success(let status) = FileSystem.status(of: path),
                    Int64(status.st_size) == size
                else {
                    missing = missing.addingSaturated(size)
                    continue
                }
            }
            return !isStopped()
        }
        return (total, missing)
    }

    /// Throws an error unless the target's volume has enough free space.
    func checkRoom(for bytes: Int64) throws(LibraryError) {
        guard let free = VolumeSpace(at: target.root)?.free else { return }
        let needed = max(0, bytes).addingSaturated(4 << 20)
        guard free < needed else { return }
        throw LibraryError(
            .noSpace,
            "The volume of \(target.root) has not enough free space.",
            reason: "\(Self.megabytes(needed)) MB are needed, and \(Self.megabytes(free)) MB are"
                + " free.",
            recovery: "Free some space on it, or choose another volume. Nothing was replaced.",
            path: target.root
        )
    }

    private static func megabytes(_ bytes: Int64) -> Int64 {
        bytes.addingSaturated(999_999) / 1_000_000
    }

    // MARK: - Copying

    /// Copies the files of a snapshot, and makes them and their names durable.
    ///
    /// - Parameters:
    ///   - snapshot: The database that names the files.
    ///   - total: The number of files and bytes, for the progress.
    ///   - summary: Counts the files.
    /// - Returns: The files that no source could provide.
    /// - Throws: Errors of the target, and of `handler`. The failure of a source is a loss.
    func fill(
        _ snapshot: SnapshotDatabase,
        total: CopyProgress,
        counting summary: inout CopySummary
    ) throws -> Outcome {
        var outcome = Outcome()
        var progress = total
        var folders: Set<String> = []
        let staging = try Staging(target: target, files: files)
        defer { staging.clear() }
        try forEach(in: snapshot) { names in
            for start in stride(from: 0, to: names.count, by: Self.filesPerStep) {
                guard !isStopped() else {
                    outcome.wasStopped = true
                    return false
                }
                let step = Array(names[start..<min(start + Self.filesPerStep, names.count)])
                for (file, result) in zip(step, try copy(step, staging)) {
                    progress.files += 1
                    progress.bytes = progress.bytes.addingSaturated(file.size ?? 0)
                    switch result {
                    case .unchanged(let isTrusted):
                        // An interrupted run may not have made the name durable.
                        if !isTrusted { folders.insert(Self.folder(of: file.path)) }
                    case .copied(let bytes):
                        summary.copiedFiles += 1
                        summary.copiedBytes += bytes
                        folders.insert(Self.folder(of: file.path))
                    case .lost(let loss):
                        outcome.losses.append(loss)
                        if loss.isKept { folders.insert(Self.folder(of: file.path)) }
                    }
                }
                try handler(.progress(progress))
            }
            return true
        }
        for folder in folders.sorted() { try sync(folder) }
        for area in [target.originals, target.edits] { try sync(area) }
        summary.files = progress.files - outcome.losses.count(where: { !$0.isKept })
        summary.bytes = progress.bytes
        return outcome
    }

    private func sync(_ folder: String) throws(LibraryError) {
        do throws(SystemError) {
            try files.syncFolder(folder.hasPrefix("/") ? folder : target.absolutePath(of: folder))
        } catch {
            throw error.libraryError("Files cannot be written to \(target.root).")
        }
    }

    private static func folder(of path: String) -> String {
        (path as NSString).deletingLastPathComponent
    }

    private enum Result: Sendable {
        case unchanged(isTrusted: Bool)
        case copied(Int64)
        case lost(Loss)
    }

    private func copy(_ step: [NamedFile], _ staging: Staging) throws -> [Result] {
        let trusted = try step.map(trusts)
        let worker = Worker(
            target: target,
            sources: sources,
            files: files,
            staging: staging,
            checksSource: checksSource
        )
        return try Parallel.map(count: step.count, width: Self.width) {
            index throws(LibraryError) in
            try worker.copy(step[index], isTrusted: trusted[index])
        } discarding: { _ in
        }
    }

    /// Passes the files of a snapshot to `body` in the order of their paths, until it returns
    /// false.
    private func forEach(
        in snapshot: SnapshotDatabase,
        _ body: ([NamedFile]) throws -> Bool
    ) throws {
        var last = ""
        while true {
            let names = try snapshot.queue.read { database in
                try NamedFile.read(after: last, limit: Self.namesPerStep, in: database)
            }
            guard let end = names.last, try body(names) else { return }
            last = end.path
        }
    }
}

extension BundleFiller {
    /// The staging folder in the target, where copies are completed.
    private final class Staging: Sendable {
        let folder: String
        private let files: FileOperations
        private let number = Mutex(0)

        init(target: LibraryBundle, files: FileOperations) throws(LibraryError) {
            folder = target.staging + "/backup"
            self.files = files
            do throws(SystemError) {
                let modes = BundleModes(root: target.root)
                for (path, mode) in [
                    (target.staging, BundleModes.newFolder), (folder, BundleModes.newFolder),
                    (target.originals, modes.folder), (target.edits, modes.folder),
                ] {
                    guard try files.createFolder(path, mode: mode) else { continue }
                    modes.giveAway(path: path)
                }
            } catch {
                throw error.libraryError("Files cannot be written to \(target.root).")
            }
            removeFiles()
        }

        func next() -> String {
            let index = number.withLock { number in
                defer { number += 1 }
                return number
            }
            return "\(folder)/\(index).part"
        }

        /// Removes the partial copies in the folder, including those that an interrupted run left,
        /// and the folder itself.
        func clear() {
            removeFiles()
            rmdir(folder)
        }

        private func removeFiles() {
            guard case .success(let names) = FileSystem.entries(of: folder) else { return }
            for name in names where name.hasSuffix(".part") { unlink(folder + "/" + name) }
        }
    }

    /// Copies single files, on several threads.
    private struct Worker: Sendable {
        let target: LibraryBundle
        let sources: [Source]
        let files: FileOperations
        let staging: Staging
        let checksSource: Bool

        func copy(_ file: NamedFile, isTrusted: Bool) throws(LibraryError) -> Result {
            let place = target.absolutePath(of: file.path)
            if isPresent(file, at: place, isTrusted: isTrusted) {
                if let loss = lossOfKept(file) { return .lost(loss) }
                return .unchanged(isTrusted: isTrusted)
            }
            var loss: Loss?
            for source in sources {
                let found = try copy(file, from: source, to: place)
                switch found {
                case .lost(let new):
                    // A damaged file says more than one that is not there.
                    if loss == nil || loss?.kind == .missing { loss = new }
                default: return found
                }
            }
            var last = loss ?? Loss(file: file, kind: .missing, reason: "is missing")
            let copy = StoredFile(path: place, size: file.size ?? 0, files: files)
            if case .present = copy.inspect() { last.hasBadCopy = true }
            return .lost(last)
        }

        private func isPresent(_ file: NamedFile, at place: String, isTrusted: Bool) -> Bool {
            guard let size = file.size, let digest = file.digest else { return false }
            let stored = StoredFile(path: place, size: size, files: files)
            switch isTrusted ? stored.inspect() : stored.verify(digest) {
            case .present: return isTrusted
            case .verified: return true
            case .missing, .damaged, .unreadable: return false
            }
        }

        /// Returns the problem with the first source's copy of a file that the target already has;
        /// nil if no problem is found.
        ///
        /// Only the presence and the size of the copy are checked, and only if `checksSource` is
        /// true.
        private func lossOfKept(_ file: NamedFile) -> Loss? {
            guard checksSource, let source = sources.first, let size = file.size else {
                return nil
            }
            let stored = StoredFile(path: source.root + "/" + file.path, size: size, files: files)
            var loss = Loss(file: file, kind: .missing, reason: "is missing", isKept: true)
            switch stored.inspect() {
            case .present, .verified: return nil
            case .missing: break
            case .damaged:
                loss.kind = .damaged
                loss.reason = "is a link, or has another size than the imported file"
            case .unreadable(let words):
                loss.kind = .unreadable
                loss.reason = "cannot be read: \(words)"
            }
            return loss
        }

        private func copy(
            _ file: NamedFile,
            from source: Source,
            to place: String
        ) throws(LibraryError) -> Result {
            let path = source.root + "/" + file.path
            let original: Descriptor
            let status: FileStatus
            do throws(SystemError) {
                original = try files.open(path, O_RDONLY | O_NONBLOCK)
                status = try files.status(of: original.number)
            } catch {
                let isMissing = error.number == ENOENT || error.number == ENOTDIR
                return .lost(
                    isMissing
                        ? Loss(file: file, kind: .missing, reason: "is missing")
                        : Loss(
                            file: file,
                            kind: .unreadable,
                            reason: "cannot be read: \(error.reason)"
                        )
                )
            }
            guard status.isRegularFile else {
                return .lost(Loss(file: file, kind: .unreadable, reason: "is \(status.kind)"))
            }
            guard file.size == nil || status.size == file.size else {
                let reason = "has \(status.size) bytes instead of \(file.size ?? 0)"
                return .lost(Loss(file: file, kind: .damaged, reason: reason))
            }
            let draft = staging.next()
            defer { unlink(draft) }
            if source.links, let digest = file.digest,
                try link(path, status, digest, draft: draft, place: place)
            {
                return .copied(status.size)
            }
            return try write(file, original, status, draft: draft, place: place)
        }

        /// Hard-links a source's file into the target if its SHA-256 is right; returns false if the
        /// file must be copied instead.
        private func link(
            _ path: String,
            _ status: FileStatus,
            _ digest: SHA256Digest,
            draft: String,
            place: String
        ) throws(LibraryError) -> Bool {
            let stored = StoredFile(path: path, size: status.size, files: files)
            guard case .verified = stored.verify(digest), Glibc.link(path, draft) == 0 else {
                return false
            }
            try move(draft, to: place)
            return true
        }

        private func write(
            _ file: NamedFile,
            _ original: Descriptor,
            _ status: FileStatus,
            draft: String,
            place: String
        ) throws(LibraryError) -> Result {
            let modes = BundleModes(root: target.root)
            do {
                try files.check(.createFile, path: draft)
                let copy = try files.open(draft, O_RDWR | O_CREAT | O_EXCL, mode: modes.original)
                modes.setOriginalMode(copy.number)
                let digest = try FileCopier(files: files).copy(
                    from: original.number,
                    to: copy.number,
                    size: status.size,
                    sharesVolume: (try? files.status(of: copy.number))?.device == status.device
                )
                guard file.digest == nil || digest == file.digest else {
                    let reason =
                        "differs from the imported file: its SHA-256 is \(digest.hexadecimal)"
                    return .lost(Loss(file: file, kind: .damaged, reason: reason))
                }
                setTime(status.modificationTime, of: copy)
                try files.syncFile(copy, path: draft)
                withExtendedLifetime(copy) {}
            } catch let failure as FileCopier.Failure {
                switch failure {
                case .read(let error):
                    let reason = "cannot be read: \(error.reason)"
                    return .lost(Loss(file: file, kind: .unreadable, reason: reason))
                case .sizeChanged:
                    let reason = "changed while it was being read"
                    return .lost(Loss(file: file, kind: .damaged, reason: reason))
                case .write(let error): throw refusal(error)
                case .hashing:
                    throw refusal(
                        SystemError(call: "EVP_DigestFinal_ex", number: ENOMEM, path: draft)
                    )
                }
            } catch let error as SystemError {
                throw refusal(error)
            } catch {
                throw LibraryError(error, library: target.root)
            }
            try move(draft, to: place)
            return .copied(status.size)
        }

        /// Moves a complete file from the staging folder to its final path.
        private func move(_ draft: String, to place: String) throws(LibraryError) {
            do throws(SystemError) {
                let folder = (place as NSString).deletingLastPathComponent
                let modes = BundleModes(root: target.root)
                if try files.createFolder(folder, mode: modes.folder) {
                    modes.giveAway(path: folder)
                }
                try files.rename(draft, to: place)
            } catch {
                throw refusal(error)
            }
        }

        private func refusal(_ error: SystemError) -> LibraryError {
            error.libraryError("Files cannot be written to \(target.root).")
        }

        private func setTime(_ nanoseconds: Int64, of file: Descriptor) {
            let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
            guard rest >= 0 else { return }
            let time = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
            _ = futimens(file.number, [time, time])
        }
    }
}
