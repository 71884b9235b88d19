import CloudSync
import EmbeddedLibrary
import Foundation
import GRDB
import LibraryService
import ObjectStorage
import PhotoLibrary
import PhotoModel
import RemoteLibrary
import RenditionFixture
import TestSupport
import Testing

@testable import CloudHost

/// Originals that sessions remove to keep space free.
@Suite(.timeLimit(.minutes(3))) struct OptimizedStorageTests {
    /// The faults of the store, which the test chooses.
    private final class Faults: Sendable {
        struct State {
            var blob: StoreFault?
            var blobRequests = 0
            /// The bytes of blobs that were asked for.
            var blobBytes: Int64 = 0
        }

        let monitor = Monitor(State())

        func next(_ request: FakeRequest) -> StoreFault? {
            guard request.verb == .get, request.key?.text.hasPrefix("blob/") == true else {
                return nil
            }
            return monitor.update { state in
                state.blobRequests += 1
                return state.blob
            }
        }

        func set(_ fault: StoreFault?) { monitor.update { $0.blob = fault } }
    }

    private let faults = Faults()
    private let first: HostWorld
    private let second: HostWorld
    private let uuids: [String]
    private let store: MemoryStore
    private let code: String

    init() async throws {
        store = MemoryStore { [faults] in faults.next($0) }
        first = try HostWorld(store)
        second = try HostWorld(store)
        code = try await first.create()
        try await second.join(with: code)
        let world = first.world
        uuids = try (0..<3).map { number in
            try world.addPhoto(number, size: PixelSize(width: 400 + number, height: 300))
        }
        // Each learns that the other has joined and read everything.
        for _ in 0..<3 { for world in [first, second] { try await world.sync() } }
    }

    private func presences(_ world: HostWorld) throws -> [Int] {
        try world.world.store.read { database in
            try Int.fetchAll(database, sql: "SELECT presence FROM resource ORDER BY id")
        }
    }

    private func files(_ world: HostWorld) -> Int {
        (FileManager.default.enumerator(atPath: world.path + "/originals")?.allObjects ?? [])
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".jpg") || $0.hasSuffix(".JPG") }
            .count
    }

    private static let everything = OptimizedStorage(keepFree: .max / 4)

    @Test func originalsAreRemovedAndPicturesStay() async throws {
        #expect(try presences(second) == [0, 0, 0])
        let before = files(second)
        try second.engine.setOptimizedStorage(Self.everything)
        let report = try await second.sync()
        #expect(report.removed == 3 && report.downloaded == 0)
        #expect(report.pending.downloads == 0)
        #expect(report.alarms == [])
        #expect(try presences(second) == [2, 2, 2])
        #expect(files(second) == before - 3)
        let session = try second.engine.session()
        for uuid in uuids {
            let reply = try session.image(
                ImageRequest(
                    assetUUID: uuid,
                    shape: PixelShape(size: PixelSize(width: 390, height: 390)),
                    quality: .full
                )
            )
            #expect(reply?.0.isDegraded == false)
            #expect(reply?.0.isInCloud == true)
        }
        session.close()
        // Nothing is downloaded again by itself, and the other computer keeps its files.
        let again = try await second.sync()
        #expect(again.downloaded == 0 && again.removed == 0)
        #expect(try presences(first) == [0, 0, 0])
        // Without optimized storage all files return, with the same bytes.
        try second.engine.setOptimizedStorage(nil)
        let back = try await second.sync()
        #expect(back.downloaded == 3)
        #expect(try first.facts() == second.facts())
    }

    /// The size of the files of all photos that are here.
    private static func size(of store: LibraryStore) throws -> Int64 {
        try store.read { database in
            try Int64.fetchOne(
                database,
                sql: "SELECT coalesce(sum(size), 0) FROM resource WHERE presence = 0"
            ) ?? 0
        }
    }

    /// Snapshots of the volume keep the bytes of removed originals.
    @Test func removalsThatFreeNothingEnd() async throws {
        let isSettled = Monitor(false)
        let measured = RemovalYield(minimum: 1) { _, settles throws(LibraryError) in
            if settles { isSettled.update { $0 = true } }
            return VolumeSpace(size: 1_000_000, free: 1_000)
        }
        // Each photo is larger than what is missing.
        try second.engine.setOptimizedStorage(OptimizedStorage(keepFree: 1_001))
        let host = try second.host(removalYield: measured)
        let report = try await host.session()
        #expect(report.removed == 1)
        #expect(report.alarms.count == 1 && report.alarms[0].contains("frees no space"))
        #expect(isSettled.withLock { $0 })
        // Nor does the next session remove another one, also with another host.
        let later = try await host.session()
        await host.close()
        #expect(later.removed == 0 && later.alarms == report.alarms)
        let other = try second.host(removalYield: measured)
        #expect(try await other.session().removed == 0)
        await other.close()
        #expect(try presences(second).filter { $0 == 2 }.count == 1)
    }

    /// A file system that frees the space of removed files when it is synced.
    @Test func removalsThatFreeSpaceGoOn() async throws {
        let store = second.world.store
        let before = try Self.size(of: store)
        let free = Monitor<Int64>(0)
        let measured = RemovalYield(minimum: 1) { _, settles throws(LibraryError) in
            if settles {
                let size = (try? Self.size(of: store)) ?? before
                free.update { $0 = before - size }
            }
            return VolumeSpace(size: 1_000_000_000, free: free.withLock(\.self))
        }
        try second.engine.setOptimizedStorage(OptimizedStorage(keepFree: before))
        let host = try second.host(removalYield: measured)
        let report = try await host.session()
        await host.close()
        #expect(report.removed == 3 && report.alarms == [])
        #expect(try presences(second) == [2, 2, 2])
    }

    /// A removed original that somebody asks for is downloaded, and stays while it is in use.
    @Test func aRemovedOriginalIsDownloadedOnDemandAndStays() async throws {
        let service = second.service()
        let reply = try await second.ask(service, .optimize(keepFree: .max / 4))
        #expect(reply.storage?.isOptimized == true)
        #expect(reply.storage?.keepFree == .max / 4)
        try await session(service)
        #expect(try presences(second) == [2, 2, 2])
        let removed = try await second.ask(service, .storage)
        #expect(removed.storage?.removedFiles == 3)
        let ids = [uuids[1] + "/L0/001"]
        let download = try await second.ask(service, .download(ids))
        #expect(download.downloads?.map(\.outcome) == [.downloaded])
        #expect(try presences(second).filter { $0 == 0 }.count == 1)
        try await session(service)
        #expect(try presences(second).filter { $0 == 0 }.count == 1)
        service.stop()
        // A later process does not know of the request.
        let report = try await second.sync()
        #expect(report.removed == 1)
        #expect(try presences(second) == [2, 2, 2])
    }

    private func session(_ service: CloudService) async throws {
        var status = try await second.ask(service, .status).status
        let count = status.sessions
        _ = try await second.ask(service, .sync)
        while status.sessions == count {
            status = try await second.ask(service, .wait(sessions: count)).status
        }
        #expect(status.error == nil)
    }

    /// Files whose blobs cannot be read from the store stay, and nothing is lost.
    @Test(arguments: [StoreFault.altered(at: 0), .altered(at: 40), .cut(after: 30)])
    func whatTheStoreLostStaysHere(_ fault: StoreFault) async throws {
        try second.engine.setOptimizedStorage(Self.everything)
        faults.set(fault)
        _ = try? await second.sync()
        #expect(try presences(second) == [0, 0, 0])
        #expect(faults.monitor.withLock(\.blobRequests) > 0)
        faults.set(nil)
        let report = try await second.sync()
        #expect(report.removed == 3)
    }

    /// A blob is checked by a part of it, which is not a download.
    @Test func aCheckReadsAPartOfTheBlob() async throws {
        try second.engine.setOptimizedStorage(Self.everything)
        let before = faults.monitor.withLock(\.blobRequests)
        let report = try await second.sync()
        #expect(report.removed == 3 && report.downloaded == 0)
        // The header and one frame of each.
        #expect(faults.monitor.withLock(\.blobRequests) - before == 6)
        #expect(second.stagedFiles.isEmpty)
    }

    /// A computer that the others may not count on yet removes nothing.
    @Test func aComputerThatJustJoinedRemovesNothing() async throws {
        let third = try HostWorld(store)
        try await third.join(with: code)
        try third.engine.setOptimizedStorage(Self.everything)
        let report = try await third.sync()
        #expect(report.downloaded == 3 && report.removed == 0)
        // Once the others have read that it joined, they count on its word.
        for _ in 0..<2 { for world in [first, second] { try await world.sync() } }
        _ = try await third.sync()
        let later = try await third.sync()
        #expect(try presences(third) == [2, 2, 2], "\(later)")
    }

    /// Photos whose pictures cannot be made keep their originals.
    @Test func smallPicturesKeepTheirOriginals() async throws {
        let small = try first.world.addPhoto(9, size: PixelSize(width: 120, height: 90))
        try await first.sync()
        try await second.sync()
        try second.engine.setOptimizedStorage(Self.everything)
        let report = try await second.sync()
        #expect(report.removed == 3)
        let presence = try second.world.store.read { database in
            try Int.fetchOne(
                database,
                sql: """
                    SELECT presence FROM resource JOIN asset ON asset.id = assetId
                    WHERE asset.uuid = ?
                    """,
                arguments: [small]
            )
        }
        #expect(presence == 0)
    }

    /// The machine may have recorded a removal that the library refused, or a crash prevented.
    @Test func aRemovalThatDidNotHappenIsNoticed() async throws {
        try second.engine.setOptimizedStorage(Self.everything)
        let host = try second.host()
        _ = try await host.session()
        await host.close()
        #expect(try presences(second) == [2, 2, 2])
        // The bytes return behind the machine's back.
        try second.engine.setOptimizedStorage(nil)
        for content in try second.engine.missingContents(limit: 9) {
            let bytes = try #require(try first.engine.openContent(content))
            let staging = try second.engine.cloudStaging()
            let file = try staging.createFile()
            let data = try FileHandle(fileDescriptor: bytes.number, closeOnDealloc: false)
                .readToEnd()
            try FileHandle(fileDescriptor: file.descriptor.number, closeOnDealloc: false)
                .write(contentsOf: try #require(data))
            _ = try second.engine.placeContent(content, from: file)
            staging.end()
        }
        try second.engine.setOptimizedStorage(OptimizedStorage(keepFree: 0))
        let report = try await second.sync()
        #expect(report.downloaded == 0 && report.removed == 0)
        try second.engine.setOptimizedStorage(Self.everything)
        let again = try await second.sync()
        #expect(again.removed == 3)
    }

    /// Another computer imported the same photo before, and shares it afterwards.
    @Test func aTwinOfARemovedOriginalIsNotDownloaded() async throws {
        let earlier = try first.importPhoto(8, size: PixelSize(width: 410, height: 300))
        _ = try second.importPhoto(8, size: PixelSize(width: 410, height: 300))
        try second.engine.setOptimizedStorage(Self.everything)
        let before = try await second.sync()
        #expect(before.removed == 4)
        #expect(try presences(second) == [2, 2, 2, 2])
        try await first.sync()
        let report = try await second.sync()
        #expect(report.downloaded == 0)
        #expect(try presences(second) == [2, 2, 2, 2])
        let session = try second.engine.session()
        let reply = try session.image(
            ImageRequest(
                assetUUID: earlier,
                shape: PixelShape(size: PixelSize(width: 390, height: 390)),
                quality: .full
            )
        )
        session.close()
        #expect(reply?.0.isDegraded == false)
        #expect(reply?.0.isInCloud == true)
    }

    /// Pictures that were lost with the file of the renditions come back through their originals.
    @Test func lostPicturesAreDownloadedAgain() async throws {
        try second.engine.setOptimizedStorage(Self.everything)
        _ = try await second.sync()
        // Dropping thumbnails leaves what cannot be made again.
        let session = try second.engine.session()
        try session.dropRenditions()
        session.close()
        try second.engine.setOptimizedStorage(OptimizedStorage(keepFree: 0))
        let kept = try await second.sync()
        #expect(kept.downloaded == 0)
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(
                atPath: second.world.store.bundle.renditions + suffix
            )
        }
        let report = try await second.sync()
        #expect(report.downloaded == 3)
        #expect(try presences(second) == [0, 0, 0])
    }
}
