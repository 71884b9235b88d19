import LibraryService
import PhotoModel
import Testing

@Suite(.timeLimit(.minutes(2))) struct PredicateCodingTests {
    static let values: [PredicateValue] = [
        .null, .bool(true), .bool(false), .integer(.min), .integer(.max), .real(0.1), .real(-1e300),
        .string(""), .string("a \"b\" \\ 'c' é \u{1F600}"), .date(SeamValues.date),
        .object("8D7B/L0/001"),
    ]

    static let terms: [PredicateTerm] =
        values.map { .value($0) } + [
            .key("mediaSubtypes", position: 3), .key("duration", position: nil), .selfObject,
            .list([]), .list([.value(.integer(1)), .list([.selfObject])]),
            .negated(.key("rating", position: 0)),
        ]
        + PredicateTerm.BinaryOperator.allCases.map {
            .binary(.key("mediaSubtypes", position: 0), $0, .value(.integer(8)))
        }

    static let nodes: [PredicateNode] = [
        .constant(true), .constant(false), .and([]), .or([]), .not(.constant(false)),
        .and([.or([.constant(true), .not(.constant(true))]), .constant(false)]),
        .rowIDs(RowIDBuffer([1, 2, .max])), .rowIDs(RowIDBuffer()),
    ]

    @Test(arguments: terms) func termsComeBack(_ term: PredicateTerm) throws {
        // Add later terms and values to the lists above.
        switch term {
        case .key, .selfObject, .list, .binary, .negated: break
        case .value(let value):
            switch value {
            case .null, .bool, .integer, .real, .string, .date, .object: break
            }
        }
        try expectRoundTrip(term)
        try expectRoundTrip(
            PredicateNode.comparison(PredicateComparison(term, .equal, term))
        )
    }

    @Test(arguments: PredicateComparison.Operator.allCases, 0..<4 as Range<UInt8>)
    func comparisonsComeBack(_ operation: PredicateComparison.Operator, _ options: UInt8) throws {
        let comparison = PredicateComparison(
            .key("title", position: 0),
            operation,
            .value(.string("a")),
            options: PredicateComparison.Options(rawValue: options)
        )
        try expectRoundTrip(PredicateNode.comparison(comparison))
    }

    @Test(arguments: nodes) func nodesComeBack(_ node: PredicateNode) throws {
        // Add later nodes to the list above.
        switch node {
        case .constant, .and, .or, .not, .comparison, .rowIDs: break
        }
        try expectRoundTrip(node)
    }

    /// JSON is decoded only to a depth of 512, so the deepest tree that clients can make must fit.
    @Test func deepTreesComeBack() throws {
        var term = PredicateTerm.key("rating", position: 0)
        for _ in 0..<50 { term = .binary(term, .bitAnd, .value(.integer(1))) }
        for _ in 0..<40 { term = .list([term]) }
        var node = PredicateNode.comparison(PredicateComparison(term, .in, term))
        for _ in 0..<90 { node = .and([node]) }
        var request = AssetFetchRequest(scope: .library)
        request.predicate = node
        try expectRoundTrip(request)
    }
}
