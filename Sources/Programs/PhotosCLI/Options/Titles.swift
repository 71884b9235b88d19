import ArgumentParser

/// Validates titles and other texts before they are stored in the library.
enum Titles {
    /// Throws an error if a text is empty or is not valid UTF-8.
    ///
    /// Swift would store invalid UTF-8 in a repaired form.
    static func validate(_ text: String, what: String, mayBeEmpty: Bool = false) throws {
        guard mayBeEmpty || !text.isEmpty else {
            throw ValidationError("\(what) must not be empty.")
        }
        guard RawArguments.isText(text) else {
            throw ValidationError("\(what) is not valid UTF-8: \(TerminalStyle.safe(text))")
        }
    }
}
