import ArgumentParser
import Foundation
import PhotosManagement

/// Imports a source of another program in a process that does nothing else.
struct MigrationProbe: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe-migration",
        abstract: "Part of the suite migration.",
        shouldDisplay: false
    )

    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case apple, takeout
    }

    /// The result of an import.
    struct Figures: Codable {
        var imported: Int
        var seconds: Double
        /// The peak memory of the importing process, in megabytes.
        var memory: Double
        /// The highest peak memory of a worker, in megabytes.
        var workerMemory: Double
    }

    @Argument var kind: Kind
    @Argument var library: String
    @Argument var source: String

    func run() throws {
        let bundle = try PhotoLibraryBundle.open(at: URL(fileURLWithPath: library))
        var imported = 0
        let time = try seconds {
            switch kind {
            case .apple:
                let work = LibraryMigration(library: bundle, source: SourcePath(source))
                imported = try work.run { _ in }.imported
            case .takeout:
                let work = LibraryImport(library: bundle, paths: [SourcePath(source)])
                imported = try work.run { _ in }.counts[.imported] ?? 0
            }
        }
        let figures = Figures(
            imported: imported,
            seconds: time,
            memory: ProcessMemory.peak(),
            workerMemory: ProcessMemory.workerPeak()
        )
        bundle.close()
        try Probe.print(figures)
    }
}
