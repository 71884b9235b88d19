import Foundation
import SamplePhotos
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct MomentsCommandTests {
    @Test func momentsAreATree() throws {
        let world = try CommandWorld()
        _ = try world.library(of: ["a.jpg", "b.jpg", "c.jpg"])
        let empty = try world.run("moments", variables: ["LC_ALL": "de_DE.UTF-8"])
        #expect(empty.status == 0)
        let lines = empty.lines.map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.count == 5)
        #expect(empty.lines[0].hasPrefix("2020 "))
        #expect(empty.lines[1].hasPrefix("  Januar 2020 "))
        #expect(empty.lines[2].hasPrefix("    1. Januar 2020  1  2020-01-01  "))
        #expect(empty.lines[4].hasSuffix("/L0/060"))
    }

    @Test func aListComesBeforeWhatItHolds() throws {
        let world = try CommandWorld()
        _ = try world.library(of: ["a.jpg", "b.jpg"])
        let lines = try world.objects("moments", "--json")
        #expect(
            lines.map { $0["localizedTitle"] } == [
                "2020", "January 2020", "January 1, 2020", "January 2, 2020",
            ]
        )
        let identifiers = lines.map { $0["localIdentifier"] }
        let parents = lines.map { $0["parentLocalIdentifier"] }
        #expect(parents == [nil, identifiers[0], identifiers[1], identifiers[1]])
        #expect(
            lines.map { $0["collectionListSubtype"] } == [
                "momentListYear", "momentListCluster", nil, nil,
            ]
        )
        #expect(lines.map { $0.number("estimatedAssetCount") } == [nil, nil, 1, 1])
        #expect(lines[2]["startDate"] == "2020-01-01T12:00:00Z")
        #expect(lines[2].values["approximateLocation"] is NSNull)
        let identifier = try #require(identifiers[3])
        #expect(try world.names("--album", identifier) == ["b.jpg"])
    }

    @Test func anEmptyLibraryHasNone() throws {
        let world = try CommandWorld()
        #expect(try world.run("create").status == 0)
        let output = try world.run("moments")
        #expect(output.status == 0)
        #expect(output.lines == [])
    }
}
