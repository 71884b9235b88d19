import ArgumentParser

/// Texts that become part of the library.
enum Titles {
    /// Refuses what is no text: Swift would store a repaired version of it.
    static func validate(_ text: String, what: String, mayBeEmpty: Bool = false) throws {
        guard mayBeEmpty || !text.isEmpty else {
            throw ValidationError("\(what) needs at least one character.")
        }
        guard RawArguments.isText(text) else {
            throw ValidationError("\(what) is not valid UTF-8: \(TerminalStyle.safe(text))")
        }
    }
}
