import Foundation
import Glibc
import Testing

@testable import PhotoLibrary

/// The locks that SQLite holds on a library's database while this process copies it.
@Suite(.timeLimit(.minutes(1))) struct PlanLockTests {
    private let world: LibraryWorld

    init() throws { world = try LibraryWorld() }

    /// The number of POSIX locks of this process on the database.
    private func locks() throws -> Int {
        var status = stat()
        try #require(stat(world.store.bundle.database, &status) == 0)
        let file = ":\(status.st_ino)"
        return try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
            .count { line in
                let fields = line.split(separator: " ")
                return fields.count > 5 && fields[1] == "POSIX" && fields[4] == "\(getpid())"
                    && fields[5].hasSuffix(file)
            }
    }

    @Test func aPlanLeavesTheLocksOfTheOpenLibrary() throws {
        _ = try world.insertWithFile(LibraryWorld.record("a.jpg"), bytes: Array("a".utf8))
        let before = try locks()
        try #require(before > 0)
        for _ in 0..<2 {
            let plan = try LibraryStore.openPlan(of: world.path)
            #expect(try plan.currentVersion() == world.store.currentVersion())
            try plan.close()
        }
        #expect(try locks() == before)
    }

    @Test func aCopyOfAnOpenLibraryWouldDropThemOtherwise() throws {
        _ = try world.insertWithFile(LibraryWorld.record("a.jpg"), bytes: Array("a".utf8))
        try #require(try locks() > 0)
        _ = try TemporaryCopy(of: world.store.bundle)
        // This is why a plan copies with a descriptor that stays open.
        #expect(try locks() == 0)
    }
}
