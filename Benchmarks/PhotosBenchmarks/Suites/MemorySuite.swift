import ArgumentParser
import CLinuxShim
import Foundation
import Photos
import PhotosManagement

/// Measures the memory per fetched asset, and of walking a million objects.
///
/// Each figure comes from a separate process that does nothing else.
struct MemorySuite {
    let assets: Int

    func run(_ report: Report) throws {
        let library = try SyntheticLibrary()
        try library.fill(assets: assets)
        let fetched = try probe("fetch", library)
        report.print(
            Report.Case(
                suite: "memory",
                name: "bytes per fetched asset",
                ours: fetched,
                unit: "bytes",
                limit: 16
            )
        )
        let walked = try probe("walk", library)
        report.print(
            Report.Case(
                suite: "memory",
                name: "peak growth while walking \(assets) objects",
                ours: walked,
                unit: "MB",
                limit: 150
            )
        )
    }

    private func probe(_ what: String, _ library: SyntheticLibrary) throws -> Double {
        try Probe.run(["probe-memory", what, library.url.path])
    }
}

/// Measures memory in a separate process.
struct MemoryProbe: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe-memory",
        abstract: "Part of the suite memory.",
        shouldDisplay: false
    )

    @Argument var what: String
    @Argument var library: String

    func run() throws {
        let bundle = try PhotoLibraryBundle.open(at: URL(fileURLWithPath: library))
        let figure = try bundle.using { what == "fetch" ? try fetch() : try walk() }
        try Probe.print(figure)
    }

    /// Returns the growth per asset of a retained result.
    ///
    /// Freed memory is returned to the system before each reading: a result would otherwise use
    /// what was freed before it, and seem to cost nothing.
    private func fetch() throws -> Double {
        blackHole(PHAsset.fetchAssets(withLocalIdentifiers: ["x"], options: nil).count)
        let options = PHFetchOptions()
        options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: true)]
        cphotos_trim_heap()
        let before = try Self.status("VmRSS")
        let result = PHAsset.fetchAssets(with: options)
        let count = result.count
        cphotos_trim_heap()
        let growth = try Self.status("VmRSS") - before
        return withExtendedLifetime(result) { Double(growth) * 1_024 / Double(count) }
    }

    private func walk() throws -> Double {
        let result = PHAsset.fetchAssets(with: nil)
        blackHole(result.firstObject?.pixelWidth)
        let before = try Self.status("VmRSS")
        var sum = 0
        for index in 0..<result.count { sum &+= result.object(at: index).pixelWidth }
        guard sum == result.count * 4_032 else {
            throw BenchmarkError(description: "The walk read wrong sizes.")
        }
        return Double(try Self.status("VmHWM") - before) / 1_024
    }

    /// Returns a figure of `/proc/self/status`, in kB.
    private static func status(_ name: String) throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        guard let figure = line?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw BenchmarkError(description: "/proc/self/status has no \(name).")
        }
        return figure
    }
}
