import ArgumentParser
import Foundation
import GridScrolling
import Photos
import PhotosManagement

/// Scrolls a grid of many assets by two screens per second, with and without caching ahead.
///
/// Each fling runs in a separate process. The assets have renditions.
struct FlingSuite {
    let assets: Int
    let rounds: Int

    static let secondsPerFling = 24

    func run(_ report: Report) throws {
        let library = try SyntheticLibrary()
        try library.fill(assets: assets)
        try library.addRenditions()
        var plain: [FlingProbe.Answer] = []
        var caching: [FlingProbe.Answer] = []
        for _ in 0..<max(1, min(rounds, 3)) {
            plain.append(try fling(library, caches: false))
            caching.append(try fling(library, caches: true))
        }
        for answer in plain + caching {
            let figures = answer.figures
            guard figures.lost == 0, figures.doubled == 0, figures.failed == 0 else {
                throw BenchmarkError(description: "A request did not end once: \(figures)")
            }
        }
        latency(report, "p50", plain, caching) { $0.figures.firstMedian }
        latency(report, "p95", plain, caching) { $0.figures.first95 }
        unseen(report, plain, caching)
        for (name, answers) in [("without caching", plain), ("with caching", caching)] {
            report.print(
                Report.Case(
                    suite: "fling",
                    name: "growth of memory after the cache was full, \(name)",
                    ours: median(answers.map(\.growth)),
                    unit: "MB",
                    limit: 16
                )
            )
            report.print(
                Report.Case(
                    suite: "fling",
                    name: "peak memory, \(name)",
                    ours: median(answers.map(\.peak)),
                    unit: "MB",
                    limit: nil
                )
            )
        }
        let figures = (plain + caching).map(\.figures)
        let requests = figures.reduce(0) { $0 + $1.requests }
        report.print(
            Report.Case(
                suite: "fling",
                name: "requests that ended never or twice, of \(requests)",
                ours: Double(figures.reduce(0) { $0 + $1.lost + $1.doubled }),
                unit: "requests",
                limit: 0
            )
        )
    }

    private func latency(
        _ report: Report,
        _ name: String,
        _ plain: [FlingProbe.Answer],
        _ caching: [FlingProbe.Answer],
        _ figure: (FlingProbe.Answer) -> Double
    ) {
        report.print(
            Report.Case(
                suite: "fling",
                name: "first callback while scrolling \(assets) assets, with caching, \(name)",
                ours: median(caching.map(figure)),
                peer: median(plain.map(figure)),
                peerName: "without caching",
                unit: "ms",
                limit: 1
            )
        )
    }

    private func unseen(
        _ report: Report,
        _ plain: [FlingProbe.Answer],
        _ caching: [FlingProbe.Answer]
    ) {
        func share(_ answers: [FlingProbe.Answer]) -> Double {
            median(
                answers.map {
                    Double($0.figures.unseen) / Double(max(1, $0.figures.requests)) * 100
                }
            )
        }
        for (name, answers) in [("without caching", plain), ("with caching", caching)] {
            report.print(
                Report.Case(
                    suite: "fling",
                    name: "cells that left the sight empty, \(name)",
                    ours: share(answers),
                    unit: "%",
                    limit: nil
                )
            )
        }
    }

    private func fling(_ library: SyntheticLibrary, caches: Bool) throws -> FlingProbe.Answer {
        try Probe.run(
            ["probe-fling", library.url.path, "--seconds", "\(Self.secondsPerFling)"]
                + (caches ? ["--caches"] : [])
        )
    }
}

/// Runs one fling.
struct FlingProbe: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe-fling",
        abstract: "Part of the suite fling.",
        shouldDisplay: false
    )

    /// The figures of a fling; memory in megabytes.
    struct Answer: Codable {
        var figures: FlingFigures
        var peak: Double
        /// The growth of memory from the second third of the time to the last.
        var growth: Double
    }

    @Argument var library: String
    @Option var seconds = 24
    @Option var screensPerMinute = 120.0
    @Flag var caches = false

    func run() throws {
        let bundle = try PhotoLibraryBundle.open(at: URL(fileURLWithPath: library))
        let assets = try bundle.fetchAssets(with: nil)
        let layout = ScrollingGrid.Layout()
        let grid = ScrollingGrid(assets, layout: layout, caches: caches)
        let rowsPerSecond = screensPerMinute / 60 * Double(layout.rows)
        // Six flings, spread over the whole library; the last two thirds are compared.
        let places = 6
        let length = Double(seconds) / Double(places)
        var memory: [(time: Double, megabytes: Double)] = []
        MainLoop.run(seconds: Double(seconds), framesPerSecond: 60) { time in
            let place = min(places - 1, Int(time / length))
            let start = grid.lastTop / places * place
            let row = start + Int((time - Double(place) * length) * rowsPerSecond)
            grid.scroll(to: row)
            if time - (memory.last?.time ?? -1) > 0.1 {
                memory.append((time, ProcessMemory.now()))
            }
        }
        // The visible cells are awaited, then released.
        let deadline = Date(timeIntervalSinceNow: 30)
        MainLoop.run { grid.book.openCount == 0 || Date() > deadline }
        grid.close()
        let third = Double(seconds) / 3
        let middle = memory.filter { $0.time >= third && $0.time < 2 * third }
        let last = memory.filter { $0.time >= 2 * third }
        try Probe.print(
            Answer(
                figures: FlingFigures(grid.book),
                peak: ProcessMemory.peak(),
                growth: (last.map(\.megabytes).max() ?? 0) - (middle.map(\.megabytes).max() ?? 0)
            )
        )
    }
}
