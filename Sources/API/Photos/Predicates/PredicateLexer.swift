internal import LibraryService

/// Splits a predicate format into tokens.
///
/// Positions are in characters from 0, as in `String`.
struct PredicateLexer {
    private let characters: [Character]
    private var index = 0

    private init(_ format: String) {
        characters = Array(format)
    }

    /// Returns all tokens of a format, the last of which is `.end`.
    static func tokens(of format: String) throws(PredicateSyntaxError) -> [PredicateToken] {
        var lexer = PredicateLexer(format)
        var tokens: [PredicateToken] = []
        repeat {
            tokens.append(try lexer.next())
        } while tokens.last?.kind != .end
        return tokens
    }

    // MARK: - Tokens

    private mutating func next() throws(PredicateSyntaxError) -> PredicateToken {
        while let character = peek(), character.isWhitespace { index += 1 }
        let start = index
        guard let character = peek() else { return PredicateToken(kind: .end, position: start) }
        let kind: PredicateToken.Kind =
            switch character {
            case "'", "\"": .string(try string(quote: character))
            case "%": .placeholder(try placeholder())
            case "#": .escapedWord(try escapedWord())
            case "$": throw variable()
            case _ where Self.startsWord(character): .word(word())
            case _ where character.isASCII && character.isNumber: .number(try number())
            case "." where peek(1).map { $0.isASCII && $0.isNumber } == true:
                .number(try number())
            default: .symbol(try symbol())
            }
        return PredicateToken(kind: kind, position: start)
    }

    private func peek(_ distance: Int = 0) -> Character? {
        index + distance < characters.count ? characters[index + distance] : nil
    }

    static func startsWord(_ character: Character) -> Bool {
        character.isLetter || character == "_" || character == "@"
    }

    private static func continuesWord(_ character: Character) -> Bool {
        startsWord(character) || character.isNumber || character == "."
    }

    private mutating func word() -> String {
        let start = index
        while let character = peek(), Self.continuesWord(character) { index += 1 }
        return String(characters[start..<index])
    }

    private mutating func escapedWord() throws(PredicateSyntaxError) -> String {
        let start = index
        index += 1
        guard let character = peek(), Self.startsWord(character) else {
            throw PredicateSyntaxError(start, "A “#” must be followed by a key.")
        }
        return word()
    }

    private func variable() -> PredicateSyntaxError {
        PredicateSyntaxError(index, "Substitution variables (“$NAME”) are not supported.")
    }

    private mutating func placeholder() throws(PredicateSyntaxError) -> PredicatePlaceholder {
        guard let placeholder = PredicatePlaceholder(afterPercent: characters[(index + 1)...])
        else {
            throw PredicateSyntaxError(
                index,
                "“%” must be followed by @, K, %, s, or a number format such as d, ld or f."
            )
        }
        index += placeholder.text.count
        return placeholder
    }

    private static let symbols = [
        "==", "=>", "=<", "!=", "<>", "<=", ">=", "&&", "||",
        "=", "<", ">", "!", "&", "|", "(", ")", "{", "}", "[", "]", ",", "+", "-", "*", "/",
    ]

    private mutating func symbol() throws(PredicateSyntaxError) -> String {
        for symbol in Self.symbols {
            let text = Array(symbol)
            if characters[index...].starts(with: text) {
                index += text.count
                return symbol
            }
        }
        throw PredicateSyntaxError(index, "“\(characters[index])” means nothing here.")
    }

    // MARK: - Numbers

    private mutating func number() throws(PredicateSyntaxError) -> PredicateValue {
        let start = index
        if peek() == "0", let letter = peek(1), let radix = Self.radices[letter] {
            index += 2
            let digits = take { $0.isASCII && ($0.isHexDigit) }
            guard let value = Int64(digits, radix: radix) else {
                throw PredicateSyntaxError(start, "This is not a 64-bit integer.")
            }
            return .integer(value)
        }
        var text = take { $0.isASCII && $0.isNumber }
        var isReal = false
        if peek() == "." {
            isReal = true
            index += 1
            text += "." + take { $0.isASCII && $0.isNumber }
        }
        if let letter = peek(), letter == "e" || letter == "E", startsExponent() {
            isReal = true
            index += 1
            text += "e"
            if let sign = peek(), sign == "+" || sign == "-" {
                text.append(sign)
                index += 1
            }
            text += take { $0.isASCII && $0.isNumber }
        }
        if let character = peek(), Self.continuesWord(character) {
            throw PredicateSyntaxError(start, "This is neither a number nor a key.")
        }
        if !isReal, let value = Int64(text) { return .integer(value) }
        // Swift does not parse a number that begins or ends with a decimal point.
        guard let value = Double("0" + text + (text.hasSuffix(".") ? "0" : "")) else {
            throw PredicateSyntaxError(start, "This is not a number.")
        }
        return .real(value)
    }

    private static let radices: [Character: Int] = ["x": 16, "X": 16, "o": 8, "b": 2]

    private func startsExponent() -> Bool {
        let signed = peek(1) == "+" || peek(1) == "-"
        return peek(signed ? 2 : 1).map { $0.isASCII && $0.isNumber } ?? false
    }

    private mutating func take(while matches: (Character) -> Bool) -> String {
        let start = index
        while let character = peek(), matches(character) { index += 1 }
        return String(characters[start..<index])
    }

    // MARK: - Strings

    private mutating func string(quote: Character) throws(PredicateSyntaxError) -> String {
        let start = index
        index += 1
        var text = ""
        while let character = peek() {
            index += 1
            if character == quote { return text }
            text.append(character == "\\" ? try escape() : character)
        }
        throw PredicateSyntaxError(start, "The string that begins here has no closing quote.")
    }

    private mutating func escape() throws(PredicateSyntaxError) -> Character {
        let start = index - 1
        guard let character = peek() else {
            throw PredicateSyntaxError(start, "A backslash must be followed by a character.")
        }
        index += 1
        switch character {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "u":
            let digits = String(characters[index...].prefix(4))
            guard digits.count == 4, let code = UInt32(digits, radix: 16),
                let scalar = Unicode.Scalar(code)
            else {
                throw PredicateSyntaxError(start, "“\\u” must be followed by a code point.")
            }
            index += 4
            return Character(scalar)
        default: return character
        }
    }
}
