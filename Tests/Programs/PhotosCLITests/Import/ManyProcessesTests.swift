import Foundation
import TestSupport
import Testing

/// Many processes that use one library.
@Suite(.timeLimit(.minutes(10))) struct ManyProcessesTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    @Test func fourImportWhileAFifthLists() throws {
        let count = 60
        for folder in 0..<4 {
            try world.photos((0..<count).map { "\(folder)/IMG_\($0).JPG" })
        }
        // All four find no library, and one of them creates it.
        let importers = try (0..<4).map { folder in
            try world.start("import", "--json", "\(world.source.path)/\(folder)")
        }
        importers[0].read(lines: 1)
        var most = 0
        var running = importers
        while !running.isEmpty {
            // Each of them, so that none waits for a reader, and none stays unreaped at its end.
            running = running.filter { importer in
                if importer.read(atMost: .milliseconds(1)) { return true }
                _ = importer.wait()
                return false
            }
            let list = try world.run("list", "--json")
            #expect(list.status == 0, "\(list.errorText)")
            #expect(list.lines.count >= most)
            most = list.lines.count
        }
        var identifiers: Set<String> = []
        for importer in importers {
            #expect(importer.wait().status == 0)
            let lines = try importer.lines.map(JSONLine.init)
            #expect(lines.count == count)
            #expect(lines.allSatisfy { $0["outcome"] == "imported" })
            identifiers.formUnion(lines.compactMap { $0["localIdentifier"] })
        }
        #expect(identifiers.count == 4 * count)
        let there = try world.objects("list", "--json").compactMap { $0["localIdentifier"] }
        #expect(Set(there) == identifiers)
        #expect(try world.run("verify", "--full").errorText == "No problems found.\n")
    }
}
