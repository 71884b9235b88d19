import ArgumentParser
import CBenchmarkPeers
import Foundation
import PhotoModel
import Photos
import PhotosManagement
import RenditionCodec

/// Measures thumbnails of camera files against common tools, renditions against libjpeg-turbo, and
/// the latency of the first callback.
///
/// Ours includes the request through the public API, the worker's decoding and scaling, the
/// rendition's encoding and its row, and the delivery on the main queue. The tools include
/// decoding, scaling, encoding in the same quality, and the file. Neither includes process
/// start-up.
struct ImagesSuite {
    /// The parts that can be measured separately.
    enum Part: String, ExpressibleByArgument, CaseIterable {
        case warm, jpeg, heic, raw
    }

    /// The number of pictures in a round.
    let pictures: Int
    let rounds: Int
    let parts: Set<Part>

    private var turns: Int { max(1, min(rounds, 5)) }
    private static let warmUps = 4

    func run(_ report: Report) throws {
        if parts.contains(.warm) { try warm(report) }
        if parts.contains(.jpeg) { try jpegs(report) }
        if parts.contains(.heic) { try heic(report) }
        if parts.contains(.raw) { try raw(report) }
    }

    // MARK: - Cold

    /// Files in a folder, and the library that contains them, without renditions of 256 pixels.
    private final class Cold {
        let work: WorkFolder
        let library: SyntheticLibrary
        let files: [URL]
        let tools: ThumbnailTools

        /// Imports the given number of distinct files, which are copies of a few with a different
        /// tail that readers ignore.
        init(_ contents: [Data], _ pathExtension: String, count: Int, tail: (Int) -> Data) throws {
            work = try WorkFolder()
            library = try SyntheticLibrary()
            let source = work.url.appendingPathComponent("source")
            let output = work.url.appendingPathComponent("output")
            for folder in [source, output] {
                try FileManager.default.createDirectory(
                    at: folder,
                    withIntermediateDirectories: true
                )
            }
            tools = ThumbnailTools(folder: output)
            files = try (0..<count).map { index in
                let file = source.appendingPathComponent("IMG_\(10_000 + index).\(pathExtension)")
                try (contents[index % contents.count] + tail(index)).write(to: file)
                return file
            }
            let bundle = try PhotoLibraryBundle.open(at: library.url)
            let summary = try LibraryImport(library: bundle, paths: [SourcePath(source.path)])
                .run { _ in }
            guard summary.counts[.imported] == count else {
                throw BenchmarkError(description: "Not all was imported: \(summary.counts)")
            }
        }

        func probe(
            _ way: ImagesProbe.Way,
            _ range: Range<Int>
        ) throws -> ImagesProbe.Answer {
            try Probe.run([
                "probe-images", library.url.path, way.rawValue, "--start", "\(range.lowerBound)",
                "--count", "\(range.count)", "--warm-ups", "\(ImagesSuite.warmUps)",
            ])
        }
    }

    private func jpegs(_ report: Report) throws {
        let count = pictures * turns * 2 + pictures + Self.warmUps
        let cold = try Cold(try BenchmarkPictures.jpegs(count: 8), "JPG", count: count) {
            Data("\($0)".utf8)
        }
        let what = "256 px from cold JPEGs of 12 MP"
        var together: [Double] = []
        var single: [Double] = []
        var tools: [Tool: [Double]] = [:]
        var peaks: [ImagesProbe.Answer] = []
        for turn in 0..<turns {
            let range = turn * 2 * pictures..<(turn * 2 + 1) * pictures
            let files = Array(cold.files[range])
            for tool in Tool.available {
                tools[tool, default: []].append(try tool.run(cold.tools, files))
            }
            let answer = try cold.probe(.together, range)
            peaks.append(answer)
            together.append(answer.seconds)
            let next = range.upperBound..<range.upperBound + pictures
            single.append(try cold.probe(.single, next).seconds)
        }
        for tool in Tool.available {
            compare(report, what, together, tools[tool] ?? [], tool.name, tool.limit)
        }
        for tool in [Tool.vips, .pillow] where Tool.available.contains(tool) {
            let name = what + ", one after the other"
            compare(report, name, single, tools[tool] ?? [], tool.name, nil)
        }
        for (name, figures) in [
            ("the program", peaks.map(\.peak)), ("a worker", peaks.map(\.workerPeak)),
        ] {
            figure(report, "peak memory of \(name), cold JPEGs", median(figures), "MB")
        }
        let last = pictures * turns * 2..<pictures * (turns * 2 + 1)
        latency(report, "cold JPEGs with a preview", try cold.probe(.callbacks, last))
    }

