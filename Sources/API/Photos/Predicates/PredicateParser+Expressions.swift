internal import LibraryService

extension PredicateParser {
    /// Parses one side of a comparison.
    mutating func expression() throws(PredicateSyntaxError) -> PredicateTerm {
        try operation(ofLevel: 0)
    }

    /// The binary operators by precedence, lowest first.
    ///
    /// All of them have a higher precedence than comparisons.
    private static let levels: [[String: PredicateTerm.BinaryOperator]] = [
        ["|": .bitOr],
        ["&": .bitAnd],
        ["+": .add, "-": .subtract],
        ["*": .multiply, "/": .divide],
    ]

    private mutating func operation(
        ofLevel level: Int
    ) throws(PredicateSyntaxError) -> PredicateTerm {
        guard level < Self.levels.count else { return try operand() }
        var left = try operation(ofLevel: level + 1)
        while case .symbol(let symbol) = current.kind, let found = Self.levels[level][symbol] {
            // Operators are left-associative, so each one adds a level to the tree.
            try countOperator()
            advance()
            left = .binary(left, found, try operation(ofLevel: level + 1))
        }
        return left
    }

    private mutating func operand() throws(PredicateSyntaxError) -> PredicateTerm {
        let token = current
        switch token.kind {
        case .symbol("-"): return try negated()
        case .symbol("("): return try parenthesis()
        case .symbol("{"): return .list(try list(closing: "}"))
        case .number(let value):
            advance()
            return .value(value)
        case .string(let text):
            advance()
            return .value(.string(text))
        case .placeholder(let placeholder): return try argument(of: placeholder)
        case .escapedWord(let word):
            advance()
            return .key(word, position: token.position)
        case .word(let word): return try operand(word)
        case .symbol, .end: throw unexpected("a key, a value or a placeholder")
        }
    }

    private mutating func negated() throws(PredicateSyntaxError) -> PredicateTerm {
        try nested { parser throws(PredicateSyntaxError) in
            parser.advance()
            return switch try parser.operand() {
            case .value(.integer(let number)) where number != .min: .value(.integer(-number))
            case .value(.real(let number)): .value(.real(-number))
            case let other: .negated(other)
            }
        }
    }

    /// Parses an expression in parentheses, or a list of values such as `(a, b)`.
    private mutating func parenthesis() throws(PredicateSyntaxError) -> PredicateTerm {
        let isBehindIn = index > 0 && tokens[index - 1].isWord("IN")
        let elements = try list(closing: ")")
        if elements.count == 1, !isBehindIn { return elements[0] }
        // In “IN (%@)” with an array as the argument, the list is the array.
        if elements.count == 1, case .list = elements[0] { return elements[0] }
        return .list(elements)
    }

    private mutating func list(
        closing symbol: String
    ) throws(PredicateSyntaxError) -> [PredicateTerm] {
        try nested { parser throws(PredicateSyntaxError) in
            parser.advance()
            var elements: [PredicateTerm] = []
            if parser.accept(symbol: symbol) { return elements }
            repeat {
                elements.append(try parser.expression())
            } while parser.accept(symbol: ",")
            try parser.expect(symbol: symbol)
            return elements
        }
    }

    private mutating func operand(
        _ word: String
    ) throws(PredicateSyntaxError) -> PredicateTerm {
        let token = current
        let upper = word.uppercased()
        switch upper {
        case "NIL", "NULL":
            advance()
            return .value(.null)
        case "YES", "TRUE":
            advance()
            return .value(.bool(true))
        case "NO", "FALSE":
            advance()
            return .value(.bool(false))
        case "SELF":
            advance()
            return .selfObject
        case _ where Self.reservedWords.contains(upper):
            throw unexpected("a key, a value or a placeholder")
        default: break
        }
        advance()
        if upper == "CAST", current.isSymbol("(") { return try cast(at: token.position) }
        if current.isSymbol("(") {
            throw PredicateSyntaxError(
                token.position,
                "The function “\(word)” is not supported; compute the value in the program."
            )
        }
        return key(word, position: token.position)
    }

    /// Parses the operands of `CAST(constant, 'NSDate')`, after the keyword.
    private mutating func cast(at position: Int) throws(PredicateSyntaxError) -> PredicateTerm {
        let operands = try list(closing: ")")
        guard operands.count == 2, case .value(let constant) = operands[0],
            case .value(.string(let type)) = operands[1], ["NSDate", "Date"].contains(type)
        else {
            throw PredicateSyntaxError(
                position,
                "CAST takes a constant and the type 'NSDate', as in"
                    + " CAST('2024-05-01', 'NSDate')."
            )
        }
        guard let date = PredicateDate.date(from: constant) else {
            throw PredicateSyntaxError(
                position,
                "CAST cannot read this date; write it as 2024-05-01 or 2024-05-01T18:30:00+02:00."
            )
        }
        return .value(.date(date))
    }

    private func key(_ path: String, position: Int) -> PredicateTerm {
        // “SELF.duration” is equivalent to “duration”.
        guard path.uppercased().hasPrefix("SELF."), path.count > 5 else {
            return .key(path, position: position)
        }
        return .key(String(path.dropFirst(5)), position: position + 5)
    }

    private mutating func argument(
        of placeholder: PredicatePlaceholder
    ) throws(PredicateSyntaxError) -> PredicateTerm {
        let token = current
        let value = argument
        advance()
        switch placeholder.kind {
        case .percent: return .value(.string("%"))
        case .key:
            guard let value, case .string(let path) = PredicateConstant.scalar(value) else {
                throw wrongArgument(value, for: token, wanted: "the name of a key")
            }
            return path.uppercased() == "SELF"
                ? .selfObject : key(path, position: token.position)
        case .number:
            if let expression = PredicateConstant.expression(for: value) {
                switch expression {
                case .value(.integer), .value(.real), .value(.bool): return expression
                default: break
                }
            }
            throw wrongArgument(value, for: token, wanted: "a number")
        case .text:
            guard let expression = PredicateConstant.expression(for: value),
                case .value(.string) = expression
            else { throw wrongArgument(value, for: token, wanted: "a text") }
            return expression
        case .object:
            guard let expression = PredicateConstant.expression(for: value) else {
                throw wrongArgument(
                    value,
                    for: token,
                    wanted: "a text, a number, a date, an object, or a collection of them"
                )
            }
            return expression
        }
    }

    private func wrongArgument(
        _ value: Any?,
        for token: PredicateToken,
        wanted: String
    ) -> PredicateSyntaxError {
        let found = value.map { "a value of type \(type(of: $0))" } ?? "nil"
        return PredicateSyntaxError(
            token.position,
            "\(token.name) needs \(wanted) as its argument and was given \(found)."
        )
    }
}
