internal import LibraryService

/// A token of a predicate format, with its offset in characters.
struct PredicateToken {
    enum Kind: Equatable {
        /// A key, a keyword or an alphabetic operator, as written.
        case word(String)
        /// A key after `#`, which is never a keyword.
        case escapedWord(String)
        case number(PredicateValue)
        /// A string literal, without its quotes.
        case string(String)
        case placeholder(PredicatePlaceholder)
        case symbol(String)
        case end
    }

    let kind: Kind
    let position: Int

    /// The token's name in error messages.
    var name: String {
        switch kind {
        case .word(let word): "“\(word)”"
        case .escapedWord(let word): "“#\(word)”"
        case .number(.integer(let number)): "“\(number)”"
        case .number(.real(let number)): "“\(number)”"
        case .number: "a number"
        case .string(let text): "the text “\(text)”"
        case .placeholder(let placeholder): "“\(placeholder.text)”"
        case .symbol(let symbol): "“\(symbol)”"
        case .end: "the end"
        }
    }

    /// Returns whether the token is this keyword, ignoring case.
    func isWord(_ keyword: String) -> Bool {
        if case .word(let word) = kind { word.uppercased() == keyword } else { false }
    }

    func isSymbol(_ symbol: String) -> Bool {
        kind == .symbol(symbol)
    }
}

/// A placeholder for an argument, such as `%@`.
struct PredicatePlaceholder: Equatable {
    /// The required kind of argument.
    enum Kind: Equatable {
        /// An object (`%@`).
        case object
        /// A key (`%K`).
        case key
        /// A number (`%d`, `%f` and so on), with its C argument type.
        case number(NumberSize)
        /// A C string (`%s`).
        case text
        /// A percent sign (`%%`), which takes no argument.
        case percent
    }

    /// The C type with which a number is passed in an argument list.
    enum NumberSize: Equatable {
        case integer32, unsigned32, integer64, unsigned64, real
    }

    let kind: Kind
    /// The placeholder as written.
    let text: String

    /// Parses the text after a percent sign, or returns nil if it is not a supported placeholder.
    init?(afterPercent characters: ArraySlice<Character>) {
        var text = ""
        for character in characters.prefix(4) {
            text.append(character)
            if let kind = Self.kinds[text] {
                self.kind = kind
                self.text = "%" + text
                return
            }
        }
        return nil
    }

    private static let kinds: [String: Kind] = {
        var kinds: [String: Kind] = ["@": .object, "K": .key, "s": .text, "%": .percent]
        for letter in ["d", "i", "D"] {
            for prefix in ["", "h", "hh"] { kinds[prefix + letter] = .number(.integer32) }
            for prefix in ["l", "ll", "q", "j", "z", "t"] {
                kinds[prefix + letter] = .number(.integer64)
            }
        }
        for letter in ["u", "x", "X", "o", "U"] {
            for prefix in ["", "h", "hh"] { kinds[prefix + letter] = .number(.unsigned32) }
            for prefix in ["l", "ll", "q", "j", "z", "t"] {
                kinds[prefix + letter] = .number(.unsigned64)
            }
        }
        for letter in ["f", "F", "e", "E", "g", "G", "a", "A"] {
            for prefix in ["", "l"] { kinds[prefix + letter] = .number(.real) }
        }
        return kinds
    }()
}
