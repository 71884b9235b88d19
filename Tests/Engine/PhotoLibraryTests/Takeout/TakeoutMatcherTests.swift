import Foundation
import PhotoLibrary
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct TakeoutMatcherTests {
    /// A folder: its JSON files, and the JSON file of each medium.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var jsons: [String]
        var media: [String: String?]
        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "own",
            jsons: ["A.jpg.json", "B.PNG.json", "Cake.json"],
            media: ["A.jpg": "A.jpg.json", "b.png": "B.PNG.json", "Cake.jpg": "Cake.json"]
        ),
        Case(
            name: "number",
            jsons: ["A.jpg.json", "A.jpg(1).json"],
            media: ["A.jpg": "A.jpg.json", "A(1).jpg": "A.jpg(1).json", "A(2).jpg": nil]
        ),
        Case(
            name: "number of the title",
            jsons: ["Holiday (1).jpg.json"],
            media: ["Holiday (1).jpg": "Holiday (1).jpg.json"]
        ),
        Case(
            name: "supplemental",
            jsons: [
                "A.jpg.supplemental-metadata.json", "A.jpg.supplemental-metadata(1).json",
                "B.jpg(1).suppl.json",
            ],
            media: [
                "A.jpg": "A.jpg.supplemental-metadata.json",
                "A(1).jpg": "A.jpg.supplemental-metadata(1).json",
                "B(1).jpg": "B.jpg(1).suppl.json",
            ]
        ),
        Case(
            name: "cut",
            jsons: ["a_name_with_many_letters_that_is_cut_at_46_uni.json"],
            media: [
                "a_name_with_many_letters_that_is_cut_at_46_units.jpg":
                    "a_name_with_many_letters_that_is_cut_at_46_uni.json",
                "a_name_with_many_letters.jpg": nil,
            ]
        ),
        Case(
            name: "edited",
            jsons: ["A.HEIC.json", "A.HEIC(1).json"],
            media: [
                "A.HEIC": "A.HEIC.json", "A-edited.jpg": "A.HEIC.json",
                "A-bearbeitet(1).HEIC": "A.HEIC(1).json", "A-collage.jpg": nil,
            ]
        ),
        Case(
            name: "movie",
            jsons: ["A.HEIC.json", "B.JPG.json", "B.MP4.json"],
            media: [
                "A.HEIC": "A.HEIC.json", "a.MP4": "A.HEIC.json", "B.JPG": "B.JPG.json",
                "B.MP4": "B.MP4.json", "C.MP4": nil,
            ]
        ),
    ]

    @Test(arguments: cases) func findsTheRightJSON(_ each: Case) {
        expect(each)
    }

    private func expect(_ each: Case) {
        let media = each.media.keys.sorted()
        let matches = TakeoutMatcher(jsons: each.jsons, media: media).matches()
        for (name, match) in zip(media, matches) {
            let found = match?.json.map { each.jsons[$0] }
            #expect(found == each.media[name] ?? nil, "\(each.name): \(name)")
        }
    }

    @Test func partnersAreNamed() throws {
        let media = ["A.jpg", "A-edited.jpg", "A-sepia.jpg", "A.MP4", "A-2.jpg"]
        let matches = TakeoutMatcher(jsons: ["A.jpg.json"], media: media).matches()
        #expect(matches[0] == TakeoutMatcher.Match(json: 0, rule: .own))
        #expect(matches[1] == TakeoutMatcher.Match(json: 0, rule: .edited, partner: 0))
        // A word that Google does not write, so this is a guess.
        #expect(
            matches[2]
                == TakeoutMatcher.Match(json: 0, rule: .edited, partner: 0, isGuessed: true)
        )
        #expect(matches[3] == TakeoutMatcher.Match(json: 0, rule: .movieHalf, partner: 0))
        #expect(matches[4] == nil)
        // Without JSON files, only Google's own words pair files.
        let alone = TakeoutMatcher(jsons: [], media: media).matches()
        #expect(alone[1] == TakeoutMatcher.Match(json: nil, rule: .edited, partner: 0))
        #expect(alone[2] == nil)
    }

    @Test func titleDecidesBetweenEqualNames() {
        let base = "this_title_is_long_enough_to_be_cut_by_google_"
        let jsons = [base + ".json", base + ".supplemental-metadata.json"]
        #expect(base.utf16.count == 46)
        let matcher = TakeoutMatcher(
            jsons: jsons + [base + "..json"],
            titles: ["other", "other", base + "photos: 1.jpg"],
            media: [base + "photos_ 1.jpg"]
        )
        #expect(matcher.matches()[0]?.json != nil)
    }

    @Test func forgottenDuplicateIsAGuess() {
        let stem = "a_name_with_many_letters_that_is_cut_at_46_units"
        let json = String(stem.prefix(46)) + ".json"
        let matches = TakeoutMatcher(jsons: [json], media: [stem + ".jpg", stem + "(1).jpg"])
            .matches()
        #expect(matches[0] == TakeoutMatcher.Match(json: 0, rule: .own))
        #expect(
            matches[1]
                == TakeoutMatcher.Match(json: 0, rule: .forgottenDuplicate, isGuessed: true)
        )
    }

    /// Google's own names for a title: cut at 46 UTF-16 units, with or without the supplement.
    @Test func anyTitleIsFound() {
        let seed = TestSeed()
        var random = seed.generator
        let letters = Array("abcdefgh ABC_-.)019äöü漢字🐶☀️")
        for _ in 0..<2000 {
            let length = Int.random(in: 1...60, using: &random)
            var title = ""
            for _ in 0..<length { title.append(letters.randomElement(using: &random) ?? "a") }
            title += "x.jpg"
            let number = Int.random(in: 0...3, using: &random)
            let numbered = number == 0 ? "" : "(\(number))"
            let full = title.precomposedStringWithCanonicalMapping
            let isSupplemental = Bool.random(using: &random)
            let whole = Array(
                (isSupplemental ? full + ".supplemental-metadata" : full).utf16.prefix(46)
            )
            guard let cut = String(validating: whole, as: UTF16.self), cut.utf16.last != 0x2e else {
                continue
            }
            let media = String(full.dropLast(4)) + numbered + ".jpg"
            let matches = TakeoutMatcher(jsons: [cut + numbered + ".json"], media: [media])
                .matches()
            #expect(matches[0]?.json == 0, "\(seed): \(cut)\(numbered).json, \(media)")
        }
    }

    /// Arbitrary names are paired without a trap, and never with a JSON that does not exist.
    @Test func arbitraryNamesAreHarmless() {
        let seed = TestSeed()
        var random = seed.generator
        let parts = [
            "", "A", "(", ")", "(1)", "(999999999999)", ".", ".jpg", ".MP4", ".json", "-edited",
            "-", "-e", ".supplemental-metadata", ".s", "漢", "\u{301}", "🐶",
            String(repeating: "x", count: 46),
        ]
        func name() -> String {
            (0..<Int.random(in: 0...6, using: &random)).map { _ in
                parts.randomElement(using: &random) ?? ""
            }.joined()
        }
        for _ in 0..<500 {
            let jsons = (0..<8).map { _ in name() + ".json" }
            let media = (0..<8).map { _ in name() }
            let matches = TakeoutMatcher(jsons: jsons, media: media).matches()
            #expect(matches.count == media.count)
            for (index, match) in matches.enumerated() {
                if let json = match?.json { #expect(jsons.indices.contains(json), "\(seed)") }
                #expect(match?.partner != index, "\(seed)")
            }
        }
    }

    // MARK: - Real names

    private static let fixtures = SharedData.sharedFolder.appendingPathComponent("migration")
    private static let hasFixtures = FileManager.default.fileExists(atPath: fixtures.path)

    private static func rows(_ path: String) throws -> [[String]] {
        let text = try String(contentsOf: fixtures.appendingPathComponent(path), encoding: .utf8)
        return text.split(separator: "\n", omittingEmptySubsequences: true).dropFirst().map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }

    @Test(.enabled(if: hasFixtures, "There are no migration fixtures.")) func reportedNames() throws
    {
        var folders: [[String]: [String: String?]] = [:]
        for row in try Self.rows("takeout-names/cases.tsv") {
            folders[[row[0], row[2]], default: [:]][row[3]] = .some(row[4].isEmpty ? nil : row[4])
        }
        let rows = folders.values.reduce(0) { $0 + $1.count }
        #expect(rows == 68)
        for (key, media) in folders {
            let jsons = key[1].isEmpty ? [] : key[1].components(separatedBy: " | ")
            expect(Case(name: key[0], jsons: jsons, media: media))
        }
    }

    @Test(
        .enabled(if: hasFixtures, "There are no migration fixtures."),
        arguments: ["takeout-osxphotos-2022", "takeout-polish-2021", "takeout-old-names"]
    )
    func realExports(_ name: String) throws {
        var folders: [String: [String: String?]] = [:]
        for row in try Self.rows(name + "/expected.tsv") {
            folders[row[0], default: [:]][row[1]] = .some(row[2].isEmpty ? nil : row[2])
        }
        // Files that the fixture lacks, but whose names count.
        for row in try Self.rows(name + "/LEFT-OUT.tsv") {
            let parts = row[0].split(separator: "/").map(String.init)
            let folder = parts.dropLast().joined(separator: "/")
            guard let known = folders[folder], let last = parts.last, known[last] == nil else {
                continue
            }
            folders[folder]?[last] = .some("*")
        }
        for (folder, media) in folders {
            let path = Self.fixtures.appendingPathComponent("\(name)/tree/\(folder)").path
            let jsons = try FileManager.default.contentsOfDirectory(atPath: path)
                .filter { $0.hasSuffix(".json") && $0 != "metadata.json" }
            let names = media.keys.sorted()
            let matches = TakeoutMatcher(jsons: jsons, media: names).matches()
            for (medium, match) in zip(names, matches) where media[medium] != .some("*") {
                let found = match?.json.map { jsons[$0] }
                #expect(found == media[medium] ?? nil, "\(name) \(folder)/\(medium)")
            }
        }
    }

    /// Comparing takes the square of a name's length, and an archive may have many names of 4 kB.
    @Test func namesThatNoFileSystemHasAreNotCompared() {
        let limit = TakeoutMatcher.maximumLength
        for (length, isMatched) in [(limit - 5, true), (limit - 4, false), (4000, false)] {
            let media = String(repeating: "x", count: length - 4) + ".jpg"
            let matches = TakeoutMatcher(
                jsons: [media + ".json"],
                media: [media, "x.jpg", media.replacing(".jpg", with: "-edited.jpg")]
            ).matches()
            #expect((matches[0]?.json == 0) == isMatched, "\(length)")
            #expect(matches[1] == nil)
        }
    }

    @Test func descriptionOfTheSamePartIsPreferred() {
        for sources in [[0, 1], [1, 0]] {
            let matches = TakeoutMatcher(
                jsons: ["A.jpg.json", "A.jpg.json"],
                media: ["A.jpg", "A.jpg"],
                sources: TakeoutMatcher.Sources(jsons: [0, 1], media: sources)
            ).matches()
            #expect(matches.map { $0?.json } == sources)
        }
    }
}
