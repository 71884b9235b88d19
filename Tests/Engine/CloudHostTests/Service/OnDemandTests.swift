import CloudSync
import EmbeddedLibrary
import Foundation
import ObjectStorage
import PhotoModel
import RemoteLibrary
import RenditionFixture
import TestSupport
import Testing

@testable import CloudHost

/// Files that are only in the cloud and that somebody asks for.
@Suite(.timeLimit(.minutes(3))) struct OnDemandTests {
    /// The faults of the store, which the test chooses.
    private final class Faults: Sendable {
        struct State {
            /// The fault of each download of a file.
            var blob: StoreFault?
            var blobRequests = 0
            /// The gate of listings, and the number of those that have come to it.
            var gate: StoreGate?
            var held = 0
        }

        let monitor = Monitor(State())

        func next(_ request: FakeRequest) -> StoreFault? {
            if request.verb == .list {
                return monitor.update { state in
                    guard let gate = state.gate else { return nil }
                    state.held += 1
                    return .held(gate)
                }
            }
            guard request.verb == .get, request.key?.text.hasPrefix("blob/") == true else {
                return nil
            }
            return monitor.update { state in
                state.blobRequests += 1
                return state.blob
            }
        }

        func set(_ fault: StoreFault?) { monitor.update { $0.blob = fault } }

        /// Holds the listings that follow, until the gate is opened.
        func holdListings() -> StoreGate {
            let gate = StoreGate()
            monitor.update { $0.gate = gate }
            return gate
        }
    }

    private let faults = Faults()
    private let first: HostWorld
    private let second: HostWorld
    /// The photos, whose files the second library lacks.
    private let uuids: [String]

    init() async throws {
        let store = MemoryStore { [faults] in faults.next($0) }
        first = try HostWorld(store)
        second = try HostWorld(store)
        try await second.join(with: first.create())
        let world = first.world
        uuids = try (0..<2).map { number in
            try world.addPhoto(number, size: PixelSize(width: 400, height: 300))
        }
        try await first.sync()
        faults.set(.altered(at: 40))
        let report = try await second.sync()
        faults.set(nil)
        #expect(report.downloaded == 0 && report.pending.downloads == 2)
        #expect(try second.facts().allSatisfy { $0.hasSuffix(" 1") })
    }

    private func identifiers(_ uuids: String...) -> [String] { uuids.map { $0 + "/L0/001" } }

    /// Expects that both libraries are equal in the end, and that nothing is downloaded twice.
    private func expectEqual() async throws {
        let before = faults.monitor.withLock(\.blobRequests)
        let host = try second.host()
        let report = try await host.session()
        let rest = await host.machine.contentsToDownload
        await host.close()
        #expect(rest.isEmpty)
        #expect(faults.monitor.withLock(\.blobRequests) - before == report.downloaded)
        #expect(try first.facts() == second.facts())
        #expect(second.stagedFiles.isEmpty)
    }

    @Test func aFileArrivesWithoutASession() async throws {
        let service = second.service()
        let ids = identifiers(uuids[0], uuids[0], "00000000-0000-0000-0000-000000000000")
        let reply = try await second.ask(service, .download(ids))
        let outcomes = try #require(reply.downloads)
        #expect(outcomes.map(\.outcome) == [.downloaded, .here, .failed])
        #expect(outcomes.map(\.localIdentifier) == ids)
        #expect(outcomes[2].error?.code == .identifierNotFound)
        #expect(reply.status.pending.downloads == 1)
        #expect(try second.facts().filter { $0.hasSuffix(" 0") }.count == 1)
        #expect(second.stagedFiles.isEmpty)
        service.stop()
        try await expectEqual()
    }

    /// A session that waits for the store does not keep anybody else waiting.
    @Test func aFileArrivesDuringASession() async throws {
        let service = second.service()
        let gate = faults.holdListings()
        _ = try await second.ask(service, .sync)
        let monitor = faults.monitor
        try await HostWorld.blocking { _ = monitor.wait { $0.held > 0 ? true : nil } }
        let reply = try await second.ask(service, .download(identifiers(uuids[1])))
        #expect(reply.downloads?.map(\.outcome) == [.downloaded])
        #expect(reply.status.state == .syncing)
        gate.open()
        var status = reply.status
        while status.sessions == 0 {
            status = try await second.ask(service, .wait(sessions: 0)).status
        }
        #expect(status.error == nil && status.state == .idle)
        #expect(status.pending.downloads == 0 && status.downloaded == 1)
        service.stop()
        try await expectEqual()
    }

    /// A library does not leave while files are only in the cloud; their downloads go on.
    @Test func aRefusedLeaveCancelsNoDownload() async throws {
        let service = second.service()
        let downloads = service.connection(to: second.path).downloads
        let missing = try second.engine.missingContents(ofAsset: uuids[0])
        let content = try #require(missing?.first)
        let monitor = faults.monitor
        let before = monitor.withLock(\.blobRequests)
        let gate = StoreGate()
        faults.set(.held(gate))
        async let waited: Void = HostWorld.blocking {
            try downloads.download(content) { _, _ in true }
        }
        try await HostWorld.blocking { _ = monitor.wait { $0.blobRequests > before ? true : nil } }
        await #expect {
            try await second.ask(service, .leave(abandoning: false))
        } throws: { error in
            (error as? LibraryError)?.code == .changeNotSupported
        }
        gate.open()
        try await waited
        faults.set(nil)
        #expect(try second.engine.missingContents(ofAsset: uuids[0])?.isEmpty == true)
        service.stop()
        try await expectEqual()
    }

    /// Bytes that are not the promised ones are never placed, wherever they differ.
    @Test(arguments: [
        StoreFault.altered(at: 0), .altered(at: 4), .altered(at: 5), .altered(at: 300),
        .cut(after: 0), .cut(after: 300), .serverFault,
    ]) func wrongBytesAreNeverPlaced(_ fault: StoreFault) async throws {
        let service = second.service()
        faults.set(fault)
        let ids = identifiers(uuids[0])
        let reply = try await second.ask(service, .download(ids))
        let outcome = try #require(reply.downloads?.first)
        #expect(outcome.outcome == .failed)
        #expect(outcome.error?.code == .networkError)
        #expect(try second.facts().allSatisfy { $0.hasSuffix(" 1") })
        #expect(second.stagedFiles.isEmpty)
        faults.set(nil)
        let again = try await second.ask(service, .download(ids))
        #expect(again.downloads?.map(\.outcome) == [.downloaded])
        service.stop()
        try await expectEqual()
    }

    /// A file that no computer has uploaded yet cannot be downloaded, which is no network error.
    @Test func aFileThatIsNotUploadedIsNamed() async throws {
        let store = MemoryStore { [faults] in faults.next($0) }
        let world = try HostWorld(store)
        _ = try await world.create()
        let service = world.service()
        let reply = try await world.ask(service, .download([]))
        #expect(reply.downloads?.isEmpty == true)
        let connection = service.connection(to: world.path)
        let content = ContentID(CloudID(1, 2), CloudID(3, 4))
        await #expect {
            try await HostWorld.blocking {
                try connection.downloads.download(content) { _, _ in true }
            }
        } throws: { error in
            (error as? LibraryError)?.code == .networkAccessRequired
        }
        service.stop()
    }

    /// The clients of a library that a daemon keeps open reach its downloads by the engine.
    @Test func theEngineDownloads() async throws {
        #expect(second.engine.downloader == nil)
        let service = second.service()
        let connection = service.connection(to: second.path)
        let lease = try await HostWorld.blocking { try connection.keep() }
        let downloader = try #require(lease?.engine.downloader)
        let uuid = uuids[0]
        let contents = try #require(try second.engine.missingContents(ofAsset: uuid))
        let content = try #require(contents.first)
        let reports = Monitor<[Int64]>([])
        try await HostWorld.blocking {
            try downloader.download(content) { received, size in
                reports.update { $0 += [received, size] }
                return true
            }
        }
        let last = reports.withLock { Array($0.suffix(2)) }
        let size = try #require(last.last)
        #expect(size > 0 && last.first == size)
        #expect(try second.engine.missingContents(ofAsset: uuid)?.isEmpty == true)
        try await HostWorld.blocking { service.stop() }
        #expect(second.engine.downloader == nil)
        await #expect(throws: LibraryError.self) {
            try await HostWorld.blocking { try downloader.download(content) { _, _ in true } }
        }
        try await expectEqual()
    }
}
