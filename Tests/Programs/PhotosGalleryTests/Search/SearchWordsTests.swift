import Foundation
import TestSupport
import Testing

@testable import PhotosGallery

/// The interpretation of search words, and that the library supports each resulting predicate.
@Suite(.timeLimit(.minutes(2))) struct SearchWordsTests {
    private static let utc: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    private func terms(_ text: String) -> [SearchWords.Term] {
        SearchWords(text, calendar: Self.utc).terms
    }

    @Test func wordsAreSorted() {
        let found = terms(
            "video 2024-05 ★★ camera:canon Lens:\"RF 50\" place:München near:48,11 sea"
        )
        #expect(
            found.map(\.kind) == [
                "kind", "date", "rating", "camera", "lens", "place", "near", "text",
            ]
        )
        #expect(found[0].predicate == "mediaType = 2")
        #expect(
            found[1].predicate
                == "(creationDate >= CAST(\"2024-05-01T00:00:00Z\", \"NSDate\") AND creationDate <"
                + " CAST(\"2024-06-01T00:00:00Z\", \"NSDate\"))"
        )
        #expect(found[2].predicate == "rating >= 2")
        #expect(
            found[3].predicate
                == "(cameraMake CONTAINS[cd] \"canon\" OR cameraModel CONTAINS[cd] \"canon\")"
        )
        #expect(found[4].predicate == "lensModel CONTAINS[cd] \"RF 50\"")
        #expect(found[5].predicate == "places CONTAINS[cd] \"München\"")
        #expect(found[7].predicate.contains("places CONTAINS[cd] \"sea\""))
        #expect(found[7].predicate.contains("keywords CONTAINS[cd] \"sea\""))
    }

    @Test func quotesAndColonsAreTakenAsTheyAre() {
        #expect(terms("\"video\"").map(\.kind) == ["text"])
        #expect(terms("a:b").map(\.text) == ["a:b"])
        #expect(terms("camera:").isEmpty)
        #expect(terms("camera:\"EOS R6\" x").map(\.text) == ["EOS R6", "x"])
        #expect(terms("near:north").map(\.kind) == ["text"])
        #expect(terms("near:91,0").map(\.text) == ["near:91,0"])
        #expect(terms("a\\b").first?.predicate.contains("\"a\\\\b\"") == true)
        #expect(terms("  ").isEmpty)
    }

    @Test func regionsGoAroundTheWorld() throws {
        func region(_ text: String) throws -> String { try #require(NearRegion(text)).predicate }
        #expect(
            try region("48,11,111.195")
                == "(latitude BETWEEN {47.00000, 49.00000} AND longitude BETWEEN {9.47575, 12.52425})"
        )
        #expect(
            try region("0,179.5,111.195")
                == "(latitude BETWEEN {-1.00000, 1.00000} AND"
                + " (longitude >= 178.49985 OR longitude <= -179.49985))"
        )
        #expect(try region("89.9,10,50") == "(latitude BETWEEN {89.45034, 90.00000})")
        #expect(NearRegion("1,2,0") == nil)
        #expect(NearRegion("1,2,nan") == nil)
        #expect(NearRegion("1,2,3,4") == nil)
    }

    @Test func everyPredicateIsAnswered() throws {
        let world = try GalleryWorld(photos: 12)
        try world.enter()
        func count(_ predicate: String) throws -> Int? {
            let allowed = CharacterSet.alphanumerics
            let text = try #require(predicate.addingPercentEncoding(withAllowedCharacters: allowed))
            let answer = try world.ask("GET", "/api/timeline?predicate=" + text)
            #expect(answer.status == 200, "\(predicate): \(answer.text)")
            return answer.object["count"] as? Int
        }
        let all = try #require(try count(""))
        for kind in SearchWords.kinds.values { _ = try count(kind) }
        let words =
            "100% ★★★ 2024 2024-05-01 camera:a lens:\"%@\" place:x near:48,11 near:0,180,500 \\ é 日本"
        for term in terms(words) { _ = try count(term.predicate) }
        let located = try #require(try count("location != nil"))
        #expect(located + (try count("location = nil") ?? 0) == all)

        // Every facet leads to as many photos as it states.
        let facets = try world.ask("GET", "/api/search/facets")
        for name in ["cameras", "places"] {
            let entries = try #require(facets.object[name] as? [[String: Any]], "\(facets.text)")
            #expect(!entries.isEmpty, "\(name)")
            for entry in entries {
                let predicate = try #require(entry["predicate"] as? String)
                #expect(try count(predicate) == entry["count"] as? Int, "\(predicate)")
            }
        }
    }
}
