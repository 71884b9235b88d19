import SamplePhotos
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

/// The files below a source's folder, found by their paths.
@Suite(.timeLimit(.minutes(1))) struct SourceListingTests {
    private static func entry(_ path: String, _ size: Int64 = 10) -> SourceListing.Entry {
        SourceListing.Entry(path: path, size: size, modificationTime: -size)
    }

    @Test func listingFindsPrefixesAndNames() {
        let listing = SourceListing(
            ["a/b_4.dng", "a/b_40.dng", "a/b_4x", "c/d/full_9.jpeg", "c/full_9a.jpeg", "full_9.x"]
                .map { Self.entry($0) }
        )
        func found(_ location: ForeignResource.Location) -> [String] {
            listing.entries(at: location).map(\.path)
        }
        #expect(found(.prefix("a/b_4.")) == ["a/b_4.dng"])
        #expect(found(.name("full_9.", below: "c/")) == ["c/d/full_9.jpeg"])
        #expect(found(.path("a/../a/b_4.dng")) == [])
        #expect(found(.path("/etc/passwd")) == [])
        #expect(found(.path("a/b_4x")) == ["a/b_4x"])
        #expect(found(.path("a/b_4")) == [])
        #expect(found(.prefix("x")) == [] && found(.name("x", below: "")) == [])
    }

    @Test func listingFindsPathsWithOtherFormsOfLetters() throws {
        let (short, long) = ("a/caf\u{E9}.jpg", "a/cafe\u{301}.jpg")
        let one = SourceListing([Self.entry(long), Self.entry("a/b.jpg")])
        let path = try #require(one.entries(at: .path(short)).first?.path)
        #expect(Array(path.utf8) == Array(long.utf8))
        // Two files are two, and each is found by its bytes.
        let two = SourceListing([Self.entry(long), Self.entry(short)])
        #expect(two.count == 2)
        for name in [short, long] {
            let path = try #require(two.entries(at: .path(name)).first?.path)
            #expect(Array(path.utf8) == Array(name.utf8))
        }
    }

    @Test func anyListingFindsWhatASearchFinds() {
        let seed = TestSeed()
        var random = seed.generator
        let letters = ["a", "b", "/", ".", "_", "e\u{301}", "\u{E9}", "\u{1F5BC}", "Z", "0"]
        func path(_ random: inout SeededGenerator) -> String {
            (0..<Int.random(in: 0...6, using: &random))
                .map { _ in letters.randomElement(using: &random) ?? "" }.joined()
        }
        func isSame(_ first: String, _ second: String) -> Bool {
            first.utf8.elementsEqual(second.utf8)
        }
        for _ in 0..<200 {
            let count = Int.random(in: 0...40, using: &random)
            let entries = (0..<count).map { Self.entry(path(&random), Int64($0)) }
            let listing = SourceListing(entries)
            // The first of equal paths, in the order of their bytes.
            var unique: [SourceListing.Entry] = []
            for entry in entries where !unique.contains(where: { isSame($0.path, entry.path) }) {
                unique.append(entry)
            }
            unique.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
            func describe(_ entries: [SourceListing.Entry]) -> [String] {
                entries.map { "\(Array($0.path.utf8)) \($0.size) \($0.modificationTime)" }
            }
            let listed = (0..<listing.count).map { listing[$0] }
            #expect(describe(listed) == describe(unique), "\(seed)")
            for _ in 0..<20 {
                let text = path(&random)
                let folder = path(&random)
                let exact = unique.filter { isSame($0.path, text) }
                let wanted = exact.isEmpty ? unique.filter { $0.path == text } : exact
                #expect(
                    describe(listing.entries(at: .path(text))) == describe(Array(wanted.prefix(1))),
                    "\(seed)"
                )
                let prefixed = unique.filter { $0.path.utf8.starts(with: text.utf8) }
                #expect(
                    describe(listing.entries(at: .prefix(text))) == describe(prefixed),
                    "\(seed)"
                )
                let named = unique.filter { entry in
                    let name = entry.path.utf8.split(
                        separator: 0x2F,
                        omittingEmptySubsequences: false
                    ).last
                    return entry.path.utf8.starts(with: folder.utf8)
                        && (name ?? Substring().utf8).starts(with: text.utf8)
                }
                #expect(
                    describe(listing.entries(at: .name(text, below: folder))).sorted()
                        == describe(named).sorted(),
                    "\(seed)"
                )
            }
        }
    }
}
