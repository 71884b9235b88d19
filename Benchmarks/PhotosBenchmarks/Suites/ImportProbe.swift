import ArgumentParser
import Foundation
import PhotosManagement

/// Imports a folder, and prints the number of imported files.
///
/// What the library would create in the background afterwards ends with this process.
struct ImportProbe: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe-import",
        abstract: "Part of the suite movies.",
        shouldDisplay: false
    )

    @Argument var library: String
    @Argument var source: String

    func run() throws {
        let bundle = try PhotoLibraryBundle.open(at: URL(fileURLWithPath: library))
        let summary = try LibraryImport(library: bundle, paths: [SourcePath(source)]).run { _ in }
        try Probe.print(summary.counts[.imported] ?? 0)
    }
}