    private func heic(_ report: Report) throws {
        let names = [
            "adjusted/IMG_1853.HEIC", "apple/IMG_1034-iphone8.heic",
            "apple/IMG_2927-iphone11pro.HEIC",
        ]
        guard let contents = Self.shared(names), ThumbnailTools.has("vipsthumbnail") else { return }
        // A box that readers skip.
        try others(report, contents, "HEIC", "256 px from cold HEICs of 12 MP", .vips) { index in
            let text = Data("\(index)".utf8)
            let length = UInt32(8 + text.count).bigEndian
            return withUnsafeBytes(of: length) { Data($0) } + Data("free".utf8) + text
        }
    }

    private func raw(_ report: Report) throws {
        guard let contents = Self.shared(["raw/pixel7.dng"]), ThumbnailTools.has("dcraw_emu"),
            ThumbnailTools.has("vipsthumbnail")
        else { return }
        let what = "256 px from cold DNGs (Pixel 7, 3.4 MB, cropped to 0.2 MP)"
        try others(report, contents, "DNG", what, .developed) { Data("\($0)".utf8) }
    }

    private func others(
        _ report: Report,
        _ contents: [Data],
        _ pathExtension: String,
        _ what: String,
        _ tool: Tool,
        tail: (Int) -> Data
    ) throws {
        let size = max(1, pictures / 2)
        let cold = try Cold(
            contents,
            pathExtension,
            count: size * turns + Self.warmUps,
            tail: tail
        )
        // The previews in these files are large enough to answer without any decoding.
        try cold.library.dropRenditions()
        var ours: [Double] = []
        var peer: [Double] = []
        for turn in 0..<turns {
            let range = turn * size..<(turn + 1) * size
            peer.append(try tool.run(cold.tools, Array(cold.files[range])))
            ours.append(try cold.probe(.together, range).seconds)
        }
        compare(report, what, ours, peer, tool.name, nil, count: size)
    }

    /// Returns camera files that are stored next to a checkout, or nil if they are missing.
    private static func shared(_ names: [String]) -> [Data]? {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("shared/data")
        let contents = names.compactMap { try? Data(contentsOf: folder.appendingPathComponent($0)) }
        return contents.count == names.count ? contents : nil
    }

    /// The tools to compare with.
    private enum Tool: CaseIterable {
        case vips, pillow, twoVips, twoPillows, developed

        static var available: [Tool] {
            allCases.filter { tool in
                switch tool {
                case .vips, .twoVips: ThumbnailTools.has("vipsthumbnail")
                case .pillow, .twoPillows: ThumbnailTools.python != nil
                case .developed: false
                }
            }
        }

        var name: String {
            switch self {
            case .vips: "vipsthumbnail"
            case .pillow: "Pillow's draft mode"
            case .twoVips: "two vipsthumbnails at once"
            case .twoPillows: "two Pillows at once"
            case .developed: "dcraw_emu, then vipsthumbnail"
            }
        }

        var limit: Double? {
            switch self {
            case .vips: 0.83
            case .pillow: 1
            case .twoVips, .twoPillows, .developed: nil
            }
        }

        func run(_ tools: ThumbnailTools, _ files: [URL]) throws -> Double {
            switch self {
            case .vips: try tools.vipsthumbnail(files)
            case .pillow: try tools.pillow(files)
            case .twoVips: try tools.vipsthumbnail(files, processes: 2)
            case .twoPillows: try tools.pillow(files, processes: 2)
            case .developed: try tools.developed(files)
            }
        }
    }

    // MARK: - Warm

