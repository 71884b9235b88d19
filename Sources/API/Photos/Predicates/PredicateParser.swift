internal import LibraryService

/// A parser for predicate format strings.
///
///     or         = and { ("OR" | "||") and }
///     and        = not { ("AND" | "&&") not }
///     not        = { "NOT" | "!" } primary
///     primary    = "TRUEPREDICATE" | "FALSEPREDICATE" | "(" or ")" | comparison
///     comparison = expression operator expression
///     expression = bits of sums of products of signed operands
///
/// A parenthesis can enclose logic or one side of a comparison. Its content decides which, so
/// nothing is parsed twice and errors have the right position.
struct PredicateParser {
    /// The maximum nesting depth of parentheses.
    ///
    /// It is limited because the depth of stacks, SQL statements and JSON is; see also
    /// `PredicatePlan.depthLimit`.
    static let depthLimit = 40
    /// The maximum number of operators in one side of a comparison.
    static let operatorLimit = 50

    private(set) var tokens: [PredicateToken]
    private(set) var index = 0
    private var depth = 0
    private var operators = 0
    /// The token indexes of the opening parentheses that enclose a predicate rather than an operand
    /// of a comparison.
    private let logicalParentheses: Set<Int>
    private let arguments: [Int: Any?]

    /// Parses a complete format.
    ///
    /// - Throws: The position and the reason of the first error.
    static func parse(
        _ format: String,
        arguments: PredicateArguments
    ) throws(PredicateSyntaxError) -> PredicateNode {
        let tokens = try PredicateLexer.tokens(of: format)
        var parser = PredicateParser(
            tokens: tokens,
            arguments: try assigned(arguments, to: tokens)
        )
        if parser.current.kind == .end {
            throw PredicateSyntaxError(0, "The format is empty.")
        }
        let node = try parser.disjunction()
        guard parser.current.kind == .end else {
            throw parser.unexpected("the end, AND or OR")
        }
        return node
    }

    private init(tokens: [PredicateToken], arguments: [Int: Any?]) {
        self.tokens = tokens
        self.arguments = arguments
        logicalParentheses = Self.logicalParentheses(in: tokens)
    }

    /// Returns the argument for each placeholder token, by token index.
    private static func assigned(
        _ arguments: PredicateArguments,
        to tokens: [PredicateToken]
    ) throws(PredicateSyntaxError) -> [Int: Any?] {
        var takers: [(index: Int, placeholder: PredicatePlaceholder)] = []
        for (index, token) in tokens.enumerated() {
            if case .placeholder(let placeholder) = token.kind, placeholder.kind != .percent {
                takers.append((index, placeholder))
            }
        }
        let values = arguments.values(for: takers.map(\.placeholder))
        guard values.count >= takers.count else {
            let token = tokens[takers[values.count].index]
            throw PredicateSyntaxError(
                token.position,
                "\(token.name) has no argument: \(takers.count) are required, but "
                    + "\(values.count) were given."
            )
        }
        var assigned: [Int: Any?] = [:]
        for (taker, value) in zip(takers, values) { assigned[taker.index] = .some(value) }
        return assigned
    }

    /// Returns the token indexes of the opening parentheses that enclose a predicate rather than an
    /// operand of a comparison.
    private static func logicalParentheses(in tokens: [PredicateToken]) -> Set<Int> {
        var logical: Set<Int> = []
        var open: [(index: Int, isLogical: Bool)] = []
        for (index, token) in tokens.enumerated() {
            if token.isSymbol("(") {
                open.append((index, false))
            } else if token.isSymbol(")"), let last = open.popLast() {
                if last.isLogical {
                    logical.insert(last.index)
                    if !open.isEmpty { open[open.count - 1].isLogical = true }
                }
            } else if isLogical(token), !open.isEmpty {
                open[open.count - 1].isLogical = true
            }
        }
        // Unclosed parentheses are errors in any case; treating them as logic gives the better
        // message.
        for last in open where last.isLogical { logical.insert(last.index) }
        return logical
    }

    private static func isLogical(_ token: PredicateToken) -> Bool {
        switch token.kind {
        case .word(let word): logicalWords.contains(word.uppercased())
        case .symbol(let symbol): comparisons[symbol] != nil || logicalSymbols.contains(symbol)
        default: false
        }
    }

    // MARK: - Tokens

    var current: PredicateToken { tokens[index] }

    mutating func advance() {
        if index + 1 < tokens.count { index += 1 }
    }

    mutating func accept(symbol: String) -> Bool {
        guard current.isSymbol(symbol) else { return false }
        advance()
        return true
    }

    mutating func accept(word: String) -> Bool {
        guard current.isWord(word) else { return false }
        advance()
        return true
    }

    mutating func expect(symbol: String) throws(PredicateSyntaxError) {
        guard accept(symbol: symbol) else { throw unexpected("“\(symbol)”") }
    }

    func unexpected(_ wanted: String) -> PredicateSyntaxError {
        PredicateSyntaxError(current.position, "Expected \(wanted), found \(current.name).")
    }

    /// The argument for the placeholder at the current token.
    var argument: Any? { arguments[index] ?? nil }

