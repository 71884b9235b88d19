import Foundation
import ObjectStorage
import StoreClients
import StoreFixture
import Synchronization
import Testing
import TestSupport

@Suite(.timeLimit(.minutes(2))) struct DirectoryStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("photos-store") }

    private func open(
        _ calls: FileCalls = .system,
        marker: ObjectKey? = nil
    ) async throws -> DirectoryStore {
        try await .open(folder.path, marker: marker, calls: calls, timeout: limit)
    }

    /// Returns the names of unfinished uploads.
    private func remains() throws -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/.tmp")) ?? []
    }

    @Test func objectsArePlainFiles() async throws {
        try await open().write("log/1/2", [1, 2, 3])
        #expect(try Data(contentsOf: folder.file("log/1/2")) == Data([1, 2, 3]))
        #expect(try remains().isEmpty)
        let modes = try FileManager.default.attributesOfItem(atPath: folder.path + "/log/1/2")
        #expect(modes[.posixPermissions] as? Int == 0o600)
    }

    @Test func missingDirectoryIsAnAbsentStore() async throws {
        for path in ["/missing", "/file"] {
            try folder.write(Data(), to: "file")
            let error = await #expect(throws: ObjectStoreError.self) {
                _ = try await DirectoryStore.open(folder.path + path, marker: nil, timeout: limit)
            }
            #expect(error?.code == .storeAbsent)
            #expect(error?.description.contains(folder.path + path) == true)
        }
    }

    @Test func missingMarkerIsAnAbsentStore() async throws {
        let marker = try ObjectKey("config/1")
        let error = await #expect(throws: ObjectStoreError.self) {
            _ = try await open(marker: marker)
        }
        #expect(error?.code == .storeAbsent)
        try await open().write("config/1", [1])
        #expect(try await open(marker: marker).keys() == ["config/1"])
    }

    /// A file system that is not known as one of local disks may block its readers.
    @Test func filesOfOtherFileSystemsAreNotOpened() async throws {
        let store = try await DirectoryStore.open("/proc/self", marker: nil, timeout: limit)
        let file = try await store.file(of: ObjectKey("status"), limit: .max, timeout: limit)
        #expect(file == nil)
        let error = await #expect(throws: ObjectStoreError.self) {
            _ = try await store.file(of: ObjectKey("missing"), limit: .max, timeout: limit)
        }
        #expect(error?.code == .notFound)
    }

    @Test func replacedDirectoryIsNotWrittenTo() async throws {
        let store = try await open()
        try await store.write("log/1", [1])
        // Another disk is mounted at the path, or the same path exists without the disk.
        let moved = try TemporaryFolder("photos-moved")
        try FileManager.default.moveItem(atPath: folder.path, toPath: moved.path + "/disk")
        try FileManager.default.createDirectory(
            atPath: folder.path,
            withIntermediateDirectories: true
        )
        try await store.write("log/2", [2])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        #expect(try Data(contentsOf: moved.file("disk/log/2")) == Data([2]))
    }

    @Test(
        arguments: [
            (ENOSPC, .full), (EDQUOT, .full), (EIO, .inputOutput), (EROFS, .readOnly),
            (EACCES, .accessDenied), (ESTALE, .storeAbsent), (ENODEV, .storeAbsent),
        ] as [(Int32, ObjectStoreError.Code)]
    )
    func failedCallsAreTyped(_ number: Int32, _ code: ObjectStoreError.Code) async throws {
        var failing = FileCalls.system
        failing.write = { _, _ in
            errno = number
            return -1
        }
        var unsynced = FileCalls.system
        unsynced.sync = { _ in
            errno = number
            return -1
        }
        var unnamed = FileCalls.system
        unnamed.renameNew = { _, _, _, _ in
            errno = number
            return -1
        }
        _ = try await open().write("log/0", [])
        for calls in [failing, unsynced, unnamed] {
            let store = try await open(calls)
            let error = await #expect(throws: ObjectStoreError.self) {
                try await store.write("log/1", [1])
            }
            #expect(error?.code == code, "\(error?.description ?? "")")
            #expect(error?.description.contains("log/1") == true)
            #expect(try await store.keys() == ["log/0"])
            #expect(try remains().isEmpty)
        }
    }

    @Test func shortWritesAreContinued() async throws {
        var calls = FileCalls.system
        let isInterrupted = Mutex(false)
        calls.write = { file, bytes in
            let fails = isInterrupted.withLock { isInterrupted in
                isInterrupted.toggle()
                return isInterrupted
            }
            if fails {
                errno = EINTR
                return -1
            }
            return FileCalls.system.write(
                file,
                UnsafeRawBufferPointer(rebasing: bytes.prefix(1000))
            )
        }
        let store = try await open(calls)
        try await store.write("log/1", pattern(100_001))
        #expect(try await store.read("log/1") == pattern(100_001))
    }

    @Test(arguments: [EINVAL, ENOSYS]) func linksReplaceMissingRenames(_ number: Int32) async throws
    {
        var calls = FileCalls.system
        calls.renameNew = { _, _, _, _ in
            errno = number
            return -1
        }
        let store = try await open(calls)
        try await store.write("log/1", [1])
        try await store.write("log/1", [1])
        let error = await #expect(throws: ObjectStoreError.self) {
            try await store.write("log/1", [2])
        }
        #expect(error?.code == .alreadyExists)
        #expect(try await store.read("log/1") == [1])
        #expect(try remains().isEmpty)
    }

    @Test func fileSystemsWithoutBothAreRefused() async throws {
        var calls = FileCalls.system
        calls.renameNew = { _, _, _, _ in
            errno = EINVAL
            return -1
        }
        calls.link = { _, _, _, _ in
            errno = EPERM
            return -1
        }
        let store = try await open(calls)
        let error = await #expect(throws: ObjectStoreError.self) {
            try await store.write("log/1", [1])
        }
        #expect(error?.code == .unsupported)
        #expect(try await store.keys().isEmpty)
    }

    @Test func linksAreNotFollowed() async throws {
        let outside = try TemporaryFolder("photos-outside")
        try outside.write(Data([9]), to: "secret")
        try FileManager.default.createDirectory(
            atPath: folder.path + "/log",
            withIntermediateDirectories: true
        )
        for (link, target) in [("log/1", "/secret"), ("blob", ""), (".tmp", "")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/" + link,
                withDestinationPath: outside.path + target
            )
        }
        let store = try await open()
        #expect(try await store.keys().isEmpty)
        for key in ["log/1", "blob/secret"] {
            await #expect(throws: ObjectStoreError.self) { try await store.read(key) }
        }
        let error = await #expect(throws: ObjectStoreError.self) {
            try await store.write("head/1", [1])
        }
        #expect(error?.code == .damaged)
        try await store.remove("blob/secret")
        #expect(try Data(contentsOf: outside.file("secret")) == Data([9]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == ["secret"])
    }

    @Test func namesOfOthersAreSkipped() async throws {
        for name in [".DS_Store", "Thumbs.db", "log/A", "log/1~", "log/ä", ".tmp/1"] {
            try folder.write(Data(), to: name)
        }
        mkfifo(folder.path + "/log/5", 0o600)
        let store = try await open()
        try await store.write("log/1", [1])
        #expect(try await store.keys() == ["log/1"])
        let error = await #expect(throws: ObjectStoreError.self) { try await store.read("log/5") }
        #expect(error?.code == .damaged)
    }

    /// A folder has no clock but that of its file system.
    @Test func aWriteStatesTheTimeOfTheFolder() async throws {
        let receipt = try await open().put(
            ObjectKey("log/1"),
            from: ObjectSource([1]),
            mode: .create,
            timeout: limit
        )
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/log/1")
        let date = try #require(attributes[.modificationDate] as? Date)
        let seconds = date.timeIntervalSince1970.rounded(.down)
        #expect(receipt.serverDate?.timeIntervalSince1970 == seconds)
    }

    @Test func staleUploadsAreRemoved() async throws {
        try folder.write(Data([1]), to: ".tmp/old")
        try folder.write(Data([1]), to: ".tmp/new")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -90_000)],
            ofItemAtPath: folder.path + "/.tmp/old"
        )
        let store = try await open()
        let count = try await store.abortUploads(
            below: .all,
            startedBefore: Date(timeIntervalSinceNow: -86_400),
            timeout: limit
        )
        #expect(count == 1)
        #expect(try remains() == ["new"])
        for name in ["../log/1", "..", "a/b", ""] {
            let upload = UnfinishedUpload(identifier: name, key: nil, started: nil)
            await #expect(throws: ObjectStoreError.self) {
                try await store.abort(upload, timeout: limit)
            }
        }
    }

    @Test func blockedCallsAreAbandoned() async throws {
        let release = DispatchSemaphore(value: 0)
        let ended = AsyncStream<Void>.makeStream()
        var calls = FileCalls.system
        calls.write = { file, bytes in
            release.wait()
            ended.continuation.yield()
            return FileCalls.system.write(file, bytes)
        }
        let store = try await open(calls)
        let error = await #expect(throws: ObjectStoreError.self) {
            _ = try await store.put(
                ObjectKey("log/1"),
                from: ObjectSource([1]),
                mode: .create,
                timeout: .milliseconds(100)
            )
        }
        #expect(error?.code == .timedOut)
        #expect(error?.hasUnknownOutcome == true)
        release.signal()
        for await _ in ended.stream.prefix(1) {}
        #expect(try await open().keys().isEmpty)
    }

    @Test func filesAreWrittenFromTheirRanges() async throws {
        let file = try folder.write(Data(pattern(2_000_000)), to: "source")
        let descriptor = Glibc.open(file.path, O_RDONLY)
        let source = try ObjectSource(descriptor: descriptor, range: 10..<1_500_010)
        close(descriptor)
        let store = try await open()
        _ = try await store.put(
            ObjectKey("blob/1"),
            from: source,
            mode: .create,
            timeout: limit
        )
        #expect(try await store.read("blob/1") == Array(pattern(2_000_000)[10..<1_500_010]))
        for range in [-1..<1, 0..<2_000_001] as [Range<Int64>] {
            let file = Glibc.open(file.path, O_RDONLY)
            defer { close(file) }
            #expect(throws: ObjectStoreError.self) {
                try ObjectSource(descriptor: file, range: range)
            }
        }
        #expect(throws: ObjectStoreError.self) { try ObjectSource(descriptor: -1, range: 0..<0) }
    }
}
