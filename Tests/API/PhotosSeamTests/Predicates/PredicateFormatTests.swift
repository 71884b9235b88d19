import LibraryService
import PhotoModel
import Photos
import Testing

@Suite(.timeLimit(.minutes(2))) struct PredicateFormatTests {
    @Test(arguments: [
        ("=", PredicateComparison.Operator.equal), ("==", .equal), ("!=", .notEqual),
        ("<>", .notEqual), ("<", .less), ("<=", .lessOrEqual), ("=<", .lessOrEqual),
        (">", .greater), (">=", .greaterOrEqual), ("=>", .greaterOrEqual),
    ])
    func symbolsCompare(_ symbol: String, _ operation: PredicateComparison.Operator) throws {
        for format in ["a\(symbol)1", "a \(symbol) 1", "a\t\(symbol)\n1", " a\(symbol) 1 "] {
            let position = format.hasPrefix(" ") ? 1 : 0
            #expect(
                try tree(NSPredicate(format: format))
                    == compare("a", operation, .integer(1), at: position)
            )
        }
    }

    @Test(arguments: [
        ("BEGINSWITH", PredicateComparison.Operator.beginsWith), ("ENDSWITH", .endsWith),
        ("CONTAINS", .contains), ("LIKE", .like), ("MATCHES", .matches),
    ])
    func wordsCompareInAnyCase(
        _ word: String,
        _ operation: PredicateComparison.Operator
    ) throws {
        for word in [word, word.lowercased(), word.capitalized] {
            #expect(
                try tree(NSPredicate(format: "title \(word) 'a'"))
                    == compare("title", operation, .text("a"))
            )
            #expect(
                try tree(NSPredicate(format: "title \(word)[cd] %@", "a"))
                    == compare(
                        "title",
                        operation,
                        .text("a"),
                        [.caseInsensitive, .diacriticInsensitive]
                    )
            )
        }
    }

    @Test func optionsFollowSymbolsToo() throws {
        #expect(
            try tree(NSPredicate(format: "a ==[c] 'x'"))
                == compare("a", .equal, .text("x"), .caseInsensitive)
        )
        #expect(
            try tree(NSPredicate(format: "a !=[DC]'x'"))
                == compare("a", .notEqual, .text("x"), [.caseInsensitive, .diacriticInsensitive])
        )
    }

    /// A predicate's description means the same as its format, whatever its keys are called.
    @Test(arguments: [
        ("SELF.007 == 1", "007"), ("#IN == 1", "IN"), ("SELF.Yes == 1", "Yes"),
        ("SELF.SELF == 1", "SELF"), ("SELF.self.a == 1", "self.a"), ("#a == 1", "a"),
    ])
    func keysThatLookLikeOtherWordsStayKeys(_ format: String, _ key: String) throws {
        let description = NSPredicate(format: format).description
        for format in [format, description] {
            guard case .comparison(let comparison) = try tree(NSPredicate(format: format)),
                case .key(key, _) = comparison.left
            else {
                Issue.record("“\(format)” has another key.")
                continue
            }
            #expect(NSPredicate(format: format).description == description)
        }
    }

    @Test func keysKeepTheirCase() throws {
        #expect(
            try tree(NSPredicate(format: "MediaType = 1"))
                == compare("MediaType", .equal, .integer(1))
        )
    }

    @Test func andBindsTighterThanOr() throws {
        for format in ["a = 1 || b = 2 && c = 3", "a = 1 OR b = 2 AND c = 3"] {
            let positions = format.contains("OR") ? (9, 19) : (9, 18)
            #expect(
                try tree(NSPredicate(format: format))
                    == .or([
                        compare("a", .equal, .integer(1)),
                        .and([
                            compare("b", .equal, .integer(2), at: positions.0),
                            compare("c", .equal, .integer(3), at: positions.1),
                        ]),
                    ])
            )
        }
    }

    @Test func bitsBindTighterThanComparisons() throws {
        let bits = PredicateTerm.binary(.key("mediaSubtypes", position: 0), .bitAnd, .integer(8))
        let expected = PredicateNode.comparison(PredicateComparison(bits, .notEqual, .integer(0)))
        #expect(try tree(NSPredicate(format: "mediaSubtypes & %d != 0", 8)) == expected)
        let inParentheses = PredicateTerm.binary(
            .key("mediaSubtypes", position: 1),
            .bitAnd,
            .integer(8)
        )
        #expect(
            try tree(NSPredicate(format: "(mediaSubtypes & %d) != 0", 8))
                == .comparison(PredicateComparison(inParentheses, .notEqual, .integer(0)))
        )
    }

    @Test func operatorsHaveTheirOrder() throws {
        let term = PredicateTerm.binary(
            .integer(1),
            .bitOr,
            .binary(
                .integer(2),
                .bitAnd,
                .binary(
                    .binary(.integer(3), .add, .binary(.integer(4), .multiply, .integer(5))),
                    .subtract,
                    .integer(-6)
                )
            )
        )
        #expect(
            try tree(NSPredicate(format: "rating = 1 | 2 & 3 + 4 * 5 - -6"))
                == compare("rating", .equal, term)
        )
    }

    @Test(arguments: ["NOT a = 1", "!a = 1", "! a = 1", "not (a = 1)", "NOT NOT NOT a = 1"])
    func notNegates(_ format: String) throws {
        guard case .not(.comparison(let comparison)) = try tree(NSPredicate(format: format)) else {
            Issue.record("\(format) does not negate")
            return
        }
        #expect(comparison.operator == .equal)
    }

    @Test func parenthesesNest() throws {
        #expect(
            try tree(NSPredicate(format: "( ( (((a)) = (1)) ) )"))
                == compare("a", .equal, .integer(1), at: 7)
        )
    }

    @Test func constantPredicatesAreRead() throws {
        #expect(try tree(NSPredicate(format: "TRUEPREDICATE")) == .constant(true))
        #expect(
            try tree(NSPredicate(format: "(falsepredicate) OR NOT TRUEPREDICATE"))
                == .or([.constant(false), .not(.constant(true))])
        )
    }

    @Test(arguments: [
        ("1", PredicateValue.integer(1)), ("-1", .integer(-1)), ("0x1F", .integer(31)),
        ("1.5", .real(1.5)), (".5", .real(0.5)), ("-.5", .real(-0.5)), ("5.", .real(5)),
        ("1e3", .real(1000)), ("2.5E-1", .real(0.25)), ("9223372036854775807", .integer(.max)),
        ("9223372036854775808", .real(9_223_372_036_854_775_808)),
        ("YES", .bool(true)), ("yes", .bool(true)), ("True", .bool(true)), ("NO", .bool(false)),
        ("false", .bool(false)), ("nil", .null), ("NULL", .null), ("Nil", .null),
        ("'a'", .string("a")), ("\"a\"", .string("a")), ("''", .string("")),
        ("'it\\'s'", .string("it's")), ("\"a'b\"", .string("a'b")),
        ("'\\n\\t\\\\'", .string("\n\t\\")),
        ("'\\u00e9'", .string("é")), ("'%@ %d %K'", .string("%@ %d %K")), ("%%", .string("%")),
        ("'🏔️ é'", .string("🏔️ é")),
    ])
    func literalsHaveTheirValues(_ literal: String, _ value: PredicateValue) throws {
        #expect(
            try tree(NSPredicate(format: "a == \(literal)")) == compare("a", .equal, .value(value))
        )
    }

    @Test func listsAreRead() throws {
        let list = PredicateTerm.list([.integer(1), .integer(2)])
        for format in ["a IN {1, 2}", "a in (1,2)", "a IN { 1,2 }"] {
            #expect(try tree(NSPredicate(format: format)) == compare("a", .in, list))
        }
        #expect(
            try tree(NSPredicate(format: "a IN (1)")) == compare("a", .in, .list([.integer(1)]))
        )
        #expect(try tree(NSPredicate(format: "a IN {}")) == compare("a", .in, .list([])))
        #expect(
            try tree(NSPredicate(format: "a BETWEEN {1, 2}")) == compare("a", .between, list)
        )
        #expect(
            try tree(NSPredicate(format: "a BETWEEN %@", [1, 2])) == compare("a", .between, list)
        )
        #expect(try tree(NSPredicate(format: "a IN (%@)", [1, 2])) == compare("a", .in, list))
        #expect(
            try tree(NSPredicate(format: "a NOT IN {1, 2}")) == .not(compare("a", .in, list))
        )
        #expect(
            try tree(NSPredicate(format: "NOT (a IN {1, 2})"))
                == .not(compare("a", .in, list, at: 5))
        )
    }

    @Test func selfIsTheObject() throws {
        let object = PredicateTerm.value(.object("ID/L0/001"))
        let asset = NamedAsset("ID/L0/001")
        #expect(
            try tree(NSPredicate(format: "SELF == %@", asset))
                == .comparison(PredicateComparison(.selfObject, .equal, object))
        )
        #expect(
            try tree(NSPredicate(format: "self IN %@", [asset]))
                == .comparison(PredicateComparison(.selfObject, .in, .list([object])))
        )
        #expect(
            try tree(NSPredicate(format: "SELF.duration > 1"))
                == compare("duration", .greater, .integer(1), at: 5)
        )
    }

    @Test func escapedWordsAreKeys() throws {
        #expect(try tree(NSPredicate(format: "#in = 1")) == compare("in", .equal, .integer(1)))
    }

    @Test func keysAreTakenFromArguments() throws {
        #expect(
            try tree(NSPredicate(format: "NOT %K == %d", "mediaType", 1))
                == .not(compare("mediaType", .equal, .integer(1), at: 4))
        )
    }

    @Test func valuesCanComeFirst() throws {
        #expect(
            try tree(NSPredicate(format: "%@ IN keywords", "sea"))
                == .comparison(
                    PredicateComparison(.text("sea"), .in, .key("keywords", position: 6))
                )
        )
    }
}

/// An asset with an identifier but without a library.
final class NamedAsset: PHAsset, @unchecked Sendable {
    private let name: String

    init(_ name: String) {
        self.name = name
        super.init()
    }

    override var localIdentifier: String { name }
}
