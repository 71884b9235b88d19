import EmbeddedLibrary
import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// Several processes that change a library concurrently and follow the changes of all.
///
/// `PHOTOS_CHANGES` sets the number of changes per process, by default 30.
@Suite(.timeLimit(.minutes(60))) struct ManyWritersTests {
    private static let processes = 8
    private static let changes =
        ProcessInfo.processInfo.environment["PHOTOS_CHANGES"].flatMap(Int.init) ?? 30

    @Test("Every change is in, versions strictly increase, and all end on the same state")
    func allChangesAreIn() throws {
        let seed = TestSeed()
        let world = try ChangeWorld()
        let assets = try world.assets(40)
        for number in 0..<4 { _ = try world.album("\(number)", of: Array(assets[..<10])) }
        let start = try world.version()
        let total = start + Int64(Self.processes * Self.changes)
        let hammers = try (0..<Self.processes).map { number in
            try ProcessRunner.start(
                BuiltProducts.executable("change-hammer").path,
                [
                    "changes", world.libraryPath, "p\(number)", "\(Self.changes)", "\(total)",
                    "\(seed.value &+ UInt64(number))",
                ]
            )
        }
        var versions: Set<Int64> = []
        var states: Set<String> = []
        var said: Set<String> = []
        for (number, hammer) in hammers.enumerated() {
            let output = hammer.wait()
            #expect(output.status == 0, "\(output.errorText) \(seed)")
            let lines = output.lines.map { $0.split(separator: " ").map(String.init) }
            let own = lines.filter { $0[0] == "change" }.compactMap { Int64($0[2]) }
            #expect(own.count == Self.changes)
            #expect(zip(own, own.dropFirst()).allSatisfy(<), "\(seed)")
            versions.formUnion(own)
            said.formUnion((0..<Self.changes).map { "p\(number)-\($0)" })
            states.formUnion(
                lines.filter { $0[0] == "state" }.map { $0.dropFirst().joined(separator: " ") }
            )
            #expect(lines.last == ["followed", "\(total)"])
        }
        // No version was lost or assigned twice.
        #expect(versions == Set((start + 1)...total))
        #expect(states.count == 1, "\(states) \(seed)")
        #expect(try world.version() == total)
        let keywords = try assets.flatMap { try world.asset($0)?.keywords ?? [] }
        #expect(Set(keywords) == said)
        #expect(keywords.count == said.count)
        #expect(try world.findings(hasBareAssets: true) == [])
    }

    @Test("Programs that ask for one title get one album (pains 18)")
    func oneAlbumForOneTitle() throws {
        let world = try ChangeWorld()
        let path = world.libraryPath
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            // A separate store stands in for another process.
            guard let library = try? EmbeddedLibrary.open(at: path) else { return }
            let creation = CollectionCreation(
                uuid: UUID().uuidString,
                kind: .album,
                title: "Trip",
                reusesTitled: true
            )
            _ = try? library.commit(
                CommitRequest(
                    changes: ChangeSet(operations: [
                        ChangeOperation(request: "r", action: .createCollection(creation))
                    ])
                )
            )
        }
        #expect(try world.children(CollectionRecord.rootUUID).count == 1)
    }
}
