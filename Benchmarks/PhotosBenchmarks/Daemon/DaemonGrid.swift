import ArgumentParser
import Foundation
import GridScrolling
import Photos
import PhotosManagement
import RemoteLibrary

/// Counts the calls to the daemon of a program that opens a grid and scrolls through it.
struct DaemonGrid {
    let library: SyntheticLibrary
    let daemon: DaemonProcess
    let report: Report

    private static let pages = 10

    func run() throws {
        let observer = try daemon.connect(library.url)
        defer { observer.close() }
        setenv("PHOTOS_DAEMON", "1", 1)
        defer { unsetenv("PHOTOS_DAEMON") }
        let before = try observer.daemonStatus().counters.calls
        let cells: Int = try Probe.run(["probe-grid", library.url.path, "--pages", "\(Self.pages)"])
        // The question about the state is a call, too.
        let calls = try observer.daemonStatus().counters.calls - before - 1
        report.print(
            Report.Case(
                suite: "daemon",
                name:
                    "calls per page of \(cells) images in a grid that scrolls \(Self.pages) pages",
                ours: Double(calls) / Double(Self.pages + 1),
                unit: "calls",
                limit: 3
            )
        )
    }
}

/// Opens a grid and scrolls page by page, each until all its images are there.
struct GridProbe: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe-grid",
        abstract: "Part of the suite daemon.",
        shouldDisplay: false
    )

    @Argument var library: String
    @Option var pages: Int

    func run() throws {
        let bundle = try PhotoLibraryBundle.open(at: URL(fileURLWithPath: library))
        let layout = ScrollingGrid.Layout()
        let grid = ScrollingGrid(try bundle.fetchAssets(with: nil), layout: layout, caches: false)
        for page in 0...pages {
            grid.scroll(to: page * layout.rows)
            let deadline = Date(timeIntervalSinceNow: 30)
            MainLoop.run { grid.book.openCount == 0 || Date() > deadline }
        }
        grid.close()
        try Probe.print(layout.cells)
    }
}
