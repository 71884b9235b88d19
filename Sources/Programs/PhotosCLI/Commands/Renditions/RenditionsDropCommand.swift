import ArgumentParser
import PhotosManagement
import PhotosJSON

/// Removes all renditions.
struct RenditionsDropCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop",
        abstract: "Delete all thumbnails, and free their disk space.",
        discussion: """
            They are generated again on demand, or by photos renditions build. Pictures of photos \
            whose originals photos cloud optimize removed stay.

            EXAMPLES
              photos renditions drop
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let renditions = LibraryRenditions(library: try location.open())
        let before = try renditions.status().bytes
        try renditions.drop()
        let bytes = max(0, before - (try renditions.status().bytes))
        if output.json {
            var object = JSONObject()
            object.add("outcome", "dropped")
            object.add("bytes", bytes)
            try StandardOutput.shared.write(object.line + "\n")
        } else {
            StandardError.shared.say("Freed \(SizeText.bytes(bytes)).")
        }
    }
}
