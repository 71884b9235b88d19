import Foundation
import Glibc
import LibraryService
import PhotoModel
import Testing

@testable import PhotoLibrary

/// Subscribers wake up after every commit, by any process (behavior 82).
@Suite(.timeLimit(.minutes(2))) struct ChangeSubscriptionTests {
    private let world: LibraryWorld
    private let view: LibraryView

    init() throws {
        world = try LibraryWorld()
        view = LibraryView(store: world.store)
    }

    /// Returns whether data arrive within some milliseconds, and drains them.
    private func wakes(_ descriptor: Descriptor, within milliseconds: Int32 = 5_000) -> Bool {
        withExtendedLifetime(descriptor) {
            var request = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, milliseconds) == 1 else { return false }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            var sawSome = false
            while read(descriptor.number, &bytes, bytes.count) > 0 { sawSome = true }
            return sawSome
        }
    }

    @Test func commitsOfThisAndOtherStoresWake() throws {
        let other = try LibraryStore.open(at: world.path)
        let first = try ChangeSubscription.open(view)
        let second = try ChangeSubscription.open(view)
        #expect(!wakes(first, within: 0))
        try world.insert(LibraryWorld.record())
        #expect(wakes(first))
        #expect(wakes(second))
        #expect(!wakes(first, within: 0))
        _ = try other.write(author: "other") { try $0.insertAsset(LibraryWorld.record()) }
        #expect(wakes(first))
        #expect(wakes(second))
    }

    /// The commit is already visible: a client that asks gets the new version.
    @Test func theCommitIsVisibleWhenASubscriberWakes() throws {
        let subscription = try ChangeSubscription.open(view)
        for _ in 0..<20 {
            let before = try world.store.currentVersion()
            try world.insert(LibraryWorld.record())
            #expect(wakes(subscription))
            #expect(try world.store.currentVersion() == before + 1)
        }
    }

    @Test func aFileInThePlaceOfTheOldOneIsWatchedToo() throws {
        let subscription = try ChangeSubscription.open(view)
        let changed = world.store.bundle.changed
        try FileManager.default.removeItem(atPath: changed)
        try world.insert(LibraryWorld.record())
        #expect(wakes(subscription))
        try Data().write(to: URL(fileURLWithPath: changed + ".new"))
        #expect(rename(changed + ".new", changed) == 0)
        #expect(wakes(subscription))
        try world.insert(LibraryWorld.record())
        #expect(wakes(subscription))
    }

    @Test func anotherAccessWakesThisClientAlone() throws {
        let otherView = LibraryView(store: world.store)
        let subscription = try ChangeSubscription.open(view)
        let others = try ChangeSubscription.open(otherView)
        view.access.set(.full)
        #expect(!wakes(subscription, within: 0))
        view.access.set(.none)
        #expect(wakes(subscription))
        #expect(view.access.state.epoch == 1)
        #expect(!wakes(others, within: 0))
        #expect(otherView.access.state.epoch == 0)
    }
}
