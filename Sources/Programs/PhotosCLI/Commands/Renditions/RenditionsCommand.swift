import ArgumentParser

/// Manages the renditions of a library: the thumbnails that it keeps.
struct RenditionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renditions",
        abstract: "Make, drop or count the small pictures that the library keeps.",
        discussion: """
            Small pictures make grids fill at once. They are made as they are asked for; making them \
            ahead saves the first look the wait. Nothing is lost with them: they are made again.
            """,
        subcommands: [
            RenditionsBuildCommand.self, RenditionsDropCommand.self, RenditionsStatusCommand.self,
        ]
    )
}
