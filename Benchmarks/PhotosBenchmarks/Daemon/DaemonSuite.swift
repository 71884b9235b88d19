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
        try rows.status()
        try rows.records(of: assets)
        try rows.identifiers(of: assets)
        try rows.favorites(among: assets)
        try rows.details(of: assets)
        try images(report)
        try DaemonMemory(assets: assets, report: report).run()
    }

    /// Images from renditions, of a library that is small enough for all to have one.
    private func images(_ report: Report) throws {
        let library = try SyntheticLibrary()
        try library.fill(assets: Self.pictures)
        try library.addRenditions()
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
        try rows.images()
        try DaemonGrid(library: library, daemon: daemon, report: report).run()
    }
}
