import ArgumentParser
import Foundation
import Photos
import PhotosJSON

/// Adds albums and folders to a folder.
struct FolderAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add albums and folders to a folder.",
        discussion: """
            They leave their present folder and are added to the end in the given order, or at the \
            position given by --at. A folder cannot be added to itself or to a folder that it \
            contains.

            EXAMPLES
              photos folder add Holidays 'Summer 2024'
              photos folder add / 'Summer 2024' --at 0
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(
        help: ArgumentHelp(
            "The folder's identifier or title; / for the top level.",
            valueName: "folder"
        )
    )
    var folder: String

    @OptionGroup var collections: CollectionsArgument

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The position of the first one, counted from 0.", valueName: "n")
    )
    var at: Int?

    func validate() throws {
        if let at, at < 0 { throw ValidationError("--at must be 0 or greater.") }
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
                    ? "Unchanged: \(names) already in \(name)." : "Added \(names) to \(name).",
                outcome: changed.isEmpty ? "unchanged" : "added",
                of: collections.map(\.localIdentifier)
            )
        }
    }
}
