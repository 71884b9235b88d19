import CloudKeys
import EmbeddedLibrary
import Foundation
import ObjectStorage
import PhotoModel
import RemoteLibrary
import RenditionFixture
import StoreClients
import TestSupport
import Testing

@testable import CloudHost

/// The object by which a store is recognized, each time that a process opens it.
@Suite(.timeLimit(.minutes(2))) struct MarkerTests {
    /// A store in a folder whose process is started again for each call.
    private final class RestartingStore: ObjectStore {
        let place: String
        private let marker: ObjectKey?
        private let beforePut: @Sendable () -> Void

        init(_ path: String, _ marker: ObjectKey?, beforePut: @escaping @Sendable () -> Void) {
            place = path
            self.marker = marker
            self.beforePut = beforePut
        }

        var multipart: (any MultipartUploading)? { nil }

        private func store() async throws(ObjectStoreError) -> DirectoryStore {
            try await DirectoryStore.open(place, marker: marker, timeout: .seconds(60))
        }

        func put(
            _ key: ObjectKey,
            from source: ObjectSource,
            mode: PutMode,
            timeout: Duration
        ) async throws(ObjectStoreError) -> StoreReceipt {
            beforePut()
            return try await store().put(key, from: source, mode: mode, timeout: timeout)
        }

        func get(
            _ key: ObjectKey,
            range: Range<Int64>?,
            limit: Int64,
            timeout: Duration,
            into receiver: @escaping ObjectReceiver
        ) async throws(ObjectStoreError) -> ObjectExtent {
            try await store()
                .get(key, range: range, limit: limit, timeout: timeout, into: receiver)
        }

        func page(
            of prefix: ObjectPrefix,
            after key: ObjectKey?,
            limit: Int,
            timeout: Duration
        ) async throws(ObjectStoreError) -> ObjectPage {
            try await store().page(of: prefix, after: key, limit: limit, timeout: timeout)
        }

        func delete(
            _ key: ObjectKey,
            timeout: Duration
        ) async throws(ObjectStoreError) -> StoreReceipt {
            try await store().delete(key, timeout: timeout)
        }

        func unfinishedUploads(
            below prefix: ObjectPrefix,
            timeout: Duration
        ) async throws(ObjectStoreError) -> [UnfinishedUpload] {
            try await store().unfinishedUploads(below: prefix, timeout: timeout)
        }

        func abort(
            _ upload: UnfinishedUpload,
            timeout: Duration
        ) async throws(ObjectStoreError) {
            try await store().abort(upload, timeout: timeout)
        }

        func close() async {}
    }

    /// The disk of the folder is disconnected during a session, and so the process ends.
    @Test func nothingIsWrittenBelowAnEmptyMountPoint() async throws {
        let folder = try TemporaryFolder("photos-store")
        let path = folder.file("disk").path
        let away = folder.file("away").path
        let files = FileManager.default
        try files.createDirectory(atPath: path, withIntermediateDirectories: false)
        let isLeaving = Monitor(false)
        let opener = StoreOpener { _, marker in
            RestartingStore(path, marker) {
                isLeaving.update { isLeaving in
                    guard isLeaving else { return }
                    isLeaving = false
                    rename(path, away)
                    mkdir(path, 0o700)
                }
            }
        }
        let world = try HostWorld(opener: opener)
        _ = try await world.create()
        _ = try world.world.addPhoto(1, size: PixelSize(width: 40, height: 30))
        isLeaving.update { $0 = true }
        let error = await #expect(throws: LibraryError.self) { try await world.sync() }
        #expect(error?.message.contains("is not at") == true, "\(String(describing: error))")
        #expect(!isLeaving.withLock { $0 })
        #expect(try files.subpathsOfDirectory(atPath: path) == [])
        try files.removeItem(atPath: path)
        try files.moveItem(atPath: away, toPath: path)
        try await world.sync()
        let names = try files.subpathsOfDirectory(atPath: path)
        #expect(names.contains { $0.hasPrefix("blob/") } && names.contains { $0.hasPrefix("log/") })
    }

    @Test func allConnectionsButTheFirstHaveTheMarker() async throws {
        let markers = Monitor<[ObjectKey?]>([])
        let store = MemoryStore()
        let opener = StoreOpener { _, marker in
            markers.update { $0.append(marker) }
            return store.secondClient()
        }
        let (first, second) = (try HostWorld(opener: opener), try HostWorld(opener: opener))
        let code = try await first.create()
        let reader = CloudObjectReader(store.secondClient())
        let name = try #require(try await reader.names(in: "config").first)
        let marker = try ObjectKey(LibraryConfiguration.objectName(name))
        // The probe needs a second connection.
        #expect(markers.withLock { $0 } == [nil, nil])
        markers.update { $0 = [] }
        try await second.join(with: code)
        #expect(markers.withLock { $0 } == [nil, marker, marker])
        markers.update { $0 = [] }
        for world in [first, second] { try await world.sync() }
        #expect(markers.withLock { $0 } == [marker, marker])
        // The settings of an earlier version lack it.
        let stored = StoredSettings(of: try first.engine.libraryIdentifier(), in: first.secrets)
        var settings = try #require(try stored.read())
        settings.marker = nil
        try stored.write(settings)
        for _ in 0..<2 { try await first.sync() }
        #expect(markers.withLock { $0 } == [marker, marker, nil, marker])
    }
}
