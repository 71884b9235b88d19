import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// New assets get renditions at once, and the others are looked at in parts.
@Suite(.timeLimit(.minutes(1))) struct RenditionBacklogTests {
    let world: LibraryWorld
    let clock = TestClock()
    let store: LibraryStore

    init() throws {
        world = try LibraryWorld()
        clock.advance(by: 1_200_000_000)
        let clock = clock
        store = try LibraryStore.open(at: world.path, clock: { clock.now })
    }

    private func backlog(limit: Int = 20_000, partSize: Int = 2) -> RenditionBacklog {
        RenditionBacklog(store: store, limit: limit, partSize: partSize)
    }

    private func insert(_ names: String...) throws {
        for name in names {
            _ = try world.insertWithFile(LibraryWorld.record(name), bytes: Array(name.utf8))
        }
    }

    /// Returns the file names of assets.
    private func names(_ uuids: [String]) throws -> [String] {
        try uuids.map { uuid in
            try #require(
                try store.read {
                    try String.fetchOne(
                        $0,
                        sql: "SELECT originalFilename FROM asset WHERE uuid = ?",
                        arguments: [uuid]
                    )
                }
            )
        }
    }

    @Test func openingAgainLooksAtNothingAgain() throws {
        try insert("a", "b", "c")
        let first = backlog()
        #expect(try names(first.next(isIdle: true)) == ["a", "b", "c"])
        // While they wait, only new ones are added.
        #expect(try first.next(isIdle: false).isEmpty)
        try insert("d")
        #expect(try names(first.next(isIdle: false)) == ["d"])
        // A process that dies has not noted its queue.
        #expect(try names(backlog().next(isIdle: true)) == ["a", "b", "c", "d"])
        try first.noteProgress(isIdle: false)
        #expect(try backlog().next(isIdle: false).count == 4)
        try first.noteProgress(isIdle: true)
        #expect(try backlog().next(isIdle: false).isEmpty)
        // Those that others add meanwhile are new.
        try insert("e")
        #expect(try names(backlog().next(isIdle: true)) == ["e"])
    }

    @Test func theOthersAreLookedAtInAPartEachHour() throws {
        try insert("a", "b", "c", "d", "e", "f")
        let first = backlog(limit: 5)
        _ = try first.next(isIdle: true)
        #expect(try names(first.next(isIdle: true)) == ["e", "f"])
        #expect(try first.next(isIdle: true).isEmpty)
        #expect(try backlog(limit: 5).next(isIdle: true).isEmpty)
        clock.advance(by: 3_599)
        #expect(try backlog(limit: 5).next(isIdle: true).isEmpty)
        clock.advance(by: 1)
        // A new asset comes first, and the parts continue where they were.
        try insert("g")
        let second = backlog(limit: 5)
        #expect(try names(second.next(isIdle: true)) == ["g"])
        #expect(try second.next(isIdle: false).isEmpty)
        #expect(try names(second.next(isIdle: true)) == ["c", "d"])
        clock.advance(by: 3_600)
        // The last of the newest five ends the round, and the next one begins with the newest.
        #expect(try names(second.next(isIdle: true)) == ["b"])
        clock.advance(by: 3_600)
        #expect(try names(second.next(isIdle: true)) == ["f", "g"])
        // A clock that is set back does not end the parts.
        clock.advance(by: -86_400)
        #expect(try names(second.next(isIdle: true)) == ["d", "e"])
    }

    @Test(arguments: ["", "{", "[1]", "{\"newest\":-5,\"position\":-1,\"count\":0,\"time\":0}"])
    func aDamagedRecordBeginsAnew(_ text: String) throws {
        try insert("a", "b")
        try Data(text.utf8).write(to: URL(fileURLWithPath: store.bundle.rendered))
        let backlog = backlog()
        #expect(try names(backlog.next(isIdle: true)) == ["a", "b"])
        try backlog.noteProgress(isIdle: true)
        #expect(RenditionRecord.read(of: store.bundle)?.newest == 2)
    }
}