    /// Runs `body` one nesting level deeper, and throws if the depth exceeds the limit.
    mutating func nested<Result>(
        _ body: (inout PredicateParser) throws(PredicateSyntaxError) -> Result
    ) throws(PredicateSyntaxError) -> Result {
        guard depth < Self.depthLimit else {
            throw PredicateSyntaxError(
                current.position,
                "The format is nested more than \(Self.depthLimit) deep."
            )
        }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    /// Counts an operator in the current side of a comparison, and throws if there are too many.
    mutating func countOperator() throws(PredicateSyntaxError) {
        operators += 1
        guard operators <= Self.operatorLimit else {
            throw PredicateSyntaxError(
                current.position,
                "A side of a comparison has more than \(Self.operatorLimit) operators."
            )
        }
    }

    // MARK: - Logic

    private mutating func disjunction() throws(PredicateSyntaxError) -> PredicateNode {
        var nodes = [try conjunction()]
        while accept(word: "OR") || accept(symbol: "||") { nodes.append(try conjunction()) }
        return nodes.count == 1 ? nodes[0] : .or(nodes)
    }

    private mutating func conjunction() throws(PredicateSyntaxError) -> PredicateNode {
        var nodes = [try negation()]
        while accept(word: "AND") || accept(symbol: "&&") { nodes.append(try negation()) }
        return nodes.count == 1 ? nodes[0] : .and(nodes)
    }

    private mutating func negation() throws(PredicateSyntaxError) -> PredicateNode {
        var isNegated = false
        while accept(word: "NOT") || accept(symbol: "!") { isNegated.toggle() }
        let node = try primary()
        return isNegated ? .not(node) : node
    }

    private mutating func primary() throws(PredicateSyntaxError) -> PredicateNode {
        if accept(word: "TRUEPREDICATE") { return .constant(true) }
        if accept(word: "FALSEPREDICATE") { return .constant(false) }
        if current.isSymbol("("), logicalParentheses.contains(index) {
            return try nested { parser throws(PredicateSyntaxError) in
                parser.advance()
                let node = try parser.disjunction()
                try parser.expect(symbol: ")")
                return node
            }
        }
        for word in ["ANY", "SOME", "ALL", "NONE"] where current.isWord(word) {
            throw PredicateSyntaxError(
                current.position,
                "\(word) is not supported: assets have no relationships to many objects."
            )
        }
        return try comparison()
    }

    // MARK: - Comparisons

    private static let comparisons: [String: PredicateComparison.Operator] = [
        "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual,
        "<": .less, "<=": .lessOrEqual, "=<": .lessOrEqual,
        ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
    ]

    private static let wordComparisons: [String: PredicateComparison.Operator] = [
        "BETWEEN": .between, "IN": .in, "BEGINSWITH": .beginsWith, "ENDSWITH": .endsWith,
        "CONTAINS": .contains, "LIKE": .like, "MATCHES": .matches,
    ]

    private static let logicalSymbols: Set<String> = ["&&", "||", "!"]

    private static let logicalWords = Set(wordComparisons.keys).union([
        "AND", "OR", "NOT", "TRUEPREDICATE", "FALSEPREDICATE",
    ])

    /// Returns whether a name is parsed as a key when it is not escaped with `#`.
    static func isKey(_ name: String) -> Bool {
        let upper = name.uppercased()
        guard let first = name.first, PredicateLexer.startsWord(first) else { return false }
        return !reservedWords.contains(upper) && !values.contains(upper)
            && !upper.hasPrefix("SELF.")
    }

    /// The keywords that denote values, in uppercase; they are matched case-insensitively.
    private static let values: Set<String> = ["NIL", "NULL", "YES", "TRUE", "NO", "FALSE", "SELF"]

    /// The words that cannot be keys unless they are escaped with `#`.
    static let reservedWords = logicalWords.union(["ANY", "SOME", "ALL", "NONE"])

    private mutating func comparison() throws(PredicateSyntaxError) -> PredicateNode {
        operators = 0
        let left = try expression()
        operators = 0
        // “x NOT IN y” is parsed as “NOT x IN y”.
        let isNegated = current.isWord("NOT") && tokens[index + 1].isWord("IN")
        if isNegated { advance() }
        guard let `operator` = comparisonOperator() else {
            throw unexpected("a comparison such as ==, IN or CONTAINS")
        }
        let options = try comparisonOptions()
        let position = current.position
        var right = try expression()
        if `operator` == .between { right = try bounds(right, at: position) }
        let node = PredicateNode.comparison(
            PredicateComparison(left, `operator`, right, options: options)
        )
        return isNegated ? .not(node) : node
    }

    private mutating func comparisonOperator() -> PredicateComparison.Operator? {
        let found: PredicateComparison.Operator? =
            switch current.kind {
            case .symbol(let symbol): Self.comparisons[symbol]
            case .word(let word): Self.wordComparisons[word.uppercased()]
            default: nil
            }
        if found != nil { advance() }
        return found
    }

    private mutating func comparisonOptions()
        throws(PredicateSyntaxError) -> PredicateComparison.Options
    {
        guard accept(symbol: "[") else { return [] }
        guard case .word(let letters) = current.kind else { throw unexpected("c, d or cd") }
        var options: PredicateComparison.Options = []
        for letter in letters.lowercased() {
            switch letter {
            case "c": options.insert(.caseInsensitive)
            case "d": options.insert(.diacriticInsensitive)
            default: throw unexpected("c, d or cd")
            }
        }
        advance()
        try expect(symbol: "]")
        return options
    }

    private func bounds(
        _ right: PredicateTerm,
        at position: Int
    ) throws(PredicateSyntaxError) -> PredicateTerm {
        guard case .list(let elements) = right, elements.count == 2 else {
            throw PredicateSyntaxError(
                position,
                "BETWEEN must be followed by a list of two values: {lower, upper}."
            )
        }
        return right
    }
}
