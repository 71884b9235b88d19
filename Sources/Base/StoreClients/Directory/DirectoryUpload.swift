internal import Glibc
internal import ObjectStorage

/// The upload of one object to a directory store, which runs on one thread.
struct DirectoryUpload {
    let store: DirectoryStore
    let temporaryName: String
    let key: ObjectKey

    /// Writes the file under a temporary name, syncs it and renames it.
    ///
    /// The temporary file is removed after any failure.
    ///
    /// - Returns: The time of the last write by the clock of the file system, which on a share is
    ///   that of the server, in seconds since 1970.
    func run(_ source: ObjectSource, mode: PutMode, isAbandoned: () -> Bool) throws -> Int {
        let temporary = try store.created(DirectoryStore.temporary, in: store.root)
        do {
            let time = try write(source, in: temporary, isAbandoned: isAbandoned)
            let folder = try createdFolder()
            if isAbandoned() { throw CancellationError() }
            try place(in: folder, from: temporary, source, mode: mode)
            try store.sync(folder)
            return time
        } catch {
            // The first error is the one to report; a file that stays is removed as stale later.
            try? temporary.unlink(temporaryName)
            throw error
        }
    }

    private func write(
        _ source: ObjectSource,
        in temporary: OpenFile,
        isAbandoned: () -> Bool
    ) throws -> Int {
        let file = try temporary.open(temporaryName, O_WRONLY | O_CREAT | O_EXCL)
        let hasher = source.expectedMD5.map { _ in MessageHasher(.md5) }
        try source.forEachPiece(isAbandoned: isAbandoned) { piece in
            hasher?.update(piece)
            try piece.withUnsafeBytes { try write($0, to: file) }
        }
        if let hasher, let expected = source.expectedMD5, try hasher.finish() != expected.bytes {
            throw ObjectStoreError.changedChecksum(key)
        }
        try store.sync(file)
        return try file.status().st_mtim.tv_sec
    }

    private func write(
        _ bytes: UnsafeRawBufferPointer,
        to file: OpenFile
    ) throws(SystemFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = store.calls.write(file.descriptor, rest)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .last("write") }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    private func createdFolder() throws(SystemFailure) -> OpenFile {
        var folder = store.root
        for part in key.parts.dropLast() { folder = try store.created(part, in: folder) }
        return folder
    }

    private func place(
        in folder: OpenFile,
        from temporary: OpenFile,
        _ source: ObjectSource,
        mode: PutMode
    ) throws {
        let name = DirectoryStore.fileName(key)
        if mode == .replace {
            guard renameat(temporary.descriptor, temporaryName, folder.descriptor, name) == 0 else {
                throw SystemFailure.last("renameat")
            }
            return
        }
        do throws(SystemFailure) {
            try placeNew(name, in: folder, from: temporary)
        } catch {
            guard error.number == EEXIST else {
                if error.call == "linkat", [EPERM, ENOTSUP].contains(error.number) {
                    throw ObjectStoreError.noNewNames(key, in: store.place, cause: error)
                }
                throw error
            }
            guard try isEqual(name, in: folder, source) else {
                throw ObjectStoreError.alreadyExists(key, in: store.place)
            }
            try temporary.unlink(temporaryName)
        }
    }

    private func placeNew(
        _ name: String,
        in folder: OpenFile,
        from temporary: OpenFile
    ) throws(SystemFailure) {
        let calls = store.calls
        let (from, to) = (temporary.descriptor, folder.descriptor)
        if calls.renameNew(from, temporaryName, to, name) == 0 { return }
        // NFS and some FUSE file systems know no flags of renameat2.
        guard errno == EINVAL || errno == ENOSYS else { throw .last("renameat2") }
        guard calls.link(from, temporaryName, to, name) == 0 else { throw .last("linkat") }
        try temporary.unlink(temporaryName)
    }

    /// Returns whether an existing object already has the bytes to be written; if so, syncs it.
    private func isEqual(
        _ name: String,
        in folder: OpenFile,
        _ source: ObjectSource
    ) throws -> Bool {
        let (file, status) = try folder.regularFile(name)
        guard Int64(status.st_size) == source.size else { return false }
        var position: Int64 = 0
        var isEqual = true
        try source.forEachPiece(isAbandoned: { false }) { piece in
            guard isEqual else { return }
            isEqual = try file.read(at: position, count: piece.count) == piece
            position += Int64(piece.count)
        }
        // The first PUT may have ended before its folder was synced.
        if isEqual { try store.sync(file) }
        return isEqual
    }
}

extension ObjectStoreError {
    static func noNewNames(
        _ key: ObjectKey,
        in place: String,
        cause: SystemFailure
    ) -> ObjectStoreError {
        ObjectStoreError(
            .unsupported,
            "The file system of \(place) cannot write \(key) without the risk of replacing a file.",
            reason: cause.reason,
            recovery: "Use a file system with renameat2 or hard links.",
            cause: cause
        )
    }
}
