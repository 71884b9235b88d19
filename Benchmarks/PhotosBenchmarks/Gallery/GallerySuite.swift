import Foundation
import PhotosManagement

/// Measures the gallery as a user has it: `photos serve` and Chromium, on a library of rows with
/// renditions.
///
/// `measure.py`, which is next to the browser tests, drives the browser. Requests per second are
/// measured without a browser, and compared with a file server that sends the same bytes.
struct GallerySuite {
    let assets: [Int]
    let rounds: Int

    /// The number of the newest assets that have renditions and are requested in turn; more than
    /// the scrolled range.
    private static let pictures = 2_000
    private static let connections = 8

    /// The figures that the browser measured in one round.
    private struct Figures: Decodable {
        /// In milliseconds from the start of the navigation.
        var firstPicture: Double
        var sharpScreen: Double
        /// The times between frames while scrolling.
        var frames: [Double]
        /// The time of the page's thread for each frame.
        var work: Double
        var cells: Int
    }

    func run(_ report: Report) throws {
        guard ThumbnailTools.has("/usr/bin/chromedriver"), ThumbnailTools.has("/usr/bin/chromium")
        else {
            throw BenchmarkError(description: "Chromium is missing: run Scripts/setup.")
        }
        try FilePeer.require()
        for count in assets { try run(report, count) }
    }

    private func run(_ report: Report, _ count: Int) throws {
        let library = try SyntheticLibrary()
        try library.fill(assets: count)
        try library.addRenditions(newest: Self.pictures)
        let work = try WorkFolder()
        let words = Self.words(count)
        var figures: [Figures] = []
        var peaks: [Double] = []
        // The first start builds what the library keeps prepared; it is not counted.
        for round in 0...max(1, min(rounds, 5)) {
            let gallery = try ServedGallery(library: library.url, folder: library.folder)
            defer { gallery.stop() }
            let measured = try Self.measure(gallery)
            guard round > 0 else { continue }
            figures.append(measured)
            peaks.append(gallery.peakMemory)
        }
        func say(_ name: String, _ value: Double, _ unit: String) {
            report.print(
                Report.Case(suite: "gallery", name: name, ours: value, unit: unit, limit: nil)
            )
        }
        say("\(words): first picture", median(figures.map(\.firstPicture)), "ms")
        say("\(words): a full sharp screen", median(figures.map(\.sharpScreen)), "ms")
        let frames = figures.flatMap(\.frames).sorted()
        say("\(words): frame while scrolling, p95", frames[frames.count * 95 / 100], "ms")
        say("\(words): the page's own time in a frame", median(figures.map(\.work)), "ms")
        say("\(words): peak memory of the server", median(peaks), "MB")
        let cold = try (0..<max(1, min(rounds, 5))).map { _ in
            try Self.firstTimeline(library.url, library.folder)
        }
        say("\(words): the timeline of a server that has just started", median(cold), "ms")
        let sidebar = try Self.sidebar(library.url, library.folder)
        say("\(words): processor time of the sidebar, first request", sidebar.first, "ms")
        say("\(words): processor time of the sidebar, later requests", sidebar.later, "ms")
        try requests(report, library, work.url, words)
    }

    private static func words(_ count: Int) -> String {
        let style = IntegerFormatStyle<Int>(locale: Locale(identifier: "en_US_POSIX"))
        return "\(count.formatted(style.grouping(.automatic))) assets"
    }

    /// Measures the gallery in a new browser.
    private static func measure(_ gallery: ServedGallery) throws -> Figures {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent(
                "../../../Tests/Programs/PhotosGalleryTests/Browser/Driver/measure.py"
            ).standardizedFileURL
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
        process.arguments = [
            "--kill-after=10", "300", "/usr/bin/python3", script.path, gallery.link,
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkError(description: "The browser's side failed.")
        }
        return try JSONDecoder().decode(Figures.self, from: output)
    }

    /// How long a server that has just started takes for the timeline and the first assets, in
    /// milliseconds.
    private static func firstTimeline(_ library: URL, _ folder: URL) throws -> Double {
        let gallery = try ServedGallery(library: library, folder: folder)
        defer { gallery.stop() }
        let proof = try gallery.enter()
        let client = try LoadClient(port: gallery.port)
        var status = 0
        let time = try seconds {
            status = try client.get("/api/timeline?source=library&first=120", as: proof).status
        }
        guard status == 200 else { throw BenchmarkError(description: "The timeline: \(status)") }
        return time * 1_000
    }

