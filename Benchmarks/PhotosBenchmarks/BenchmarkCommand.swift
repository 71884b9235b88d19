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
            RunCommand.self, MemoryProbe.self, CommitProbe.self, ImagesProbe.self, FlingProbe.self,
            MoviesProbe.self,
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
            fling, gallery, startup
    }

    @Argument(
        help: """
            Which suite: all, import, fetch, changes, memory, observe, collections, images, movies, edit, \
            fling, gallery or startup.
            """
    )
    var suite: Suite

    @Flag(help: "One JSON object per case.")
    var json = false

    @Option(
        help: "Assets in the libraries of fetch, changes, memory, observe, collections and startup."
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

    @Option(help: "Files in the import.")
    var files = 200

    @Option(help: "Files of the second scan.")
    var scannedFiles = 20_000

    @Option(help: "Rounds of each case; the median counts.")
    var rounds = 5

    @Option(help: "Import these files instead of drawn ones.")
    var from: String?

    func run() throws {
        let report = Report(isJSON: json)
        if suite == .all || suite == .fetch {
            try FetchSuite(assets: assets, rounds: rounds).run(report)
        }
        if suite == .all || suite == .changes {
            try ChangesSuite(assets: assets, rounds: rounds).run(report)
        }
        if suite == .all || suite == .startup {
            try StartupSuite(assets: assets, rounds: rounds).run(report)
        }
        if suite == .all || suite == .memory {
            try MemorySuite(assets: assets).run(report)
        }
        if suite == .all || suite == .observe {
            try ObserveSuite(assets: assets, rounds: rounds).run(report)
            try PublicObserving(assets: assets, rounds: rounds).run(report)
        }
        if suite == .all || suite == .collections {
            try CollectionsSuite(assets: assets, albums: albums, rounds: rounds).run(report)
        }
        if suite == .all || suite == .images {
            try ImagesSuite(
                pictures: pictures,
                rounds: rounds,
                parts: Set(parts.isEmpty ? ImagesSuite.Part.allCases : parts)
            ).run(report)
        }
        if suite == .all || suite == .movies {
            try MoviesSuite(rounds: rounds).run(report)
        }
        if suite == .all || suite == .edit {
            try EditSuite(rounds: rounds).run(report)
        }
        if suite == .all || suite == .fling {
            try FlingSuite(assets: flungAssets, rounds: rounds).run(report)
        }
        if suite == .all || suite == .gallery {
            try GallerySuite(
                assets: galleryAssets.isEmpty ? [10_000, 100_000] : galleryAssets,
                rounds: rounds
            ).run(report)
        }
        if suite == .all || suite == .import {
            try ImportSuite(
                files: files,
                scannedFiles: scannedFiles,
                rounds: rounds,
                source: from.map { URL(fileURLWithPath: $0) }
            ).run(report)
        }
    }
}
