internal import ProgramAccess

/// Asks the person at the controlling terminal.
enum TerminalQuestion {
    /// Asks, and reads a line: `y` or `yes`, in any case, is a yes.
    ///
    /// No when there is no terminal, or the program is in the background of one: it would be stopped.
    static func ask(_ question: String) -> Bool {
        guard let terminal = ControllingTerminal() else { return false }
        // What was typed before the question does not answer it.
        terminal.discardInput()
        // File names can be anything.
        guard terminal.show(PlainText.safe(question) + " [y/N] ") else { return false }
        return ["y", "yes"].contains(terminal.line()?.lowercased() ?? "")
    }

    /// How many items, and the first few by name.
    static func list(_ count: Int, _ filenames: [String]) -> String {
        let named = filenames.prefix(3).joined(separator: ", ")
        let names = count > 3 ? named + " …" : named
        let what = count == 1 ? "1 item" : "\(count) items"
        return names.isEmpty ? what : "\(what) (\(names))"
    }
}
