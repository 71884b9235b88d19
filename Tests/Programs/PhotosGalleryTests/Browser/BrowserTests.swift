import Foundation
import SamplePhotos
import TestSupport
import Testing

/// The page of the gallery in Debian's Chromium, through `Driver/run.py`, on a library of sample
/// photos.
///
/// Screenshots of the pages are saved in `.build/gallery-pictures`. `PHOTOS_BROWSER_PARTS` names
/// the parts to run, separated by spaces, by default all of them. `PHOTOS_BROWSER_ASSETS` is the
/// size of the large library of the part `scale`, by default 100,000. `PHOTOS_BROWSER_PATIENCE` is
/// the time limit of a page's step in seconds, by default 60.
@Suite(.timeLimit(.minutes(30))) struct BrowserTests {
    /// A line of the driver's output.
    struct Line: Decodable {
        var part: String
        var check: String?
        var ok: Bool?
        var message: String?
    }

    /// Every part of the driver, in the order in which they run.
    private static let all = [
        "grid", "viewer", "sidebar", "search", "edit", "changing", "failing", "importing", "live",
        "cloud",
        "settings", "safety", "entering", "viewing", "manners", "scale",
    ]

    private static func parts(_ wish: String?) -> [String] {
        guard let wish else { return all }
        return wish == "all" ? all : wish.split(separator: " ").map(String.init)
    }

    @Test(.timeLimit(.minutes(30))) func thePageWorksInABrowser() throws {
        let python = "/usr/bin/python3"
        let probe = try ProcessRunner.run(python, ["-c", "import selenium"])
        try #require(
            probe.status == 0 && ProcessRunner.path(of: "/usr/bin/chromium") != nil
                && ProcessRunner.path(of: "/usr/bin/chromedriver") != nil,
            "Chromium and its driver are missing: run Scripts/setup"
        )
        let folder = try TemporaryFolder("photos-browser")
        let samples = folder.file("samples")
        try SampleSet.demo(count: 40, seed: 1, megapixels: 0.12).write(to: samples) { _ in }
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let pictures = BuiltProducts.folder.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("gallery-pictures")
        let environment = ProcessInfo.processInfo.environment
        let parts = Self.parts(environment["PHOTOS_BROWSER_PARTS"])
        // A browser that hangs is terminated with all its child processes, and fails the test.
        let output = try ProcessRunner.run(
            "/usr/bin/timeout",
            [
                "--kill-after=10", "1500", python,
                here.appendingPathComponent("Driver/run.py").path,
                "--photos", BuiltProducts.photos.path, "--samples", samples.path,
                "--pictures", pictures.path,
                "--assets", environment["PHOTOS_BROWSER_ASSETS"] ?? "100000",
            ] + parts,
            environment: ["PHOTOS_WORKER": BuiltProducts.worker.path]
        )
        // If lines are missing, the parts below are missing too; other output of the driver is not
        // a result.
        let lines = output.lines.compactMap { line in
            try? JSONDecoder().decode(Line.self, from: Data(line.utf8))
        }
        for line in lines where line.ok == false {
            Issue.record("\(line.part): \(line.check ?? ""): \(line.message ?? "")")
        }
        #expect(output.status == 0, "\(output.errorText)")
        // Every part reports at its end that it is complete.
        #expect(
            Set(lines.filter { $0.check == "all of it ran" }.map(\.part)) == Set(parts)
        )
    }
}