    private func warm(_ report: Report) throws {
        let count = 1_000
        let ways: [(name: String, size: (Int, Int), isExact: Bool)] = [
            ("256 px from renditions", (256, 256), false),
            ("200 × 150 px, exact, from renditions", (200, 150), true),
        ]
        let library = try SyntheticLibrary()
        try library.fill(assets: count * turns * ways.count + 1_000)
        try library.addRenditions()
        let jpegs = try library.renditions(count: count)
        var start = 0
        for way in ways {
            var ours: [Double] = []
            var peer: [Double] = []
            for _ in 0..<turns {
                peer.append(try Self.peerSeconds(jpegs, way.size, isExact: way.isExact))
                // Opening the library and SQLite's first pages are not counted for any picture.
                let arguments = [
                    "probe-images", library.url.path, "single", "--start", "\(start)", "--count",
                    "\(count)", "--width", "\(way.size.0)", "--height", "\(way.size.1)",
                    "--warm-ups", "\(Self.warmUps)",
                ]
                ours.append(
                    try Probe.run(
                        arguments + (way.isExact ? ["--exact"] : []),
                        as: ImagesProbe.Answer.self
                    ).seconds
                )
                start += count
            }
            let name = "libjpeg-turbo in C, decoding\(way.isExact ? " and scaling" : "")"
            // The limit applies to decoding and scaling. Without scaling, the two databases and the
            // memory of a retained picture are compared with a fifth of a millisecond.
            let limit: Double? = way.isExact ? 1.5 : nil
            compare(report, way.name, ours, peer, name, limit, count: count)
            figure(
                report,
                "\(way.name), per second and core",
                Double(count) / median(ours),
                "pictures/s"
            )
        }
        let answer = try Probe.run(
            [
                "probe-images", library.url.path, "callbacks", "--start", "\(start)", "--count",
                "400",
            ],
            as: ImagesProbe.Answer.self
        )
        latency(report, "renditions", answer)
    }

    private static func peerSeconds(
        _ jpegs: [Data],
        _ size: (Int, Int),
        isExact: Bool
    ) throws -> Double {
        guard let decoder = cphotos_peer_decoder_open() else {
            throw BenchmarkError(description: "libjpeg-turbo does not start.")
        }
        defer { cphotos_peer_decoder_close(decoder) }
        let whole = SyntheticLibrary.renditionSize
        let target = isExact ? size : (whole.width, whole.height)
        let header = JPEGHeader(size: whole, isGray: false)
        let decoded = header.scaledSize(
            covering: PixelSize(width: target.0, height: target.1)
        )
        var isWhole = true
        let duration = seconds {
            for jpeg in jpegs {
                let sum = jpeg.withUnsafeBytes { bytes in
                    bytes.baseAddress.map {
                        cphotos_peer_decode(
                            decoder,
                            $0,
                            bytes.count,
                            Int32(decoded.width),
                            Int32(decoded.height),
                            Int32(target.0),
                            Int32(target.1)
                        )
                    }
                }
                isWhole = isWhole && (sum ?? -1) >= 0
            }
        }
        guard isWhole else { throw BenchmarkError(description: "A rendition is damaged.") }
        return duration
    }

    // MARK: - Reporting

    private func compare(
        _ report: Report,
        _ name: String,
        _ ours: [Double],
        _ peer: [Double],
        _ peerName: String,
        _ limit: Double?,
        count: Int? = nil
    ) {
        let scale = 1_000 / Double(count ?? pictures)
        report.print(
            Report.Case(
                suite: "images",
                name: name,
                ours: median(ours) * scale,
                peer: median(peer) * scale,
                peerName: peerName,
                unit: "ms per picture",
                limit: limit
            )
        )
    }

    private func figure(_ report: Report, _ name: String, _ value: Double, _ unit: String) {
        report.print(
            Report.Case(suite: "images", name: name, ours: value, unit: unit, limit: nil)
        )
    }

    private func latency(_ report: Report, _ what: String, _ answer: ImagesProbe.Answer) {
        for (name, times) in [("first callback", answer.first), ("last callback", answer.last)] {
            let sorted = times.sorted()
            guard !sorted.isEmpty else { continue }
            let slow = sorted[min(sorted.count - 1, sorted.count * 95 / 100)]
            figure(report, "\(name), \(what), p50", median(sorted), "ms")
            figure(report, "\(name), \(what), p95", slow, "ms")
        }
    }
}
