import LibraryService
import PhotoModel
import Photos
import Testing

@Suite(.timeLimit(.minutes(2))) struct PredicateErrorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let format: String
        let position: Int
        let reason: String
        var testDescription: String { format }

        init(_ format: String, _ position: Int, _ reason: String) {
            self.format = format
            self.position = position
            self.reason = reason
        }
    }

    static let rows = [
        Row("", 0, "empty"), Row("   ", 0, "empty"), Row("mediaType", 9, "found the end"),
        Row("mediaType ==", 12, "found the end"), Row("mediaType == 1 1", 15, "AND or OR"),
        Row("mediaType = = 1", 12, "found “=”"), Row("mediaType foo 1", 10, "found “foo”"),
        Row("(mediaType == 1", 15, "“)”"), Row("mediaType == 1)", 14, "found “)”"),
        Row("mediaType == 'abc", 13, "closing quote"), Row("mediaType == \"abc'", 13, "closing"),
        Row("a IN {1, 2", 10, "“}”"), Row("a IN {1,}", 8, "found “}”"), Row("a ? 1", 2, "“?”"),
        Row("a BETWEEN {1}", 10, "list of two"), Row("a BETWEEN 5", 10, "list of two"),
        Row("a = %y", 4, "“%”"), Row("a = %", 4, "“%”"), Row("a = %.2f", 4, "“%”"),
        Row("a = 1 AND", 9, "the end"), Row("AND a = 1", 0, "“AND”"), Row("NOT", 3, "the end"),
        Row("a ==[x] 1", 5, "c, d or cd"), Row("a ==[c 1", 7, "“]”"),
        Row("a = $date", 4, "Substitution"), Row("ANY a = 1", 0, "ANY"),
        Row("a > now()", 4, "now"), Row("a = 12abc", 4, "neither"), Row("a = 0xZZ", 4, "64-bit"),
        Row("a = '\\u12'", 5, "code point"), Row("# = 1", 0, "“#”"),
        Row("é = 1 ß", 6, "“ß”"), Row("👩‍👩‍👧 = 1", 0, "means nothing"),
        Row("a = %@", 4, "no argument"), Row("a = 1 AND b = %d", 14, "no argument"),
        Row("a == b == c", 7, "“==”"), Row("()", 2, "found the end"), Row("a IN", 4, "the end"),
    ]

    @Test(arguments: rows) func malformedFormatsAreNamedWithTheirPosition(_ row: Row) throws {
        let error = try #require(failure(NSPredicate(format: row.format)))
        #expect(error.code == .malformedPredicate)
        #expect(error.message.contains("“\(row.format)”"))
        #expect(error.message.contains("at position \(row.position)."), "\(error)")
        #expect(error.reason?.contains(row.reason) == true, "\(error)")
        #expect(error.recovery != nil)
    }

    @Test func wrongArgumentsAreNamedWithTheirPosition() throws {
        struct Other {}
        let rows: [(String, Any?, Int, String)] = [
            ("a = 1 AND b = %d", "x", 14, "a number"), ("a = %f", nil, 4, "a number"),
            ("%K = 1", 5, 0, "name of a key"), ("%K = 1", nil, 0, "name of a key"),
            ("a = %@", Other(), 4, "Other"), ("a IN %@", [Other()], 5, "Array<Other>"),
        ]
        for (format, argument, position, reason) in rows {
            let error = try #require(failure(NSPredicate(format: format, argument)))
            #expect(error.message.contains("at position \(position)."), "\(error)")
            #expect(error.reason?.contains(reason) == true, "\(error)")
        }
    }

    @Test func malformedFormatsFetchNothingAndAreLogged() {
        let library = FakeLibrary(assets: 3)
        let options = PHFetchOptions()
        options.predicate = NSPredicate(format: "mediaType ==")
        library.use { #expect(PHAsset.fetchAssets(with: options).count == 0) }
        #expect(library.requests.isEmpty)
        #expect(library.log.messages.count == 1)
        #expect(library.log.messages.first?.contains("at position 12") == true)
    }

    @Test func malformedFormatsInsideCompoundsAreFound() throws {
        let compound = NSCompoundPredicate(orPredicateWithSubpredicates: [
            NSPredicate(value: true), NSPredicate(format: "a = "),
        ])
        #expect(failure(compound)?.code == .malformedPredicate)
    }

    /// Formats of hundreds of thousands of characters; tests get their indexes, so that the text is
    /// not printed.
    static let hugeFormats = [
        String(repeating: "(", count: 100_000) + "a = 1" + String(repeating: ")", count: 100_000),
        String(repeating: "NOT (", count: 10_000) + "a = 1" + String(repeating: ")", count: 10_000),
        "a = " + String(repeating: "-", count: 100_000) + "1",
        "a = " + String(repeating: "1 + ", count: 100_000) + "1",
        "a IN " + String(repeating: "{", count: 100_000) + String(repeating: "}", count: 100_000),
        String(repeating: "(", count: 100_000), String(repeating: ")", count: 100_000),
        String(repeating: "a", count: 100_000) + " = 1 =", String(repeating: "'", count: 99_999),
    ]

    @Test(arguments: hugeFormats.indices)
    func hugeFormatsAreErrorsAndNotCrashes(_ index: Int) {
        let code = failure(NSPredicate(format: Self.hugeFormats[index]))?.code
        #expect(code == .malformedPredicate)
    }

    @Test func longListsOfAlternativesAreFine() throws {
        let format = (0..<5_000).map { "mediaType = \($0)" }.joined(separator: " OR ")
        let node = try tree(NSPredicate(format: format))
        guard case .or(let nodes) = node else {
            Issue.record("no disjunction")
            return
        }
        #expect(nodes.count == 5_000)
        let not = String(repeating: "NOT ", count: 100_001) + "TRUEPREDICATE"
        #expect(try tree(NSPredicate(format: not)) == .not(.constant(true)))
    }

    @Test func anyTextIsReadOrRefused() throws {
        // Random text must never stop the program; a failure prints the seed.
        var seed: UInt64 = 0x5eed
        func next(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % bound
        }
        let pieces = [
            "a", "mediaType", "=", "==", "!", "!=", "<", ">", "(", ")", "{", "}", "[", "]", "[cd]",
            "AND", "OR", "NOT", "IN", "BETWEEN", "LIKE", "'x'", "'", "\"", "1", "-", "+", "&", "|",
            "%@", "%d", "%K", "%", "SELF", "nil", ",", "#", "\\", ".", "1.5", " ", "TRUEPREDICATE",
            "é", "\u{0}", "🏔️",
        ]
        for _ in 0..<3_000 {
            let format = (0..<next(12) + 1).map { _ in pieces[next(pieces.count)] }
                .joined(separator: next(2) == 0 ? " " : "")
            let error = failure(NSPredicate(format: format, "k", 1, "x", 2.5))
            if let error { #expect(error.code == .malformedPredicate, "\(format)") }
        }
    }
}
