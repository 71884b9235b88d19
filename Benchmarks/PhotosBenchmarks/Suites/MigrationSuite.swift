import Foundation
import PhotosManagement
import TestSupport

/// Measures imports of other programs' libraries against the programs that people would use
/// instead: `unzip` for Google Takeout, and osxphotos for Apple Photos.
struct MigrationSuite {
    /// The version of the peer, which `pip install osxphotos==…` installs.
    static let osxphotos = "0.77.2"

    /// The number of assets in the measured sources.
    let assets: Int
    /// The number of assets in the sources with which memory is compared.
    let fewAssets: Int
    let rounds: Int

    func run(_ report: Report) throws {
        try takeout(report)
        try apple(report)
    }

    // MARK: - Google Takeout

    private func takeout(_ report: Report) throws {
        let work = try WorkFolder()
        // Exports are recognized by their names.
        let archive = work.url.appendingPathComponent("takeout-20240131T101112Z-001.zip")
        try TakeoutTree(count: assets).writeZIP(to: archive)
        var ours: [MigrationProbe.Figures] = []
        var peer: [Double] = []
        for _ in 0..<rounds {
            let copy = work.url.appendingPathComponent("copy")
            try Shell.run("sync -f \"$1\"", [work.url.path])
            peer.append(
                try seconds {
                    try Shell.run(
                        "unzip -q \"$1\" -d \"$2\" && sync -f \"$2\" && find \"$2\" -type f -print0"
                            + " | xargs -0 sha256sum > /dev/null",
                        [archive.path, copy.path]
                    )
                }
            )
            try FileManager.default.removeItem(at: copy)
            try Shell.run("sync -f \"$1\"", [work.url.path])
            ours.append(try migrate(.takeout, archive, assets))
        }
        report.print(
            Report.Case(
                suite: "migration",
                name: "Google Takeout, a ZIP of \(assets) small photos, durable",
                ours: median(ours.map(\.seconds)) / Double(assets) * 1_000,
                peer: median(peer) / Double(assets) * 1_000,
                peerName: "unzip + sync -f + sha256sum",
                unit: "ms per photo",
                limit: 1.5
            )
        )
        let small = work.url.appendingPathComponent("takeout-20240131T101113Z-001.zip")
        try TakeoutTree(count: fewAssets, seed: 2).writeZIP(to: small)
        try memory(report, "Google Takeout", of: ours, against: migrate(.takeout, small, fewAssets))
    }

    // MARK: - Apple Photos

    private func apple(_ report: Report) throws {
        let work = try WorkFolder()
        let source = work.url.appendingPathComponent("Large.photoslibrary")
        let large = library(assets)
        try large.write(to: source)
        try large.execute(PeerSchema.sql, in: source)
        var ours: [MigrationProbe.Figures] = []
        var peer: [Double] = []
        var program = try Self.installedPeer()
        for _ in 0..<rounds {
            if let peerProgram = program {
                try Shell.run("sync -f \"$1\"", [work.url.path])
                if let time = try export(source, by: peerProgram, below: work) {
                    peer.append(time)
                } else {
                    Self.say(
                        "The peer is skipped: osxphotos does not export the generated library."
                    )
                    program = nil
                }
            }
            try Shell.run("sync -f \"$1\"", [work.url.path])
            ours.append(try migrate(.apple, source, assets))
        }
        report.print(
            Report.Case(
                suite: "migration",
                name: "Apple Photos, a library of \(assets) small photos, durable",
                ours: median(ours.map(\.seconds)) / Double(assets) * 1_000,
                peer: program == nil ? nil : median(peer) / Double(assets) * 1_000,
                peerName: program == nil ? nil : "osxphotos \(Self.osxphotos) export",
                unit: "ms per photo",
                limit: program == nil ? nil : 0.33
            )
        )
        let small = work.url.appendingPathComponent("Small.photoslibrary")
        var few = library(fewAssets)
        few.seed = 2
        try few.write(to: small)
        try memory(report, "Apple Photos", of: ours, against: migrate(.apple, small, fewAssets))
    }

    /// Returns the seconds of an export by osxphotos; nil if it does not export all photos.
    private func export(_ source: URL, by program: String, below work: WorkFolder) throws -> Double?
    {
        let copy = work.url.appendingPathComponent("copy")
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: copy) }
        var isDone = false
        let time = try seconds {
            let output = try ProcessRunner.run(
                program,
                ["export", copy.path, "--library", source.path, "--no-progress"]
            )
            isDone = output.status == 0
            try Shell.run("sync -f \"$1\"", [copy.path])
        }
        let names = FileManager.default.enumerator(atPath: copy.path)?.allObjects as? [String]
        let photos = (names ?? []).count { $0.lowercased().hasSuffix(".jpg") }
        return isDone && photos >= assets * 9 / 10 ? time : nil
    }

    private static func say(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    private func library(_ count: Int) -> AppleLibrary {
        var library = AppleLibrary()
        library.assets = count
        library.albums = 20
        return library
    }

    /// Returns the path of the peer; nil, with a message, if its pinned version is not installed.
    private static func installedPeer() throws -> String? {
        let program = ProcessInfo.processInfo.environment["PHOTOS_OSXPHOTOS"] ?? "osxphotos"
        let output = try? ProcessRunner.run(program, ["--version"])
        if let output, output.status == 0, output.text.contains(osxphotos) { return program }
        say(
            "The peer is skipped: osxphotos \(osxphotos) is not installed (pip install"
                + " osxphotos==\(osxphotos)), and PHOTOS_OSXPHOTOS does not name it."
        )
        return nil
    }

    // MARK: - Probes

    private func migrate(_ kind: MigrationProbe.Kind, _ source: URL, _ count: Int) throws
        -> MigrationProbe.Figures
    {
        let library = try SyntheticLibrary()
        let figures = try Probe.run(
            ["probe-migration", kind.rawValue, library.url.path, source.path],
            as: MigrationProbe.Figures.self
        )
        guard figures.imported == count else {
            throw BenchmarkError(description: "\(figures.imported) of \(count) were imported.")
        }
        return figures
    }

    private func memory(
        _ report: Report,
        _ name: String,
        of large: [MigrationProbe.Figures],
        against small: MigrationProbe.Figures
    ) throws {
        let worker = large.map(\.workerMemory).max() ?? 0
        report.print(
            Report.Case(
                suite: "migration",
                name: "\(name), peak memory with \(assets) photos (the largest worker: "
                    + "\(Int(worker)) MB)",
                ours: large.map(\.memory).max() ?? 0,
                peer: small.memory,
                peerName: "with \(fewAssets) photos",
                unit: "MB",
                limit: nil
            )
        )
    }
}
