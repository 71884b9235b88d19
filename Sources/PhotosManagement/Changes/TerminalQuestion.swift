internal import ProgramAccess

/// Asks the person at the controlling terminal.
enum TerminalQuestion {
    /// Asks, and reads a line: `y` or `yes`, in any case, is a yes.
    ///
    /// No when there is no terminal, or the program is in the background of one: it would be stopped.
    @Sendable
    static func ask(_ question: DeletionConfirmation.Question) -> Bool {
        guard let terminal = ControllingTerminal() else { return false }
        // What was typed before the question does not answer it.
        terminal.discardInput()
        // File names can be anything.
        guard terminal.show(PlainText.safe(question.text) + " [y/N] ") else { return false }
        return ["y", "yes"].contains(terminal.line()?.lowercased() ?? "")
    }
}
