import ArgumentParser
import Foundation
import Photos
import PhotosJSON

/// Adds albums and folders to a folder.
struct FolderAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Put albums and folders into a folder.",
        discussion: """
            They leave the folder that they were in, and go to the end in the order given, or with --at \
            to that place. No folder can go into itself or into what it holds.

            EXAMPLES
              photos folder add Holidays 'Summer 2024'
              photos folder add / 'Summer 2024' --at 0
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(
        help: ArgumentHelp(
            "The folder's identifier or title, / for the top level.",
            valueName: "folder"
        )
    )
    var folder: String

    @OptionGroup var collections: CollectionsArgument

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The place of the first one, counted from 0.", valueName: "n")
    )
    var at: Int?

    func validate() throws {
        if let at, at < 0 { throw ValidationError("--at needs a number of 0 or more.") }
    }

    func run() throws {
        let library = try location.open()
        try output.report(of: collections.names) {
            let folder = try CollectionArguments.optionalFolder(folder)
            let collections = try collections.all()
            let changed =
                if let at {
                    try FolderMembers(folder).put(collections, at: at, in: library)
                } else {
                    try Changes.perform(in: library) {
                        try Changes.request(for: folder).addChildCollections(collections)
                    }.changed
                }
            let name = folder.map(Wording.name) ?? "the top level"
            let names = Wording.names(collections)
            return ChangeReport(
                changed.isEmpty
                    ? "Unchanged: \(names) already in \(name)." : "Put \(names) into \(name).",
                outcome: changed.isEmpty ? "unchanged" : "added",
                of: collections.map(\.localIdentifier)
            )
        }
    }
}
