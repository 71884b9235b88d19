import EmbeddedLibrary
import Foundation
import ObjectStorage
import PhotoModel
import RemoteLibrary
import RenditionFixture
import Synchronization
import Testing

@testable import CloudHost

/// Sessions that publish a part of the changes before they export the next one.
@Suite(.timeLimit(.minutes(2))) struct ExportPageTests {
    /// The segments that were stored, and the number after which the store fails.
    private final class Segments: Sendable {
        private struct State {
            var count = 0
            var limit = Int.max
        }

        private let state = Mutex(State())

        var count: Int { state.withLock { $0.count } }

        func setLimit(_ limit: Int) { state.withLock { $0.limit = limit } }

        func next(_ request: FakeRequest) -> StoreFault? {
            guard request.verb == .put, request.key?.text.hasPrefix("log/") == true else {
                return nil
            }
            return state.withLock { state in
                guard state.count < state.limit else { return .lostRequest }
                state.count += 1
                return nil
            }
        }
    }

    /// The changes that were reported to be left.
    private final class Changes: Sendable {
        private let numbers = Mutex<[Int]>([])

        var all: [Int] { numbers.withLock { $0 } }

        func note(_ report: SyncHost.Report) {
            numbers.withLock { $0.append(report.pending.changes) }
        }
    }

    /// Two photos, or one version, at a time.
    private static let page = SyncHost.ExportPage(objects: 2, entries: 1, operations: 1)
    private static let photos = 8

    private let segments = Segments()
    private let first: HostWorld
    private let second: HostWorld

    init() async throws {
        let store = MemoryStore { [segments] request in segments.next(request) }
        first = try HostWorld(store)
        second = try HostWorld(store)
        for number in 0..<Self.photos {
            _ = try first.world.addPhoto(number, size: PixelSize(width: 40, height: 30))
        }
        try await second.join(with: first.create())
    }

    @Test func aLibraryIsPublishedInPages() async throws {
        let changes = Changes()
        let host = try first.host(exportPage: Self.page) { changes.note($0) }
        let report = try await host.session()
        await host.close()
        // Otherwise, they would be in one or two segments.
        #expect(segments.count >= Self.photos / 2)
        #expect(report.pending.isEmpty)
        // What is not exported yet counts as well.
        #expect(changes.all.contains { $0 >= Self.photos })
        #expect(changes.all.last == 0)
        try await second.sync()
        #expect(try second.facts() == first.facts())
        #expect(try !first.engine.hasUnexportedChanges())
    }

    @Test func laterChangesArePublishedInPages() async throws {
        for world in [first, second] { try await world.sync() }
        let uuids = try first.facts().map { String($0.prefix(36)) }
        for (number, uuid) in uuids.enumerated() {
            try first.set(uuid, title: "Title \(number)")
        }
        let before = segments.count
        let host = try first.host(exportPage: Self.page)
        _ = try await host.session()
        await host.close()
        #expect(segments.count - before >= Self.photos)
        try await second.sync()
        #expect(try second.facts() == first.facts())
    }

    /// The next session, in another process, continues with the pages that follow.
    @Test func anInterruptedExportContinues() async throws {
        for limit in 1...3 {
            segments.setLimit(limit)
            let host = try first.host(exportPage: Self.page)
            await #expect(throws: LibraryError.self) { _ = try await host.session() }
            await host.close()
            #expect(try first.engine.hasUnexportedChanges())
        }
        segments.setLimit(.max)
        try await first.sync()
        try await second.sync()
        #expect(try second.facts() == first.facts())
        #expect(try second.facts().count == Self.photos)
    }

    /// Three segments' worth of files in a row cannot be uploaded.
    @Test(arguments: [false, true]) func manyFilesThatAreGoneStopNothing(
        inPages: Bool
    ) async throws {
        let count = 48
        for number in Self.photos..<count {
            _ = try first.world.addPhoto(number, size: PixelSize(width: 40, height: 30))
        }
        for fact in try first.facts() {
            try FileManager.default.removeItem(
                at: try first.path(ofFileOf: String(fact.prefix(36)))
            )
        }
        let page =
            inPages
            ? SyncHost.ExportPage(objects: 40, entries: 1, operations: 1) : SyncHost.ExportPage()
        let host = try first.host(exportPage: page)
        let report = try await host.session()
        await host.close()
        #expect(report.uploaded == 0)
        #expect(report.pending.changes == 0)
        #expect(try !first.engine.hasUnexportedChanges())
        try await second.sync()
        #expect(try second.facts().count == count)
    }
}
