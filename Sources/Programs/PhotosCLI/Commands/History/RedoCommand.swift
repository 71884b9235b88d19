import ArgumentParser
import Foundation
import PhotosJSON
import PhotosManagement

/// Redoes the latest undone change.
struct RedoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo",
        abstract: "Redo the change that was undone last.",
        discussion: """
            Prints what it redoes, whoever undid it. Run it again to redo what was undone before \
            that. After another change, there is nothing to redo. Redoing is a change of its own, \
            which photos history shows and photos undo undoes.

            EXAMPLES
              photos undo
              photos redo
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Show what would be redone, without changing anything.")
    var dryRun = false

    func run() throws {
        let library = try location.open()
        try output.report(of: [nil]) {
            if dryRun {
                let preview = try library.redoPreview()
                return UndoCommand.report(
                    preview,
                    outcome: "redoable",
                    UndoCommand.sentence(preview, "Would redo")
                )
            }
            let redone = try library.redo()
            return UndoCommand.report(
                redone,
                outcome: "redone",
                UndoCommand.sentence(redone, "Redone")
            )
        }
    }
}
