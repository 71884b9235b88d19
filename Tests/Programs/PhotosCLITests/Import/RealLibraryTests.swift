import Foundation
import TestSupport
import Testing

private let fixtures = SharedData.sharedFolder.appendingPathComponent("migration")

/// Real libraries of Photos, imported by the command, with the facts that it then shows.
///
/// Plain SQL found the expected facts in the libraries' databases.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(
        if: FileManager.default.fileExists(atPath: fixtures.path + "/README.tsv"),
        "There are no libraries at \(fixtures.path)."
    )
)
struct RealLibraryTests {
    @Test(
        "The command shows the facts of a real library",
        arguments: [
            "photos4-edited-10.14.6", "photos5-10.15.1", "photos5-shared-10.15.1",
            "photos5-locked-10.15.1", "photos9-external-edits-14.4.1", "photos10-15.4.1",
            "photos10-media-types-15.7.2",
        ]
    )
    func factsAreShown(_ name: String) throws {
        let folder = fixtures.appendingPathComponent(name)
        let bundle = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .first { $0.hasSuffix(".photoslibrary") }
        )
        let source = folder.appendingPathComponent(bundle)
        let data = try Data(contentsOf: folder.appendingPathComponent("expected.json"))
        let facts = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let assets = try #require(facts["assets"] as? [[String: Any]])
        #expect(!assets.isEmpty)
        let imported = try MigrationSources.imported(name)
        let world = imported.world
        let lines = try imported.lines.map(JSONLine.init)
        var identifiers: [String: String] = [:]
        for line in lines where line["outcome"] == "imported" {
            identifiers[line.item ?? ""] = line["localIdentifier"]
        }
        let trash = try world.objects("list", "--json", "--deleted").reduce(into: [:]) {
            $0[$1["localIdentifier"] ?? ""] = $1
        }
        for asset in assets {
            let item = EarlierIdentifier.canonical(try #require(asset["uuid"] as? String))
            let files = asset["files"] as? [String: Any] ?? [:]
            guard let original = files["original"] as? String else {
                #expect(identifiers[item] == nil)
                let line = lines.first { $0.item == item && $0["outcome"] == "missing" }
                #expect(line != nil, "\(item) has no line")
                continue
            }
            let identifier = try #require(identifiers[item], "\(item) was not imported")
            let isTrashed = asset["trashed"] as? Bool ?? false
            #expect((trash[identifier] != nil) == isTrashed, "\(item)")
            if let deleted = trash[identifier] {
                // Only the list shows what is in Recently Deleted.
                expectListed(deleted, asset, item)
                continue
            }
            let shown = try #require(try world.objects("show", identifier, "--json").first)
            expectListed(shown, asset, item)
            expectDetails(shown, asset, item)
            let resources = shown.values["resources"] as? [[String: Any]] ?? []
            let sums = resources.compactMap { $0["sha256"] as? String }
            let sum = try CommandWorld.sha256(of: source.appendingPathComponent(original))
            #expect(sums.contains(sum), "\(item): the original's bytes")
        }
        try world.expectClean()
    }

    /// Compares the values that `photos list` shows.
    private func expectListed(_ shown: JSONLine, _ asset: [String: Any], _ item: String) {
        for column in ["originalFilename", "caption"] {
            #expect(shown[column] ?? "" == asset[column] as? String ?? "", "\(item) \(column)")
        }
        #expect(shown.flag("isFavorite") == asset["favorite"] as? Bool, "\(item)")
        #expect(shown.flag("isHidden") == asset["hidden"] as? Bool, "\(item)")
        let keywords = Set(asset["keywords"] as? [String] ?? [])
        #expect(Set(shown.list("keywords") ?? []) == keywords, "\(item)")
        let files = asset["files"] as? [String: Any] ?? [:]
        #expect(shown.flag("hasAdjustments") == files["render"] is String, "\(item)")
        let place = shown.values["location"] as? [String: Any]
        for (key, column) in [("latitude", "lat"), ("longitude", "lon")] {
            let degrees = place?[key] as? Double
            #expect(degrees == asset[column] as? Double, "\(item) \(column)")
        }
        #expect(
            milliseconds(shown["creationDate"]) == milliseconds(asset["dateUTC"] as? String),
            "\(item) \(shown["creationDate"] ?? "") \(asset["dateUTC"] ?? "")"
        )
    }

    /// Compares the values that only `photos show` has.
    private func expectDetails(_ shown: JSONLine, _ asset: [String: Any], _ item: String) {
        #expect(shown["title"] ?? "" == asset["title"] as? String ?? "", "\(item)")
        let capture = shown.values["captureTime"] as? [String: Any]
        if let offset = asset["tzOffset"] as? Int {
            #expect(capture?["utcOffset"] as? Int == offset, "\(item)")
        }
        let albums = shown.values["albums"] as? [[String: Any]] ?? []
        let titles = albums.compactMap { $0["localizedTitle"] as? String }.sorted()
        // The expected ones are paths through folders; titles may have slashes.
        let paths = asset["albums"] as? [String] ?? []
        #expect(titles.count == paths.count, "\(item) \(titles)")
        #expect(titles.allSatisfy { title in paths.contains { $0.hasSuffix(title) } }, "\(item)")
    }

    /// Returns the whole milliseconds of a date.
    private func milliseconds(_ text: String?) -> Int? {
        guard let text, let match = text.wholeMatch(of: /(.*?)(?:\.(\d+))?Z/) else { return nil }
        guard let date = ISO8601DateFormatter().date(from: match.1 + "Z") else { return nil }
        let fraction = (String(match.2 ?? "") + "000").prefix(3)
        return Int(date.timeIntervalSince1970) * 1000 + (Int(fraction) ?? 0)
    }
}
