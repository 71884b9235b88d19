import ArgumentParser
import Dispatch
import Foundation
import Glibc
import PhotosGallery
import PhotosManagement

/// Serves the gallery.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Show the library in a browser.",
        shouldDisplay: false
    )

    @OptionGroup var location: LibraryOptions

    @Option(help: ArgumentHelp("Where to listen; 0 for any free port.", valueName: "n"))
    var port = 0

    func run() throws {
        let server = try GalleryServer(library: location.open(), port: port)
        Task {
            do {
                try await server.run { port in
                    try? StandardOutput.shared.write("http://127.0.0.1:\(port)/\n")
                    try? StandardOutput.shared.flush()
                }
                Glibc.exit(ExitStatus.done)
            } catch {
                ExitStatus.exit(with: error)
            }
        }
        dispatchMain()
    }
}
