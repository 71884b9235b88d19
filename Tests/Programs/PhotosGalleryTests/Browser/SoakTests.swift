import Foundation
import TestSupport
import Testing

/// The memory of the server while a real browser scrolls through a library.
///
/// `PHOTOS_SOAK_MINUTES` sets the duration, by default nine seconds. From ten minutes on, the
/// memory must also be flat. The figures are written to `.build/gallery-soak.json`.
@Suite(.timeLimit(.minutes(120))) struct SoakTests {
    /// The driver's measurements.
    private struct Figures: Decodable {
        /// A sample of the server's memory.
        struct Sample: Decodable {
            var second: Double
            /// The private memory in bytes: neither file-backed nor shared.
            var own: Int
            /// The number of pictures that the browser had received.
            var pictures: Int
        }

        var samples: [Sample]
    }

    /// The maximum of the server's private memory in bytes.
    ///
    /// Caches of pictures take 48 MB, those of the database up to 36 MB.
    private static let ceiling = 120 << 20
    /// The number of bytes by which the last third may exceed the second one.
    ///
    /// The cached records of the latest 4,096 assets, some 8 MB, are discarded at once and loaded
    /// anew.
    private static let drift = 12 << 20

    @Test(.timeLimit(.minutes(120))) func scrollingLeavesTheServerAsSmallAsItWas() throws {
        let minutes =
            ProcessInfo.processInfo.environment["PHOTOS_SOAK_MINUTES"].flatMap(Double.init) ?? 0.15
        let python = "/usr/bin/python3"
        let probe = try ProcessRunner.run(python, ["-c", "import selenium"])
        try #require(
            probe.status == 0 && ProcessRunner.path(of: "/usr/bin/chromium") != nil,
            "Chromium and its driver are missing: run Scripts/setup"
        )
        let driver = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "Driver/soak.py")
        let output = try ProcessRunner.run(
            "/usr/bin/timeout",
            [
                "--kill-after=10", String(Int(minutes * 60) + 600), python, driver.path,
                "--photos", BuiltProducts.photos.path, "--minutes", String(minutes),
            ],
            environment: ["PHOTOS_WORKER": BuiltProducts.worker.path]
        )
        try #require(output.status == 0, "\(output.errorText)")
        let line = try #require(output.lines.last)
        let record = BuiltProducts.folder.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "gallery-soak.json")
        try Data(line.utf8).write(to: record)
        let samples = try JSONDecoder().decode(Figures.self, from: Data(line.utf8)).samples
        let last = try #require(samples.last)
        #expect(last.pictures > 100, "The browser scrolled over nothing.")
        let most = try #require(samples.map(\.own).max())
        #expect(most <= Self.ceiling, "\(most >> 20) MB")
        guard minutes >= 10 else { return }
        func median(_ part: ArraySlice<Figures.Sample>) throws -> Int {
            let sorted = part.map(\.own).sorted()
            return try #require(sorted.isEmpty ? nil : sorted[sorted.count / 2])
        }
        let third = samples.count / 3
        let growth = try median(samples[(2 * third)...]) - median(samples[third..<2 * third])
        #expect(growth <= Self.drift, "\(growth >> 10) KB more in the last third")
    }
}
