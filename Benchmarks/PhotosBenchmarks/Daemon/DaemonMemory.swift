import ArgumentParser
import Foundation
import LibraryService
import Photos
import PhotosManagement
import RemoteLibrary

/// Measures the memory of an idle daemon, and of ten programs with it and without it.
struct DaemonMemory {
    let assets: Int
    let report: Report

    private static let programs = 10
    private static let pictures = 40

    func run() throws {
        let large = try SyntheticLibrary()
        try large.fill(assets: assets)
        let daemon = try DaemonProcess(in: large.folder)
        let remote = try daemon.connect(large.url)
        blackHole(try remote.fetch(.init()).ids.count)
        try daemon.waitForDuties(of: remote)
        remote.close()
        // The daemon frees its caches after five seconds without work.
        sleep(7)
        print("an idle daemon with \(assets) assets", ProcessMemory.resident(daemon.identifier), 60)
        try fetchAgain(large, daemon)
        daemon.stop()

        let small = try SyntheticLibrary()
        try small.fill(assets: 2_000)
        try small.addRenditions()
        let embedded = try memory(of: small, daemon: nil)
        let serving = try DaemonProcess(in: small.folder)
        defer { serving.stop() }
        let served = try memory(of: small, daemon: serving)
        report.print(
            Report.Case(
                suite: "daemon",
                name:
                    "\(Self.programs) programs that showed \(Self.pictures) images, with the daemon",
                ours: served,
                peer: embedded,
                peerName: "without it",
                unit: "MB",
                limit: nil
            )
        )
    }

    /// Measures the first fetch after the daemon freed its caches, and the next one.
    private func fetchAgain(_ library: SyntheticLibrary, _ daemon: DaemonProcess) throws {
        let remote = try daemon.connect(library.url)
        defer { remote.close() }
        let times = try (0..<2).map { _ in
            try seconds { blackHole(try remote.fetch(.init()).ids.count) }
        }
        report.print(
            Report.Case(
                suite: "daemon",
                name: "the first fetch of \(assets) assets by an idle daemon",
                ours: times[0] * 1_000,
                peer: times[1] * 1_000,
                peerName: "the second",
                unit: "ms",
                limit: nil
            )
        )
    }

    /// Returns the memory of some programs and their workers, and of the daemon and its workers;
    /// pages that several share are counted once.
    private func memory(of library: SyntheticLibrary, daemon: DaemonProcess?) throws -> Double {
        setenv("PHOTOS_DAEMON", daemon == nil ? "0" : "1", 1)
        defer { unsetenv("PHOTOS_DAEMON") }
        var programs: [(process: Process, input: Pipe)] = []
        defer {
            for program in programs {
                try? program.input.fileHandleForWriting.close()
                program.process.waitUntilExit()
            }
        }
        for _ in 0..<Self.programs {
            let process = Probe.process([
                "probe-client", library.url.path, "--pictures", "\(Self.pictures)",
            ])
            let input = Pipe()
            let output = Pipe()
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            programs.append((process, input))
            // One line says that it has its images.
            guard !output.fileHandleForReading.availableData.isEmpty else {
                throw BenchmarkError(description: "A program with images failed.")
            }
        }
        let processes =
            programs.map(\.process.processIdentifier) + (daemon.map { [$0.identifier] } ?? [])
        return processes.reduce(0) { $0 + ProcessMemory.share(ofFamily: $1) }
    }

    private func print(_ name: String, _ figure: Double, _ limit: Double?) {
        report.print(
            Report.Case(suite: "daemon", name: name, ours: figure, unit: "MB", limit: limit)
        )
    }
}

/// Shows images of a library, and keeps them until its input ends.
struct ClientProbe: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe-client",
        abstract: "Part of the suite daemon.",
        shouldDisplay: false
    )

    @Argument var library: String
    @Option var pictures: Int

    func run() throws {
        let bundle = try PhotoLibraryBundle.open(at: URL(fileURLWithPath: library))
        let result = try bundle.fetchAssets(with: nil)
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        var shown: [UIImage] = []
        for index in 0..<min(pictures, result.count) {
            PHImageManager.default().requestImage(
                for: result.object(at: index),
                targetSize: CGSize(width: 256, height: 256),
                contentMode: .aspectFit,
                options: options
            ) { image, _ in
                if let image { shown.append(image) }
            }
        }
        guard shown.count == pictures else {
            throw BenchmarkError(description: "Only \(shown.count) images were delivered.")
        }
        print("ready")
        fflush(nil)
        while readLine() != nil {}
        blackHole(shown)
    }
}
