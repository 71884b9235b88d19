import CLinuxShim
import CloudStoreClient
import Foundation
import ObjectStorage
import StoreFixture
import StoreProtocol
import Synchronization
import TestSupport
import Testing
import WorkerProtocol

/// What a host sees of the process besides its store.
@Suite(.timeLimit(.minutes(3))) struct ProcessStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("photos-store") }

    private func store(marker: ObjectKey? = nil) -> ProcessStore {
        ProcessStore(
            .directory(path: folder.path, marker: marker),
            program: BuiltProducts.cloud.path
        )
    }

    @Test func nothingRunsBeforeTheFirstRequest() async throws {
        let store = store()
        #expect(store.processIdentifier == nil)
        try await store.write("log/1", [1, 2, 3])
        #expect(store.processIdentifier != nil)
        #expect(try Data(contentsOf: folder.file("log/1")) == Data([1, 2, 3]))
        await store.close()
    }

    @Test func closedStoreEndsItsProcessAndStartsNoOther() async throws {
        let store = store()
        try await store.write("log/1", [1])
        let process = try #require(store.processIdentifier)
        let end = try ProcessEnd(process)
        await store.close()
        #expect(end.arrives())
        let error = await #expect(throws: ObjectStoreError.self) { try await store.read("log/1") }
        #expect(error?.code == .cancelled)
        #expect(store.processIdentifier == nil)
    }

    @Test func releasedStoreEndsItsProcess() async throws {
        var store: ProcessStore? = store()
        try await store?.write("log/1", [1])
        let process = try #require(store?.processIdentifier)
        let end = try ProcessEnd(process)
        store = nil
        #expect(end.arrives())
    }

    @Test func missingProgramIsAnErrorWithAnInstallationHint() async throws {
        for path in [folder.path + "/photos-cloud", folder.path] {
            let place = StorePlace.directory(path: folder.path, marker: nil)
            let store = ProcessStore(place, program: path)
            let error = await #expect(throws: ObjectStoreError.self) {
                try await store.write("log/1", [1])
            }
            #expect(error?.code == .programUnavailable)
            #expect(error?.hasUnknownOutcome == false)
            #expect(error?.description.contains(path) == true)
            #expect(error?.description.contains("make install") == true)
        }
    }

    @Test func otherProgramsAreRefused() async throws {
        for path in ["/bin/true", "/bin/cat"] {
            let place = StorePlace.directory(path: folder.path, marker: nil)
            let store = ProcessStore(place, program: path)
            let error = await #expect(throws: ObjectStoreError.self) {
                try await store.start(timeout: limit)
            }
            #expect(error?.code == .programUnavailable)
            #expect(error?.description.contains(path) == true)
        }
    }

    @Test func absentDirectoryIsAnAbsentStoreAndMayAppearLater() async throws {
        let path = folder.path + "/disk"
        let place = StorePlace.directory(path: path, marker: nil)
        let store = ProcessStore(place, program: BuiltProducts.cloud.path)
        let error = await #expect(throws: ObjectStoreError.self) {
            try await store.start(timeout: limit)
        }
        #expect(error?.code == .storeAbsent)
        #expect(error?.description.contains(path) == true)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try await store.write("log/1", [1])
        #expect(try await store.keys() == ["log/1"])
        await store.close()
    }

    @Test func missingMarkerIsAnAbsentStore() async throws {
        let marker = try ObjectKey("config/1")
        let first = store(marker: marker)
        let error = await #expect(throws: ObjectStoreError.self) {
            try await first.start(timeout: limit)
        }
        #expect(error?.code == .storeAbsent)
        let second = store()
        try await second.write("config/1", [1])
        #expect(try await first.keys() == ["config/1"])
        await first.close()
        await second.close()
    }

    @Test func invalidBucketIsAnErrorOfTheConfiguration() async throws {
        let credentials = S3Credentials(accessKey: "access", secretKey: "hush-hush")
        let places = [
            S3Place(endpoint: "nowhere", region: "r", bucket: "bucket", credentials: credentials),
            S3Place(
                endpoint: "http://s3.example.org",
                region: "r",
                bucket: "bucket",
                credentials: credentials
            ),
        ]
        for (place, code) in zip(places, [.invalidConfiguration, .insecure] as [ErrorCode]) {
            let store = ProcessStore(.s3(place), program: BuiltProducts.cloud.path)
            let error = await #expect(throws: ObjectStoreError.self) {
                try await store.start(timeout: limit)
            }
            #expect(error?.code == code)
            #expect("\(place)\(String(reflecting: place))".contains("hush-hush") == false)
            #expect(error?.description.contains("hush-hush") == false)
        }
    }

    private typealias ErrorCode = ObjectStoreError.Code

    @Test func processIsConfinedByTheKernel() async throws {
        let store = store()
        let report = try await store.start(timeout: limit)
        #expect(report.landlockABI > 0 && report.hasSeccomp)
        let process = try #require(store.processIdentifier)
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        #expect(status.contains("NoNewPrivs:\t1"))
        #expect(status.contains("Seccomp:\t2"))
        #expect(status.contains("CapEff:\t0000000000000000"))
        await store.close()
    }

    @Test func moreCallsThanSlotsAllSucceed() async throws {
        let store = store()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask { try await store.write("blob/\(number)", pattern(100_000 + number)) }
            }
            try await group.waitForAll()
        }
        #expect(try await store.keys().count == 40)
        #expect(try await store.read("blob/7") == pattern(100_007))
        await store.close()
    }

    @Test func writableDescriptorIsPassedAsOneForReading() async throws {
        let file = folder.file("source")
        try Data(pattern(200_000)).write(to: file)
        let descriptor = open(file.path, O_RDWR)
        defer { close(descriptor) }
        let directory = try folder.folder("objects").path
        let place = StorePlace.directory(path: directory, marker: nil)
        let store = ProcessStore(place, program: BuiltProducts.cloud.path)
        let source = try ObjectSource(descriptor: descriptor, range: 50_000..<150_000)
        _ = try await store.put(ObjectKey("blob/1"), from: source, mode: .create, timeout: limit)
        #expect(try await store.read("blob/1") == Array(pattern(200_000)[50_000..<150_000]))
        await store.close()
    }

    @Test func canceledCallLeavesTheOthersAlone() async throws {
        let store = store()
        try await store.write("blob/1", pattern(8 << 20))
        let started = AsyncStream<Void>.makeStream()
        let slow = Task {
            _ = try await store.get(
                ObjectKey("blob/1"),
                range: nil,
                limit: .max,
                timeout: limit
            ) { _ in
                started.continuation.yield()
                try await Task.sleep(for: .seconds(3600))
            }
        }
        for await _ in started.stream.prefix(1) {}
        let process = store.processIdentifier
        slow.cancel()
        let error = await #expect(throws: ObjectStoreError.self) { try await slow.value }
        #expect(error?.code == .cancelled)
        #expect(try await store.read("blob/1") == pattern(8 << 20))
        #expect(store.processIdentifier == process)
        await store.close()
    }

    @Test func largeObjectsNeedLittleMemory() async throws {
        let directory = try folder.folder("objects").path
        let place = StorePlace.directory(path: directory, marker: nil)
        let store = ProcessStore(place, program: BuiltProducts.cloud.path)
        let file = folder.file("source")
        let size = 64 << 20
        try Data(pattern(size)).write(to: file)
        let descriptor = open(file.path, O_RDONLY)
        defer { close(descriptor) }
        let source = try ObjectSource(descriptor: descriptor, range: 0..<Int64(size))
        _ = try await store.put(ObjectKey("blob/1"), from: source, mode: .create, timeout: limit)
        let received = Mutex(0)
        let extent = try await store.get(
            ObjectKey("blob/1"),
            range: nil,
            limit: .max,
            timeout: limit
        ) { piece in
            received.withLock { $0 += piece.count }
        }
        #expect(extent.delivered == Int64(size) && received.withLock(\.self) == size)
        let process = try #require(store.processIdentifier)
        let peak = try Self.peak(of: process)
        #expect(peak < 48 << 10, "\(peak) kB")
        await store.close()
    }

    /// Returns the largest resident memory of a process, in kB.
    private static func peak(of process: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        let words = line.split(whereSeparator: \.isWhitespace)
        return try #require(words.dropFirst().first.flatMap { Int($0) })
    }
}

/// The end of a process.
private final class ProcessEnd {
    private let descriptor: Int32

    init(_ process: Int32) throws {
        descriptor = cphotos_open_process(process)
        try #require(descriptor >= 0)
    }

    deinit { close(descriptor) }

    /// Waits for the end; false if it does not arrive within 30 s.
    func arrives() -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 30_000) == 1
    }
}
