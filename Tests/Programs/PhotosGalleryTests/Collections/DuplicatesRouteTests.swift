import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

/// The list of duplicates stays divided by groups, and keeping a photo removes only its duplicates.
@Suite(.timeLimit(.minutes(3))) struct DuplicatesRouteTests {
    private let world: GalleryWorld
    /// The found groups.
    private let groups: [[String]]

    /// Searches for duplicates in a library with two pictures, each in two sizes: 640 pixels wide,
    /// and 320 or 160.
    init() throws {
        let world = try GalleryWorld(photos: 1)
        self.world = world
        let pictures: [(String, Picture, Int)] = [
            ("a.jpg", Picture(.hills, seed: 1), 640), ("b.jpg", Picture(.hills, seed: 1), 320),
            ("c.jpg", Picture(.hills, seed: 9), 640), ("d.jpg", Picture(.hills, seed: 9), 160),
        ]
        for (name, picture, width) in pictures {
            let photo = SamplePhoto(picture, size: .init(width: width, height: width * 3 / 4))
            try world.add(file: name, SampleFile.jpeg(photo))
        }
        try world.enter()
        let begun = try world.change("POST", "/api/duplicates", "{\"action\":\"find\"}")
        try #require(begun.status == 200, "\(begun.text)")
        let end = try world.value { () throws -> RawAnswer? in
            let state = try world.ask("GET", "/api/duplicates")
            return state.object["state"] as? String == "done" ? state : nil
        }
        groups = try Self.groups(try #require(end))
        try #require(groups.map(\.count) == [2, 2])
    }

    private static func groups(_ state: RawAnswer) throws -> [[String]] {
        let groups = try #require(state.object["groups"] as? [[String: Any]], "\(state.text)")
        return groups.map { group in
            (group["assets"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
        }
    }

    /// Returns the list as the page shows it: the identifiers, divided as the answer says.
    private func sections(_ parameters: String = "") throws -> [[String]] {
        let answer = try world.ask("GET", "/api/timeline?source=duplicates&first=100" + parameters)
        let assets = try #require(answer.object["assets"] as? [[String: Any]], "\(answer.text)")
        var rest = assets.compactMap { $0["id"] as? String }[...]
        var sections: [[String]] = []
        for count in try #require(answer.object["groups"] as? [Int], "\(answer.text)") {
            sections.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        #expect(rest.isEmpty && answer.object["count"] as? Int == assets.count, "\(answer.text)")
        return sections
    }

    private func keep(_ id: String, insteadOf others: [String]) throws -> RawAnswer {
        let names = others.map { "\"\($0)\"" }.joined(separator: ",")
        return try world.change(
            "POST",
            "/api/changes",
            "{\"action\":\"keepDuplicate\",\"id\":\"\(id)\",\"remove\":[\(names)]}"
        )
    }

    @Test func theListStaysDividedByGroups() throws {
        #expect(try sections() == groups)
        #expect(try sections("&order=oldest") == groups)
        let kept = try keep(groups[0][0], insteadOf: [groups[0][1]])
        #expect(kept.status == 200, "\(kept.text)")
        #expect(try sections() == [groups[1]])
        let undo = try #require(kept.object["undo"] as? String)
        let undone = try world.change("POST", "/api/undo", "{\"undo\":\"\(undo)\"}")
        #expect(undone.status == 200, "\(undone.text)")
        #expect(try sections() == groups)
    }

    @Test func aSearchLeavesOutWhatHasNoDuplicateInIt() throws {
        // The second picture's smaller photo is too small.
        let whole = try groups.filter { group in
            try group.allSatisfy { try world.asset($0)["width"] as? Int ?? 0 > 200 }
        }
        try #require(whole.count == 1)
        #expect(try sections("&predicate=pixelWidth+%3E+200") == whole)
        #expect(try sections("&predicate=pixelWidth+%3E+400").isEmpty)
        #expect(try sections("&predicate=pixelWidth+%3E+100") == groups)
    }

    @Test func onlyPhotosOfOneGroupAreMerged() throws {
        let before = try world.assets().count
        let (first, second) = (groups[0], groups[1])
        #expect(try keep(first[0], insteadOf: [second[0]]).code == "refused")
        #expect(try keep(first[0], insteadOf: [first[1], second[0]]).code == "refused")
        let ids = try world.assets().compactMap { $0["id"] as? String }
        let other = try #require(ids.first { !groups.joined().contains($0) })
        #expect(try keep(first[0], insteadOf: [other]).code == "refused")
        #expect(try keep(first[0], insteadOf: []).code == "badRequest")
        #expect(try world.assets().count == before)
        #expect(try keep(first[1], insteadOf: [first[0]]).status == 200)
        #expect(try world.assets().count == before - 1)
        // What was removed is in no group any more.
        #expect(try keep(first[1], insteadOf: [first[0]]).code == "refused")
    }
}
