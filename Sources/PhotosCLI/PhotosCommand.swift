import ArgumentParser

@main
struct PhotosCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photos",
        abstract: "The photo library on the command line."
    )
}
