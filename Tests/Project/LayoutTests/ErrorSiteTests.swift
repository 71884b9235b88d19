import Foundation
import TestSupport
import Testing

/// Pains 3: every place that throws names what failed, and the reason or a remedy.
@Suite(.timeLimit(.minutes(2))) struct ErrorSiteTests {
    /// A place in the sources that creates an error.
    private struct Site {
        var place: String
        var code: String
        var words: String
    }

    /// The codes that are reasons in themselves: a cancellation or a defect.
    private static let evident: Set<String> = ["cancelled", "userCancelled", "internalError"]

    /// Returns all places, including those that are thrown elsewhere.
    private static func sites(of name: String) throws -> [Site] {
        let root = SharedData.packageRoot.appendingPathComponent("Sources")
        var sites: [Site] = []
        let making = try ProcessRunner.run(
            "grep",
            ["-rlF", "--include=*.swift", name + "(", root.path]
        ).lines
        for file in making.map({ String($0.dropFirst(root.path.count + 1)) }).sorted() {
            let text = try String(
                contentsOf: root.appendingPathComponent(file),
                encoding: .utf8
            )
            for part in text.ranges(of: name + "(") {
                let before = text[..<part.lowerBound]
                if let last = before.last, last.isLetter || last == "." { continue }
                let words = arguments(text[part.upperBound...])
                let start = words.trimmingCharacters(in: .whitespacesAndNewlines)
                // Other places pass an error on, or declare it.
                guard start.hasPrefix(".") else { continue }
                sites.append(
                    Site(
                        place: "\(file):\(before.utf8.count { $0 == 10 } + 1)",
                        code: String(start.dropFirst().prefix { $0.isLetter }),
                        words: words
                    )
                )
            }
        }
        return sites
    }

    /// Returns the text up to the closing parenthesis.
    private static func arguments(_ text: Substring) -> String {
        var depth = 1
        let end = text.firstIndex { character in
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            return depth == 0
        }
        return String(text[..<(end ?? text.endIndex)])
    }

    @Test func everyThrowSiteOfTheEngineGivesReasons() throws {
        let sites = try Self.sites(of: "LibraryError")
        #expect(sites.count > 180, "\(sites.count)")
        for site in sites {
            #expect(site.words.contains(","), "\(site.place) says nothing.")
            // Multiline strings begin and end with three quotes.
            let hasEmptyText = site.words.replacing("\"\"\"", with: "").contains("\"\"")
            #expect(!hasEmptyText, "\(site.place) has an empty text.")
            let says = site.words.contains("reason:") || site.words.contains("recovery:")
            #expect(
                says || Self.evident.contains(site.code),
                "\(site.place) throws \(site.code) and says neither why nor what helps."
            )
        }
        // A test that finds nothing would not fail.
        #expect(Set(sites.map(\.code)).count > 15)
    }

    @Test func everyThrowSiteOfThePublicModulesGivesReasons() throws {
        let sites = try Self.sites(of: "PHPhotosError")
        #expect(sites.count > 8, "\(sites.count)")
        for site in sites where !Self.evident.contains(site.code) {
            // The default messages are tested with the codes.
            #expect(site.words.contains("userInfo:"), "\(site.place) throws a bare \(site.code).")
        }
    }
}
