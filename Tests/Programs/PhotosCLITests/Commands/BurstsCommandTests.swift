import Foundation
import SamplePhotos
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct BurstsCommandTests {
    let world: CommandWorld

    /// Imports two bursts, of three frames and of two, and a photo that is not a frame.
    init() throws {
        world = try CommandWorld()
        let frames = [
            ("a1.jpg", "A"), ("a2.jpg", "A"), ("a3.jpg", "A"), ("b1.jpg", "B"), ("b2.jpg", "B"),
            ("c.jpg", nil),
        ]
        for (index, (name, burst)) in frames.enumerated() {
            var metadata = SampleMetadata(
                date: SampleDate(text: "2020:01:0\(index + 1) 12:00:00", offset: "+00:00"),
                make: "Apple",
                model: "iPhone 8"
            )
            metadata.burstIdentifier = burst
            try world.photo(name, seed: UInt64(index + 1), metadata: metadata)
        }
        _ = try world.objects("import", "--json", world.source.path)
    }

    private func bursts(_ arguments: String...) throws -> [JSONLine] {
        let output = try world.run(["bursts", "--json"] + arguments)
        #expect(output.status == 0, "\(output.errorText)")
        return try output.lines.map(JSONLine.init)
    }

    private func frames(_ burst: JSONLine) -> [[String: Any]] {
        burst.values["frames"] as? [[String: Any]] ?? []
    }

    private func names(_ burst: JSONLine) -> [String] {
        frames(burst).compactMap { $0["originalFilename"] as? String }
    }

    private func identifier(_ name: String, of burst: JSONLine) throws -> String {
        let frame = frames(burst).first { $0["originalFilename"] as? String == name }
        return try #require(frame?["localIdentifier"] as? String)
    }

    @Test func burstsComeWithAllFrames() throws {
        let bursts = try bursts()
        #expect(bursts.map { $0["burstIdentifier"] } == ["A", "B"])
        #expect(bursts.map(names) == [["a1.jpg", "a2.jpg", "a3.jpg"], ["b1.jpg", "b2.jpg"]])
        for burst in bursts {
            let keys = frames(burst).filter {
                ($0["representsBurst"] as? NSNumber)?.boolValue == true
            }
            #expect(keys.map { $0["localIdentifier"] as? String } == [burst["keyFrame"]])
            #expect(burst.list("userPicks") == [])
        }
        // Elsewhere one frame represents each burst (pains 16).
        #expect(try world.names().count == 3)
        #expect(try world.names("--include-all-burst-assets").count == 6)
        #expect(try world.names("--album", "Bursts").count == 2)
    }

    @Test func aPickStandsForTheBurst() throws {
        let first = try #require(try bursts().first)
        let other = try #require(
            try ["a1.jpg", "a2.jpg"].map { try identifier($0, of: first) }
                .first { $0 != first["keyFrame"] }
        )
        #expect(try world.run("set", other, "--burst-pick", "true").status == 0)
        let picked = try #require(try bursts().first)
        #expect(picked["keyFrame"] == other)
        #expect(picked.list("userPicks") == [other])
        let text = try world.run("bursts").text.split(separator: "\n")
        #expect(text.count == 7)
        #expect(text.first == "A  3 frames")
        #expect(text.contains { $0.hasPrefix("  *+  2020-01-0") && $0.contains(other) })
        #expect(try world.run("undo").status == 0)
        #expect(try bursts().first?.list("userPicks") == [])
        // Only frames can be picked.
        let single = try #require(
            try world.objects("list", "--json").first { $0["originalFilename"] == "c.jpg" }
        )
        let id = try #require(single["localIdentifier"])
        let output = try world.run("set", id, "--burst-pick", "true")
        #expect(output.status == 1)
        #expect(output.errorText.contains("is not a frame of a burst"))
    }

    @Test func anotherFrameStandsForADeletedOne() throws {
        let first = try #require(try bursts().first)
        let key = try #require(first["keyFrame"])
        #expect(try world.run("delete", "--yes", key).status == 0)
        let left = try #require(try bursts().first)
        #expect(frames(left).count == 2)
        #expect(left["keyFrame"] != nil && left["keyFrame"] != key)
        #expect(try world.names("--album", "Bursts").count == 2)
    }

    @Test func hiddenFramesAreLeftOut() throws {
        let first = try #require(try bursts().first)
        let ids = try ["a1.jpg", "a2.jpg", "a3.jpg"].map { try identifier($0, of: first) }
        #expect(try world.run(["set"] + ids + ["--hidden", "true"]).status == 0)
        #expect(try bursts().map { $0["burstIdentifier"] } == ["B"])
        #expect(try bursts("--include-hidden").map(names).first?.count == 3)
    }
}
