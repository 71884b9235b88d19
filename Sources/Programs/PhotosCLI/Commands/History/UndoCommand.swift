import ArgumentParser
import Foundation
import PhotosManagement
import PhotosJSON

/// Undoes the latest change.
struct UndoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo the last change of the library.",
        discussion: """
            Prints what it undoes, whoever changed it. Run it again to undo the change before \
            that. An import is one change: undoing it moves what was imported to Recently Deleted. \
            A permanent deletion cannot be undone, nor can any change before it. Undoing is a \
            change of its own, which photos history shows and photos redo reverts.

            With --dry-run, it only shows what would be undone.

            EXAMPLES
              photos history --limit 3
              photos undo --dry-run
              photos undo
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Show what would be undone, without changing anything.")
    var dryRun = false

    func run() throws {
        let library = try location.open()
        try output.report(of: [nil]) {
            if dryRun {
                let preview = try library.undoPreview()
                let sentence = Self.sentence(preview, "Would undo")
                return Self.report(preview, outcome: "undoable", sentence)
            }
            let undone = try library.undo()
            return Self.report(undone, outcome: "undone", Self.sentence(undone))
        }
    }

    /// Creates the report of an undo or a redo.
    static func report(
        _ entries: [HistoryEntry],
        outcome: String,
        _ sentence: String
    ) -> ChangeReport {
        ChangeReport(
            sentence,
            lines: entries.map { entry in
                var object = JSONObject()
                object.add("outcome", outcome)
                object.add(entry)
                object.add("changes", entry.changes.map(JSONObject.init(change:)))
                object.add("reason", nil as String?)
                return object
            }
        )
    }

    /// Returns a sentence that names the changes, their author and their time.
    static func sentence(_ entries: [HistoryEntry], _ word: String = "Undone") -> String {
        guard let last = entries.first else { return "Nothing to do." }
        let what = HistoryText.summary(entries.flatMap(\.changes))
        let author = TerminalStyle.safe(last.author)
        return "\(word): \(what), by \(author) at \(LocalTime.text(last.date))."
    }
}
