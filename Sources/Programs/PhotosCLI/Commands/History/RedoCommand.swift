import ArgumentParser
import Foundation
import PhotosJSON
import PhotosManagement

/// Redoes the latest undone change.
struct RedoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo",
        abstract: "Do again what was undone last.",
        discussion: """
            Whoever undid it, and says what it was. Again, it goes on to what was undone before that. \
            Once something else is changed, there is nothing to redo. Redoing is a change of its own, \
            which photos history shows and photos undo takes back.

            EXAMPLES
              photos undo
              photos redo
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Only show what would be done again; change nothing.")
    var dryRun = false

    func run() throws {
        let library = try location.open()
        try output.report(of: [nil]) {
            if dryRun {
                let preview = try library.redoPreview()
                return UndoCommand.report(
                    preview,
                    outcome: "redoable",
                    UndoCommand.sentence(preview, "Would do again")
                )
            }
            let redone = try library.redo()
            return UndoCommand.report(
                redone,
                outcome: "redone",
                UndoCommand.sentence(redone, "Done again")
            )
        }
    }
}
