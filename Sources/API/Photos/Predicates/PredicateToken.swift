internal import LibraryService

/// A piece of a predicate format, with its offset in characters.
struct PredicateToken {
    enum Kind: Equatable {
        /// A key, a keyword or an operator that is written in letters, as written.
        case word(String)
        /// A key behind `#`, which is never a keyword.
        case escapedWord(String)
        case number(PredicateValue)
        /// The text between quotes.
        case string(String)
        case placeholder(PredicatePlaceholder)
        case symbol(String)
        case end
    }

    let kind: Kind
    let position: Int

    /// How messages call it.
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

    /// Whether it is this keyword, in any case of letters.
    func isWord(_ keyword: String) -> Bool {
        if case .word(let word) = kind { word.uppercased() == keyword } else { false }
    }

    func isSymbol(_ symbol: String) -> Bool {
        kind == .symbol(symbol)
    }
}

/// `%@` and its like: the place of an argument.
struct PredicatePlaceholder: Equatable {
    /// What the argument has to be.
    enum Kind: Equatable {
        /// `%@`.
        case object
        /// `%K`.
        case key
        /// `%d`, `%f` and the others; also how a C argument list stores it.
        case number(NumberSize)
        /// `%s`.
        case text
        /// `%%`, which takes no argument.
        case percent
    }

    /// How a C argument list stores a number.
    enum NumberSize: Equatable {
        case integer32, unsigned32, integer64, unsigned64, real
    }

    let kind: Kind
    /// As written.
    let text: String

    /// Reads what follows a percent sign; nil when it is nothing that a predicate can hold.
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