    /// How much processor time the server uses for the sidebar, for the first request and on
    /// average for the next ones, in milliseconds.
    private static func sidebar(_ library: URL, _ folder: URL) throws -> (
        first: Double, later: Double
    ) {
        let gallery = try ServedGallery(library: library, folder: folder)
        defer { gallery.stop() }
        let proof = try gallery.enter()
        let client = try LoadClient(port: gallery.port)
        // The server prepares this list when it starts; the time for it is not the sidebar's.
        _ = try client.get("/api/timeline?source=library", as: proof)
        func time(_ requests: Int) throws -> Double {
            let before = gallery.processorTime
            for _ in 0..<requests {
                let status = try client.get("/api/collections", as: proof).status
                guard status == 200 else {
                    throw BenchmarkError(description: "The sidebar: \(status)")
                }
            }
            return (gallery.processorTime - before) * 1_000 / Double(requests)
        }
        return (try time(1), try time(50))
    }

    // MARK: - Requests

    private func requests(
        _ report: Report,
        _ library: SyntheticLibrary,
        _ work: URL,
        _ words: String
    ) throws {
        let gallery = try ServedGallery(library: library.url, folder: library.folder)
        defer { gallery.stop() }
        let proof = try gallery.enter()
        let client = try LoadClient(port: gallery.port)
        let ids = try Self.ids(client, proof)
        // The requests of the grid at its usual zoom level.
        let ours = ids.map { "/api/assets/\($0)/picture?size=192&quality=sharp&fit=fill&v=1" }
        let first = try LoadClient.load(
            ours,
            port: gallery.port,
            as: proof,
            connections: Self.connections
        )
        let folder = work.appendingPathComponent("files")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (id, path) in zip(ids, ours) {
            let picture = try client.get(path, as: proof).body
            try picture.write(to: folder.appendingPathComponent("\(id).jpg"))
        }
        let peer = try FilePeer(serving: folder, in: work)
        defer { peer.stop() }
        let theirs = ids.map { "/\($0).jpg" }
        var figures: (ours: [Double], peer: [Double]) = ([], [])
        var processor: (ours: [Double], peer: [Double]) = ([], [])
        for _ in 0...max(1, rounds) {
            let before = (gallery.processorTime, peer.processorTime)
            defer {
                processor.ours.append(gallery.processorTime - before.0)
                processor.peer.append(peer.processorTime - before.1)
            }
            figures.ours.append(
                try LoadClient.load(
                    ours,
                    port: gallery.port,
                    as: proof,
                    connections: Self.connections
                )
            )
            figures.peer.append(
                try LoadClient.load(
                    theirs,
                    port: peer.port,
                    as: nil,
                    connections: Self.connections
                )
            )
        }
        let each = 1e6 / Double(ids.count)
        let time = median(figures.ours)
        report.print(
            Report.Case(
                suite: "gallery",
                name: "\(words): a picture that was asked for before"
                    + " (\(Int(Double(ids.count) / time)) a second)",
                ours: time * each,
                peer: median(figures.peer) * each,
                peerName: FilePeer.name,
                unit: "µs",
                limit: nil
            )
        )
        report.print(
            Report.Case(
                suite: "gallery",
                name: "\(words): the server's processor time for it",
                ours: median(processor.ours) * each,
                peer: median(processor.peer) * each,
                peerName: FilePeer.name,
                unit: "µs",
                limit: nil
            )
        )
        report.print(
            Report.Case(
                suite: "gallery",
                name: "\(words): a picture from its rendition"
                    + " (\(Int(Double(ids.count) / first)) a second)",
                ours: first * each,
                unit: "µs",
                limit: nil
            )
        )
    }

    /// Returns the newest assets, as the page lists them.
    private static func ids(_ client: LoadClient, _ proof: LoadClient.Proof) throws
        -> [String]
    {
        struct Timeline: Decodable { var snapshot: String }
        struct Names: Decodable { var ids: [String] }
        let timeline = try client.get("/api/timeline", as: proof)
        let snapshot = try JSONDecoder().decode(Timeline.self, from: timeline.body).snapshot
        let path = "/api/ids?snapshot=\(snapshot)&from=0&to=\(pictures)"
        return try JSONDecoder().decode(Names.self, from: client.get(path, as: proof).body).ids
    }
}
