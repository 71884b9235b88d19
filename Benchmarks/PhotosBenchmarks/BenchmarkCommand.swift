import ArgumentParser
import Foundation

/// The command `photos-benchmarks SUITE|all --json`.
@main
struct BenchmarkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photos-benchmarks",
        abstract: "Measures the library against the limits that it aims for.",
        discussion: """
            Each suite makes its own temporary library. A case with a peer runs both in turn, in the
            same run, and gives ours / peer as time per item (lower is better); the median of the
            rounds counts.
            """,
        subcommands: [
            RunCommand.self, QuickCommand.self, QuickProbe.self, MemoryProbe.self, CommitProbe.self,
            ImagesProbe.self, FlingProbe.self, MoviesProbe.self, ImportProbe.self,
            MigrationProbe.self, ClientProbe.self, GridProbe.self,
        ],
        defaultSubcommand: RunCommand.self
    )
}

struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs a suite, or all of them."
    )

    enum Suite: String, ExpressibleByArgument, CaseIterable {
        case all, `import`, fetch, changes, memory, observe, collections, images, movies, edit,
            fling, gallery, startup, migration, wire, daemon, cloud
    }

    @Argument(
        help: """
            Which suite: all, import, fetch, changes, memory, observe, collections, images, movies, edit, \
            fling, gallery, startup, migration, wire, daemon or cloud.
            """
    )
    var suite: Suite

    @Flag(help: "One JSON object per case.")
    var json = false

    @Option(
        help:
            "Assets in the libraries of fetch, changes, memory, observe, collections, startup, daemon and cloud."
    )
    var assets = 1_000_000

    @Option(help: "Albums in the library of collections.")
    var albums = 10_000

    @Option(help: "Assets in the library of fling.")
    var flungAssets = 100_000

    @Option(
        parsing: .upToNextOption,
        help: "Assets in the libraries of gallery; 10000 and 100000 unless others are given."
    )
    var galleryAssets: [Int] = []

    @Option(help: "Pictures of 12 megapixels in a round of images.")
    var pictures = 16

    @Option(
        parsing: .upToNextOption,
        help: "Parts of images: warm, jpeg, heic or raw; all of them unless some are named."
    )
    var parts: [ImagesSuite.Part] = []

    @Option(
        parsing: .upToNextOption,
        help: "Sources of migration: apple or takeout; both unless some are named."
    )
    var sources: [MigrationProbe.Kind] = []

    @Option(help: "Photos in the sources of migration.")
    var migratedAssets = 10_000

    @Option(help: "Photos in the sources of migration with which memory is compared.")
    var fewMigratedAssets = 2_000

    @Option(help: "Files in the import and in cloud, and photos of 12 megapixels in migration.")
    var files = 200

    @Option(help: "Files of the second scan.")
    var scannedFiles = 20_000

    @Option(help: "Rounds of each case; the median counts.")
    var rounds = 5

    @Option(help: "Import these files instead of drawn ones.")
    var from: String?

    func run() throws {
        let report = Report(style: json ? .json : .table)
        switch suite {
        case .all: try runAll()
        case .import:
            try ImportSuite(
                files: files,
                scannedFiles: scannedFiles,
                rounds: rounds,
                source: from.map { URL(fileURLWithPath: $0) }
            ).run(report)
        case .fetch: try FetchSuite(assets: assets, rounds: rounds).run(report)
        case .changes: try ChangesSuite(assets: assets, rounds: rounds).run(report)
        case .memory: try MemorySuite(assets: assets).run(report)
        case .observe:
            try ObserveSuite(assets: assets, rounds: rounds).run(report)
            try PublicObserving(assets: assets, rounds: rounds).run(report)
        case .collections:
            try CollectionsSuite(assets: assets, albums: albums, rounds: rounds).run(report)
        case .images:
            try ImagesSuite(
                pictures: pictures,
                rounds: rounds,
                parts: Set(parts.isEmpty ? ImagesSuite.Part.allCases : parts)
            ).run(report)
        case .movies: try MoviesSuite(rounds: rounds).run(report)
        case .edit: try EditSuite(rounds: rounds).run(report)
        case .fling: try FlingSuite(assets: flungAssets, rounds: rounds).run(report)
        case .gallery:
            try GallerySuite(
                assets: galleryAssets.isEmpty ? [10_000, 100_000] : galleryAssets,
                rounds: rounds
            ).run(report)
        case .startup: try StartupSuite(assets: assets, rounds: rounds).run(report)
        case .migration:
            try MigrationSuite(
                largePhotos: files,
                assets: migratedAssets,
                fewAssets: fewMigratedAssets,
                rounds: max(1, min(rounds, 3)),
                sources: Set(sources.isEmpty ? MigrationProbe.Kind.allCases : sources)
            ).run(report)
        case .wire: try WireSuite(rounds: rounds).run(report)
        case .daemon: try DaemonSuite(assets: assets, rounds: rounds).run(report)
        case .cloud: try CloudSuite(assets: assets, files: files, rounds: rounds).run(report)
        }
    }

    /// Runs each suite in a process of its own, so that the memory of one is not that of another.
    private func runAll() throws {
        for suite in Suite.allCases where suite != .all {
            var arguments = Array(CommandLine.arguments.dropFirst())
            guard let place = arguments.firstIndex(of: Suite.all.rawValue) else {
                throw BenchmarkError(description: "The arguments do not name the suite.")
            }
            arguments[place] = suite.rawValue
            let process = Probe.process(arguments)
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                throw BenchmarkError(description: "The suite \(suite.rawValue) failed.")
            }
        }
    }
}
