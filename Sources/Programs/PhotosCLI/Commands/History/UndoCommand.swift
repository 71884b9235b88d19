import ArgumentParser
import Foundation
import PhotosManagement
import PhotosJSON

/// Undoes the latest change.
struct UndoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take the last change of the library back.",
        discussion: """
            Whoever made it, and says what it was. Again, it takes back the one before. An import is \
            one change: what it brought in goes to Recently Deleted. What was removed for good stays \
            removed, and what came before that cannot be undone. Undoing is a change of its own, which \
            photos history shows; photos redo takes it back.

            With --dry-run it is only said what would be undone.

            EXAMPLES
              photos history --limit 3
              photos undo --dry-run
              photos undo
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Only show what would be undone; change nothing.")
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

    /// Returns the report of an undo or redo.
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

    /// Describes the changes, their author and their time.
    static func sentence(_ entries: [HistoryEntry], _ word: String = "Undone") -> String {
        guard let last = entries.first else { return "There is nothing to do." }
        let what = HistoryText.summary(entries.flatMap(\.changes))
        let author = TerminalStyle.safe(last.author)
        return "\(word): \(what), by \(author) at \(LocalTime.text(last.date))."
    }
}
