internal import ProgramAccess

/// A yes-or-no question at the controlling terminal.
enum TerminalQuestion {
    /// Asks a question, reads a line, and returns whether the line is `y` or `yes`, ignoring case.
    ///
    /// Returns false when there is no controlling terminal, or when the program runs in the
    /// terminal's background, where reading would stop the process.
    static func ask(_ question: String) -> Bool {
        guard let terminal = ControllingTerminal() else { return false }
        // Input typed before the question must not answer it.
        terminal.discardInput()
        // File names can contain control characters.
        guard terminal.show(PlainText.safe(question) + " [y/N] ") else { return false }
        return ["y", "yes"].contains(terminal.line()?.lowercased() ?? "")
    }

    /// Returns a text with the number of items and the names of the first few.
    static func list(_ count: Int, _ filenames: [String]) -> String {
        let named = filenames.prefix(3).joined(separator: ", ")
        let names = count > 3 ? named + " …" : named
        let what = count == 1 ? "1 item" : "\(count) items"
        return names.isEmpty ? what : "\(what) (\(names))"
    }
}
