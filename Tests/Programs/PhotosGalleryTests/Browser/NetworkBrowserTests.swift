import Foundation
import SamplePhotos
import TestSupport
import Testing

/// A browser on another machine: it runs in a separate network namespace, which has the gallery's
/// machine as its only neighbor.
@Suite(.timeLimit(.minutes(2))) struct NetworkBrowserTests {
    private static let canMakeNetworks = {
        let probe = try? ProcessRunner.run(
            "/usr/bin/unshare",
            [
                "--net", "--mount", "ip", "link", "add", "veth-one", "type", "veth", "peer", "name",
                "veth-two",
            ]
        )
        return probe?.status == 0
    }()

    @Test(
        .enabled(if: canMakeNetworks, "needs network namespaces: run it as root, with iproute2"),
        .timeLimit(.minutes(10))
    ) func anotherMachineComesIn() throws {
        let python = "/usr/bin/python3"
        let probe = try ProcessRunner.run(python, ["-c", "import selenium, pyzbar.pyzbar, PIL"])
        try #require(
            probe.status == 0 && ProcessRunner.path(of: "/usr/bin/chromium") != nil
                && ProcessRunner.path(of: "/usr/bin/chromedriver") != nil,
            "Chromium, its driver or the reader of QR codes is missing: run Scripts/setup"
        )
        let folder = try TemporaryFolder("photos-network")
        let samples = folder.file("samples")
        try SampleSet.demo(count: 6, seed: 1, megapixels: 0.05).write(to: samples) { _ in }
        let driver = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "Driver/network.py")
        let output = try ProcessRunner.run(
            "/usr/bin/timeout",
            [
                "--kill-after=10", "500", "/usr/bin/unshare", "--net", python, driver.path,
                "--photos", BuiltProducts.photos.path, "--samples", samples.path,
            ],
            environment: ["PHOTOS_WORKER": BuiltProducts.worker.path]
        )
        let lines = output.lines.compactMap { line in
            try? JSONDecoder().decode(BrowserTests.Line.self, from: Data(line.utf8))
        }
        for line in lines where line.ok == false {
            Issue.record("\(line.check ?? ""): \(line.message ?? "")")
        }
        #expect(output.status == 0, "\(output.errorText)")
        #expect(lines.contains { $0.check == "all of it ran" && $0.ok == true })
        #expect(lines.count { $0.check?.hasPrefix("a browser logs in") ?? false } == 5)
    }
}
