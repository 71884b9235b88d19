import EmbeddedLibrary
import Foundation
import LibraryService
import PhotoModel
import RemoteLibrary

/// Measures calls through the daemon against the same calls to the engine in this process.
///
/// Both are made in turn, on one library.
struct DaemonSuite {
    let assets: Int
    let rounds: Int

    /// The newest assets of the library of images, all of which have a rendition.
    private static let pictures = 2_000

    func run(_ report: Report) throws {
        let library = try SyntheticLibrary()
        try library.fill(assets: assets)
        try withDaemon(for: library, report) { _, rows in
            try rows.status()
            try rows.records(of: assets)
            try rows.identifiers(of: assets)
            try rows.favorites(among: assets)
            try rows.details(of: assets)
        }
        // Small enough for all images to have a rendition.
        let small = try SyntheticLibrary()
        try small.fill(assets: Self.pictures)
        try small.addRenditions()
        try withDaemon(for: small, report) { daemon, rows in
            try rows.images()
            try DaemonGrid(library: small, daemon: daemon, report: report).run()
        }
        try DaemonMemory(assets: assets, report: report).run()
    }

    /// Measures with a daemon that serves a library and has nothing else to do.
    private func withDaemon(
        for library: SyntheticLibrary,
        _ report: Report,
        _ measure: (DaemonProcess, DaemonRows) throws -> Void
    ) throws {
        let daemon = try DaemonProcess(in: library.folder)
        defer { daemon.stop() }
        let remote = try daemon.connect(library.url)
        defer { remote.close() }
        let rows = DaemonRows(
            embedded: try EmbeddedLibrary.open(at: library.url.path),
            remote: remote,
            rounds: rounds,
            report: report
        )
        try daemon.waitForDuties(of: remote)
        try measure(daemon, rows)
    }
}
