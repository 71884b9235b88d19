import ArgumentParser

/// Manages a library's renditions, which are its stored thumbnails.
struct RenditionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renditions",
        abstract: "Generate, delete or count the thumbnails that the library keeps.",
        discussion: """
            With thumbnails, grids of photos appear immediately. They are generated on demand; \
            generating them in advance avoids waiting later. Deleting them loses nothing: they can \
            always be generated again.
            """,
        subcommands: [
            RenditionsBuildCommand.self, RenditionsDropCommand.self, RenditionsStatusCommand.self,
        ]
    )
}
