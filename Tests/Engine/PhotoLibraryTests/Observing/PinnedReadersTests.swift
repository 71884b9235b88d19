import Foundation
import LibraryService
import PhotoModel
import Testing

@testable import PhotoLibrary

/// States of the library that are pinned for a while.
@Suite(.timeLimit(.minutes(2))) struct PinnedReadersTests {
    private let world: LibraryWorld
    private let view: LibraryView

    init() throws {
        world = try LibraryWorld()
        view = LibraryView(store: world.store)
    }

    private func title(_ id: Int64, pin: Int64?) throws -> String? {
        let request = AssetLoadRequest(ids: RowIDBuffer([id]), pin: pin)
        return try AssetFetcher(view).load(request).assets.first?.title
    }

    private func rename(_ id: Int64, _ title: String) throws {
        try world.store.write(author: "test") { transaction in
            guard var record = try transaction.asset(id: id) else { return }
            record.title = title
            try transaction.updateAsset(record, contentChanged: false)
        }
    }

    @Test func eachPinAnswersFromItsOwnState() throws {
        let id = try world.insert(LibraryWorld.record())[0]
        try rename(id, "a")
        let first = try view.pin()
        try rename(id, "b")
        let second = try view.pin()
        try rename(id, "c")
        #expect(first.snapshot.version + 1 == second.snapshot.version)
        #expect(try title(id, pin: first.pin) == "a")
        #expect(try title(id, pin: second.pin) == "b")
        #expect(try title(id, pin: nil) == "c")
        // A pin that is released, released twice, or unknown yields the current state.
        view.unpin(first.pin)
        view.unpin(first.pin)
        view.unpin(99)
        #expect(try title(id, pin: first.pin) == "c")
        #expect(try title(id, pin: 99) == "c")
        #expect(try title(id, pin: second.pin) == "b")
        // A connection that served a pin serves the next one with a new state.
        let third = try view.pin()
        #expect(try title(id, pin: third.pin) == "c")
    }

    @Test func aPinEndsByItself() async throws {
        let pins = PinnedReaders(store: world.store, patience: 0.05)
        let (pin, version) = try pins.pin()
        #expect(version == 0)
        let deadline = ContinuousClock.now + .seconds(10)
        while pins.reader(pin) != nil, .now < deadline { await Task.yield() }
        #expect(pins.reader(pin) == nil)
    }

    @Test func manyThreadsPinAtOnce() async throws {
        let id = try world.insert(LibraryWorld.record())[0]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for round in 0..<10 {
                        let pin = try view.pin()
                        let before = try title(id, pin: pin.pin)
                        try rename(id, "\(number) \(round)")
                        #expect(try title(id, pin: pin.pin) == before)
                        view.unpin(pin.pin)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
