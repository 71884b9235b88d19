internal import CLinuxShim
internal import FoundationEssentials
internal import Glibc
package import ObjectStorage

/// An object store in a directory on a disk or a mounted share.
///
///     .tmp/<random> ──written, synced──▶ rename that replaces nothing ──▶ <key> ──▶ folder synced
///
/// 1. A name without `.tmp` is a whole object that is on the disk.
/// 2. A file in `.tmp` belongs to nobody once its program ended, and is safe to delete.
/// 3. The directory is opened once. After a disk was replaced, or unmounted by force, all calls
///    fail; they never reach what is mounted at the path instead.
/// 4. No link below the directory is followed.
///
/// Calls run on threads of their own and are abandoned at their time limit, since a lost network
/// share blocks them for minutes.
package final class DirectoryStore: ObjectStore {
    package let place: String

    let root: OpenFile
    let calls: FileCalls
    let clock: StoreClock
    private let randomName: @Sendable () -> String

    /// The name of the hidden directory for unfinished uploads.
    static let temporary = ".tmp"

    /// The magic numbers of file systems of local disks: ext2 to ext4, XFS, Btrfs, F2FS, ZFS,
    /// bcachefs, FAT, exFAT, NTFS (of the kernel), HFS+, and those in memory and in layers.
    private static let localTypes: Set<UInt32> = [
        0xEF53, 0x5846_5342, 0x9123_683E, 0xF2F5_2010, 0x2FC1_2FC1, 0xCA45_1A4E, 0x4D44,
        0x2011_BAB0, 0x7366_746E, 0x482B, 0x0102_1994, 0x794C_7630,
    ]

    private init(
        root: OpenFile,
        path: String,
        calls: FileCalls,
        clock: StoreClock,
        randomName: @escaping @Sendable () -> String
    ) {
        self.root = root
        self.place = path
        self.calls = calls
        self.clock = clock
        self.randomName = randomName
    }

    /// Opens a store in an existing directory.
    ///
    /// - Parameters:
    ///   - path: The path of the directory.
    ///   - marker: An object that must exist; nil only where a cloud library is created or joined.
    ///   - calls: The system calls.
    ///   - clock: The clocks.
    ///   - randomName: A source of fresh names for unfinished uploads.
    ///   - timeout: The time limit.
    /// - Returns: The store, which holds the directory open.
    /// - Throws: ``ObjectStoreError``: `storeAbsent` if the directory or the marker is missing,
    ///   for example because a disk is not connected.
    package static func open(
        _ path: String,
        marker: ObjectKey?,
        calls: FileCalls = .system,
        clock: StoreClock = .system,
        randomName: @escaping @Sendable () -> String = { DirectoryStore.systemRandomName() },
        timeout: Duration
    ) async throws(ObjectStoreError) -> DirectoryStore {
        let root = try await Self.run("open \(path)", in: path, timeout, clock: clock) {
            _ throws in
            do throws(SystemFailure) {
                return try OpenFile.root(path)
            } catch {
                guard error.number == ENOENT || error.number == ENOTDIR else { throw error }
                throw ObjectStoreError.absent(path, reason: error.reason)
            }
        }
        let store = DirectoryStore(
            root: root,
            path: path,
            calls: calls,
            clock: clock,
            randomName: randomName
        )
        if let marker {
            try await store.run("find \(marker)", timeout) { store, _ throws in
                guard let folder = try store.folder(of: marker),
                    try folder.status(of: Self.fileName(marker)) != nil
                else {
                    throw ObjectStoreError.absent(path, reason: "The object \(marker) is missing.")
                }
            }
        }
        return store
    }

    package var multipart: (any MultipartUploading)? { nil }

    package func put(
        _ key: ObjectKey,
        from source: ObjectSource,
        mode: PutMode,
        timeout: Duration
    ) async throws(ObjectStoreError) -> StoreReceipt {
        let name = randomName()
        do {
            return try await run("write \(key)", timeout) { store, isAbandoned in
                let upload = DirectoryUpload(store: store, temporaryName: name, key: key)
                let time = try upload.run(source, mode: mode, isAbandoned: isAbandoned)
                return StoreReceipt(serverDate: Date(timeIntervalSince1970: Double(time)))
            }
        } catch {
            // An abandoned thread may still rename.
            throw error.withUnknownOutcome(error.code == .timedOut || error.code == .cancelled)
        }
    }

    package func get(
        _ key: ObjectKey,
        range: Range<Int64>?,
        limit: Int64,
        timeout: Duration,
        into receiver: @escaping ObjectReceiver
    ) async throws(ObjectStoreError) -> ObjectExtent {
        let deadline = CallDeadline(timeout, clock: clock)
        let action = "read \(key)"
        do {
            return try await deadline.run(action) { [self] in
                let (file, size) = try await BlockingCall.run { [self] _ in
                    try openObject(key)
                }
                let range = try ObjectExtent.range(range, of: key, size: size, limit: limit)
                var position = range.lowerBound
                while position < range.upperBound {
                    let start = position
                    let count = Int(
                        min(range.upperBound - start, Int64(ObjectSource.pieceSize))
                    )
                    let piece = try await BlockingCall.run { _ in
                        try file.read(at: start, count: count)
                    }
                    guard piece.count == count else {
                        throw ObjectStoreError.shortened(key, in: place)
                    }
                    position += Int64(count)
                    do {
                        try await receiver(piece)
                    } catch  where !(error is CancellationError) {
                        throw ObjectStoreError.receiverFailed(key, cause: error)
                    }
                }
                return ObjectExtent(size: size, delivered: position - range.lowerBound)
            }
        } catch {
            throw Self.storeError(error, doing: action, in: place)
        }
    }

    /// Opens an object as a file, unless the file system is not known as one of local disks.
    ///
    /// A reader of a file on a network, or of one that a program serves, can be blocked for as long
    /// as these like. Only this store's threads may be.
    package func file(
        of key: ObjectKey,
        limit: Int64,
        timeout: Duration
    ) async throws(ObjectStoreError) -> ObjectFile? {
        try await run("read \(key)", timeout) { store, _ throws -> ObjectFile? in
            let (file, size) = try store.openObject(key)
            let type = cphotos_file_system_type_of(file.descriptor)
            guard Self.localTypes.contains(UInt32(truncatingIfNeeded: type)) else { return nil }
            _ = try ObjectExtent.range(nil, of: key, size: size, limit: limit)
            return ObjectFile(file, size: size, of: key, in: store.place)
        }
    }

    package func delete(
        _ key: ObjectKey,
        timeout: Duration
    ) async throws(ObjectStoreError) -> StoreReceipt {
        do {
            return try await run("delete \(key)", timeout) { store, _ throws in
                guard let folder = try store.folder(of: key) else { return StoreReceipt() }
                try folder.unlink(Self.fileName(key))
                try store.sync(folder)
                return StoreReceipt()
            }
        } catch {
            throw error.withUnknownOutcome(error.code == .timedOut || error.code == .cancelled)
        }
    }

    package func page(
        of prefix: ObjectPrefix,
        after key: ObjectKey?,
        limit: Int,
        timeout: Duration
    ) async throws(ObjectStoreError) -> ObjectPage {
        try await run("list \(prefix)", timeout) { store, isAbandoned in
            let walk = DirectoryWalk(prefix: prefix, after: key, limit: max(1, limit))
            return try walk.page(below: store.root, isAbandoned: isAbandoned)
        }
    }

    package func unfinishedUploads(
        below prefix: ObjectPrefix,
        timeout: Duration
    ) async throws(ObjectStoreError) -> [UnfinishedUpload] {
        try await run("list unfinished uploads", timeout) { store, _ throws in
            guard let folder = try store.root.existingDirectory(Self.temporary) else { return [] }
            return try folder.names().compactMap { name in
                guard let status = try folder.status(of: name) else { return nil }
                let started = Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec))
                return UnfinishedUpload(identifier: name, key: nil, started: started)
            }
        }
    }

    package func abort(
        _ upload: UnfinishedUpload,
        timeout: Duration
    ) async throws(ObjectStoreError) {
        guard !["", ".", ".."].contains(upload.identifier), !upload.identifier.contains("/"),
            !upload.identifier.utf8.contains(0)
        else {
            throw .invalidName(upload.identifier)
        }
        try await run("remove \(upload.identifier)", timeout) { store, _ throws in
            try store.root.existingDirectory(Self.temporary)?.unlink(upload.identifier)
        }
    }

    /// Does nothing, because the directory is closed when this object is deallocated.
    package func close() async {}

    /// Returns 32 random hexadecimal digits.
    package static func systemRandomName() -> String {
        TextEncoding.hexadecimal((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }
}

// MARK: - Folders of keys

extension DirectoryStore {
    /// Returns the last part of a key, which is the name of its file.
    static func fileName(_ key: ObjectKey) -> String { key.parts.last ?? "" }

    /// Opens the directory that contains a key's file; returns nil if the directory does not exist.
    func folder(of key: ObjectKey) throws(SystemFailure) -> OpenFile? {
        var folder = root
        for part in key.parts.dropLast() {
            guard let next = try folder.existingDirectory(part) else { return nil }
            folder = next
        }
        return folder
    }

    /// Opens a subdirectory, and creates it durably if it does not exist.
    func created(_ name: String, in folder: OpenFile) throws(SystemFailure) -> OpenFile {
        if let existing = try folder.existingDirectory(name) { return existing }
        guard mkdirat(folder.descriptor, name, 0o700) == 0 || errno == EEXIST else {
            throw .last("mkdirat")
        }
        try sync(folder)
        return try folder.directory(name)
    }

    func sync(_ file: OpenFile) throws(SystemFailure) {
        guard calls.sync(file.descriptor) == 0 else { throw .last("fsync") }
    }

    /// Opens an object for reading.
    func openObject(_ key: ObjectKey) throws -> (file: OpenFile, size: Int64) {
        guard let folder = try folder(of: key) else {
            throw ObjectStoreError.notFound(key, in: place)
        }
        do throws(SystemFailure) {
            let (file, status) = try folder.regularFile(Self.fileName(key))
            return (file, Int64(status.st_size))
        } catch {
            guard error.number == ENOENT else { throw error }
            throw ObjectStoreError.notFound(key, in: place)
        }
    }
}

// MARK: - Threads and errors

extension DirectoryStore {
    private func run<Value: Sendable>(
        _ action: String,
        _ timeout: Duration,
        _ body: @escaping @Sendable (DirectoryStore, () -> Bool) throws -> Value
    ) async throws(ObjectStoreError) -> Value {
        try await Self.run(action, in: place, timeout, clock: clock) { isAbandoned in
            try body(self, isAbandoned)
        }
    }

    private static func run<Value: Sendable>(
        _ action: String,
        in place: String,
        _ timeout: Duration,
        clock: StoreClock,
        _ body: @escaping @Sendable (() -> Bool) throws -> Value
    ) async throws(ObjectStoreError) -> Value {
        do {
            return try await CallDeadline(timeout, clock: clock).run("\(action) in \(place)") {
                try await BlockingCall.run(body)
            }
        } catch {
            throw storeError(error, doing: action, in: place)
        }
    }

    private static func storeError(
        _ error: any Error,
        doing action: String,
        in place: String
    ) -> ObjectStoreError {
        switch error {
        case let error as ObjectStoreError: error
        case let failure as SystemFailure: failure.storeError(doing: action, in: place)
        default: .cancelled("\(action) in \(place)")
        }
    }
}

extension ObjectStoreError {
    static func shortened(_ key: ObjectKey, in place: String) -> ObjectStoreError {
        ObjectStoreError(
            .damaged,
            "The object \(key) in \(place) became shorter while it was read.",
            recovery: "Check which other program changes the directory."
        )
    }
}
