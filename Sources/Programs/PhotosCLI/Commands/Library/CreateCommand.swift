import ArgumentParser
import Foundation
import PhotosManagement
import PhotosJSON

/// Creates an empty library.
struct CreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a new, empty library.",
        discussion: """
            Nothing that exists is overwritten. Without --library, the library is created at the \
            default path.

            EXAMPLES
              photos create
              photos create --library /srv/Family.photolibrary
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let url = location.url
        try PhotoLibraryBundle.create(at: url)
        var path = url.path(percentEncoded: false)
        if path.count > 1, path.hasSuffix("/") { path.removeLast() }
        if output.json {
            var object = JSONObject()
            object.add("path", path)
            try StandardOutput.shared.write(object.line + "\n")
        } else {
            try StandardOutput.shared.write("Created \(TerminalStyle.safe(path))\n")
        }
    }
}
