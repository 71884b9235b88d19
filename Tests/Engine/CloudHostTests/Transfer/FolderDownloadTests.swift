import CloudKeys
import CloudSync
import EmbeddedLibrary
import Foundation
import LibraryService
import ObjectStorage
import PhotoLibrary
import PhotoModel
import RemoteLibrary
import RenditionFixture
import SamplePhotos
import StoreClients
import Synchronization
import TestSupport
import Testing

@testable import CloudHost

/// Downloads from a folder on a local disk, whose objects are read from their files.
@Suite(.timeLimit(.minutes(3))) struct FolderDownloadTests {
    private struct Break: Error {}

    /// A store in a folder that counts how blobs are read.
    private final class FolderStore: ObjectStore {
        struct State {
            var openedFiles = 0
            var gets = 0
            /// The number of bytes after which pieces break off; nil for a store that opens files.
            var breakPosition: Int?
        }

        let folder: DirectoryStore
        let state = Mutex(State())

        init(_ folder: DirectoryStore) { self.folder = folder }

        var place: String { folder.place }
        var multipart: (any MultipartUploading)? { nil }

        func put(
            _ key: ObjectKey,
            from source: ObjectSource,
            mode: PutMode,
            timeout: Duration
        ) async throws(ObjectStoreError) -> StoreReceipt {
            try await folder.put(key, from: source, mode: mode, timeout: timeout)
        }

        func get(
            _ key: ObjectKey,
            range: Range<Int64>?,
            limit: Int64,
            timeout: Duration,
            into receiver: @escaping ObjectReceiver
        ) async throws(ObjectStoreError) -> ObjectExtent {
            let isBlob = key.text.hasPrefix("blob/")
            let end = state.withLock { state -> Int? in
                if isBlob { state.gets += 1 }
                return isBlob ? state.breakPosition : nil
            }
            let received = Mutex(0)
            return try await folder.get(key, range: range, limit: limit, timeout: timeout) {
                piece in
                try await receiver(piece)
                let count = received.withLock { received in
                    received += piece.count
                    return received
                }
                if let end, count > end { throw Break() }
            }
        }

        func file(
            of key: ObjectKey,
            limit: Int64,
            timeout: Duration
        ) async throws(ObjectStoreError) -> ObjectFile? {
            let hasFiles = state.withLock { state in
                state.openedFiles += state.breakPosition == nil ? 1 : 0
                return state.breakPosition == nil
            }
            return hasFiles ? try await folder.file(of: key, limit: limit, timeout: timeout) : nil
        }

        func page(
            of prefix: ObjectPrefix,
            after key: ObjectKey?,
            limit: Int,
            timeout: Duration
        ) async throws(ObjectStoreError) -> ObjectPage {
            try await folder.page(of: prefix, after: key, limit: limit, timeout: timeout)
        }

        func delete(
            _ key: ObjectKey,
            timeout: Duration
        ) async throws(ObjectStoreError) -> StoreReceipt {
            try await folder.delete(key, timeout: timeout)
        }

        func unfinishedUploads(
            below prefix: ObjectPrefix,
            timeout: Duration
        ) async throws(ObjectStoreError) -> [UnfinishedUpload] {
            try await folder.unfinishedUploads(below: prefix, timeout: timeout)
        }

        func abort(
            _ upload: UnfinishedUpload,
            timeout: Duration
        ) async throws(ObjectStoreError) {
            try await folder.abort(upload, timeout: timeout)
        }

        func close() async {}
    }

    private static let frame = BlobLayout.frameSize

    private let folder: TemporaryFolder
    private let store: FolderStore
    private let first: HostWorld
    private let second: HostWorld

    init() async throws {
        folder = try TemporaryFolder("photos-store")
        let directory = try await DirectoryStore.open(
            folder.path,
            marker: nil,
            timeout: .seconds(60)
        )
        let store = FolderStore(directory)
        self.store = store
        first = try HostWorld(client: { store })
        second = try HostWorld(client: { store })
        try await second.join(with: first.create())
    }

    /// Adds a photo with a number of random bytes after its end to the first library, which
    /// publishes it.
    private func publish(randomBytes count: Int) async throws -> (uuid: String, bytes: Data) {
        let size = PixelSize(width: 320, height: 240)
        let photo = try SampleFile.jpeg(SamplePhoto(Picture(.hills, seed: 1), size: size))
        var generator = SeededGenerator(seed: 12)
        var words = [UInt64](repeating: 0, count: count / 8)
        for index in words.indices { words[index] = generator.next() }
        let bytes = photo + words.withUnsafeBytes { Data($0) }
        let uuid = try first.world.add(bytes, named: "IMG_1.JPG")
        try await first.sync()
        store.state.withLock { $0 = FolderStore.State() }
        return (uuid, bytes)
    }

    /// The file of the only blob.
    private var blobFile: URL {
        get throws {
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            let blobs = names.filter { $0.hasPrefix("blob/") }
            // The others are the folders above it.
            return folder.file(try #require(blobs.max { $0.count < $1.count }))
        }
    }

    private func expectArrival(of uuid: String, _ bytes: Data) async throws {
        let report = try await second.sync()
        #expect(report.downloaded == 1 && report.pending.downloads == 0)
        let isWhole = try Data(contentsOf: second.path(ofFileOf: uuid)) == bytes
        #expect(isWhole)
        #expect(try second.facts() == first.facts())
        #expect(second.stagedFiles.isEmpty)
    }

    @Test(arguments: [0, 1 << 20, 12 << 20]) func filesArrive(randomBytes: Int) async throws {
        let (uuid, bytes) = try await publish(randomBytes: randomBytes)
        try await expectArrival(of: uuid, bytes)
        let state = store.state.withLock(\.self)
        #expect(state.openedFiles == 1 && state.gets == 0)
    }

    @Test func manyFilesArrive() async throws {
        let count = 40
        for number in 0..<count {
            _ = try first.world.addPhoto(number, size: PixelSize(width: 40, height: 30))
        }
        try await first.sync()
        let report = try await second.sync()
        #expect(report.downloaded == count && report.pending.downloads == 0)
        #expect(try second.facts() == first.facts())
        #expect(second.stagedFiles.isEmpty)
    }

    /// A part that arrived in pieces is continued from the file.
    @Test func aPartIsContinued() async throws {
        let (uuid, bytes) = try await publish(randomBytes: 12 << 20)
        store.state.withLock { $0.breakPosition = 5 * Self.frame + 1_000 }
        await #expect(throws: LibraryError.self) { try await second.sync() }
        let parts = second.stagedFiles
        let part = try #require(parts.first)
        let path = second.world.store.bundle.staging + "/" + part
        let isBeginning =
            try Data(contentsOf: URL(fileURLWithPath: path)) == bytes.prefix(5 * Self.frame)
        #expect(parts.count == 1 && isBeginning)
        store.state.withLock { $0 = FolderStore.State() }
        try await expectArrival(of: uuid, bytes)
        let state = store.state.withLock(\.self)
        #expect(state.openedFiles == 1 && state.gets == 0)
    }

    /// What another program does to an object.
    private static let alterations: [@Sendable (inout Data) -> Void] = [
        { $0[0] ^= 1 }, { $0[4] ^= 3 }, { $0[$0.count / 2] ^= 1 }, { $0[$0.count - 1] ^= 1 },
        { _ = $0.removeLast() }, { $0.append(0) }, { $0 = $0.prefix(3) }, { $0 = Data() },
        { $0 = $0.prefix($0.count / 2) },
    ]

    @Test(arguments: [0, 9 << 20], alterations.indices)
    func alteredObjectsAreRefused(randomBytes: Int, alteration: Int) async throws {
        let (uuid, bytes) = try await publish(randomBytes: randomBytes)
        let file = try blobFile
        let object = try Data(contentsOf: file)
        var altered = object
        Self.alterations[alteration](&altered)
        try altered.write(to: file)
        let report = try await second.sync()
        #expect(report.downloaded == 0 && report.pending.downloads == 1)
        // No byte of it remains, also not as a part.
        #expect(second.stagedFiles.isEmpty)
        try object.write(to: file)
        try await expectArrival(of: uuid, bytes)
    }

    @Test func aMissingObjectIsNotDownloaded() async throws {
        _ = try await publish(randomBytes: 0)
        try FileManager.default.removeItem(at: blobFile)
        let report = try await second.sync()
        #expect(report.downloaded == 0 && report.pending.downloads == 1)
        #expect(second.stagedFiles.isEmpty)
    }

    // MARK: - Threads that are blocked

    /// Signals when it is released.
    private final class Token: Sendable {
        private let end: DispatchSemaphore

        init(_ end: DispatchSemaphore) { self.end = end }

        deinit { end.signal() }
    }

    /// The thread of a canceled download, which its disk may block, changes nothing later.
    @Test func aCanceledDownloadIsNotContinuedByItsThread() async throws {
        let (uuid, bytes) = try await publish(randomBytes: 3 << 20)
        store.state.withLock { $0.breakPosition = 0 }
        await #expect(throws: LibraryError.self) { try await second.sync() }
        store.state.withLock { $0 = FolderStore.State() }
        let host = try second.host()
        let content = try #require(try second.engine.missingContents(ofAsset: uuid)?.first)
        let known = try await host.download(of: content)
        let target = folder.file("target")
        try Data().write(to: target)
        let number = open(target.path, O_RDWR)
        try #require(number >= 0)
        let file = Descriptor(owning: number)
        let (blocked, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let started = AsyncStream<Void>.makeStream()
        let store = store
        let task = Task {
            let token = Token(ended)
            let download = BlobDownload(
                store: store,
                readers: DownloadFolder().readers,
                blob: known.blob,
                record: known.record,
                content: content,
                progress: { verified in
                    withExtendedLifetime(token) {}
                    guard verified == Int64(BlobLayout.frameSize) else { return }
                    started.continuation.yield()
                    blocked.wait()
                }
            )
            return try await download.run(into: file)
        }
        for await _ in started.stream.prefix(1) {}
        task.cancel()
        let error = await #expect(throws: LibraryError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        blocked.signal()
        let isEnded = try await HostWorld.blocking {
            ended.wait(timeout: .now() + .seconds(60)) == .success
        }
        #expect(isEnded)
        let isBeginning = try Data(contentsOf: target) == bytes.prefix(Self.frame)
        #expect(isBeginning)
        await host.close()
    }

    @Test func aThreadReturnsItsResultOrItsError() async throws {
        let result = try await ThreadedWork.run("test") { 7 }
        #expect(result == 7)
        await #expect(throws: Break.self) {
            try await ThreadedWork<Int>.run("test") { throw Break() }
        }
    }

    @Test func nobodyWaitsForTheThreadOfACanceledTask() async throws {
        let (blocked, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let started = AsyncStream<Void>.makeStream()
        let task = Task {
            try await ThreadedWork.run("test") {
                started.continuation.yield()
                blocked.wait()
                ended.signal()
            }
        }
        for await _ in started.stream.prefix(1) {}
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        blocked.signal()
        let isEnded = try await HostWorld.blocking {
            ended.wait(timeout: .now() + .seconds(60)) == .success
        }
        #expect(isEnded)
    }
}
