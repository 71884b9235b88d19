import Foundation
import Glibc
import SamplePhotos
import TestSupport
import Testing

/// Imports with `--device`, from folders that libgphoto2's directory driver shows as cameras.
///
/// The driver lists photos and movies by their suffixes, and neither HEIC nor sidecars.
@Suite(.timeLimit(.minutes(5))) struct CameraImportTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    private var camera: String { "disk:" + world.source.path }

    private func photos(_ count: Int, padding: Int = 20_000) throws {
        try world.photos((100..<100 + count).map { "DCIM/100/IMG_\($0).JPG" }, padding: padding)
    }

    private func counts(_ lines: [JSONLine]) -> [String: Int] {
        Dictionary(grouping: lines) { $0["outcome"] ?? "" }.mapValues(\.count)
    }

    private func expectWhole(_ count: Int) throws {
        #expect(try world.names().count == count)
        let verification = try world.run("verify", "--full")
        #expect(verification.errorText == "No problems found.\n")
    }

    /// The names, sizes, times and modes of the camera's files.
    private func state() throws -> String {
        let arguments = [world.source.path, "-printf", "%P %s %T@ %m\n"]
        return try ProcessRunner.run("find", arguments).text.split(separator: "\n").sorted()
            .joined(separator: "\n")
    }

    @Test func filesOfACameraAreImportedOnce() throws {
        var metadata = SampleMetadata()
        metadata.contentIdentifier = "A17C5F2E-0000-4000-8000-000000000100"
        try world.photo("DCIM/100/IMG_1.JPG", seed: 3, metadata: metadata)
        var movie = SampleMovie()
        movie.metadata = metadata
        try world.folder.write(SampleFile.quickTime(movie), to: "source/DCIM/100/IMG_1.MOV")
        try world.photo("DCIM/101/line\nbreak.JPG", seed: 4)
        try world.photo("DCIM/101/a.JPG", seed: 5)
        try world.photo("Music/cover.JPG", seed: 6)
        let name = Array("\(world.source.path)/DCIM/101/b".utf8) + [0xff] + Array(".JPG\0".utf8)
        let original = world.source.path + "/DCIM/101/a.JPG"
        let isRenamed = rename(original, name.map { CChar(bitPattern: $0) })
        #expect(isRenamed == 0)
        try world.folder.write(Data(), to: "source/DCIM/101/empty.JPG")
        let before = try state()
        let report = world.folder.file("report.jsonl").path
        let first = try world.objects(
            "import",
            "--device",
            camera,
            "--json",
            "--report",
            report,
            status: 1
        )
        #expect(counts(first) == ["imported": 3, "paired": 1, "failed": 1])
        #expect(first.first { $0["outcome"] == "failed" }?["reason"]?.contains("empty") == true)
        #expect(first.allSatisfy { $0["path"]?.hasPrefix("gphoto2://Directory%20Browse/") == true })
        let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
        #expect(lines.dropFirst().dropLast().map(String.init) == first.map(\.text))
        let header = try JSONLine(String(try #require(lines.first)))
        let device = (header.values["sources"] as? [[String: Any]])?.first
        #expect(device?["kind"] as? String == "device" && device?["port"] as? String == camera)
        #expect(lines.last?.contains("\"files\":5,\"imported\":3") == true)
        try expectWhole(3)
        #expect(try world.names("--predicate", "mediaSubtypes & 8 != 0") == ["IMG_1.JPG"])

        // The same name, size and time: it is not read again, so that nobody sees the other bytes.
        let file = world.source.appendingPathComponent("DCIM/100/IMG_1.JPG")
        let reference = world.folder.file("reference").path
        _ = try ProcessRunner.run("cp", ["-p", file.path, reference])
        var data = try Data(contentsOf: file)
        data[data.count - 1] ^= 1
        try data.write(to: file)
        _ = try ProcessRunner.run("touch", ["-r", reference, file.path])
        let second = try world.objects("import", "--device", camera, "--json", status: 1)
        #expect(counts(second) == ["duplicate": 4, "failed": 1])
        #expect(try state() == before)

        let all = try world.objects("import", "--device", camera, "--json", "/Music")
        #expect(all.map(\.name) == ["cover.JPG"])
        try expectWhole(4)
    }

    @Test func dryRunOfACameraTransfersNothing() throws {
        try photos(3)
        try world.folder.write(Data(), to: "source/DCIM/100/EMPTY.JPG")
        let report = world.folder.file("report.jsonl").path
        let dryRun = ["import", "--dry-run", "--device", camera, "--report", report]
        // Without a library, none is created.
        let first = try world.run(dryRun + ["--json"])
        #expect(first.status == 1)
        #expect(counts(try first.lines.map(JSONLine.init)) == ["imported": 3, "failed": 1])
        #expect(!FileManager.default.fileExists(atPath: world.library.path))
        let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
        #expect(lines.dropFirst().dropLast().map(String.init) == first.lines)
        #expect(lines.last?.contains("\"code\":\"notTransferred\"") == true)
        // What a real import reports is the same, apart from the identifiers.
        let real = try world.objects("import", "--device", camera, "--json", status: 1)
        #expect(
            try first.lines.map(JSONLine.init).map { [$0["path"], $0["outcome"], $0["reason"]] }
                == real.map { [$0["path"], $0["outcome"], $0["reason"]] }
        )
        // Known files are duplicates; a new one has a size, and the library stays as it is.
        try world.photos(["DCIM/100/IMG_103.JPG"], padding: 20_000)
        let before = try libraryState()
        let second = try world.run(dryRun)
        #expect(second.status == 1)
        let size =
            try FileManager.default.attributesOfItem(
                atPath: world.source.appendingPathComponent("DCIM/100/IMG_103.JPG").path
            )[.size] as? Int
        let text = "Would be: 1 imported, 3 duplicate, 1 failed; \(try #require(size) / 1000)"
        #expect(second.errorText.contains(text), "\(second.errorText)")
        #expect(second.errorText.contains("kB to transfer"), "\(second.errorText)")
        #expect(second.errorText.contains("No file was transferred."), "\(second.errorText)")
        #expect(try libraryState() == before)
        try expectWhole(3)
    }

    /// The names, sizes and times of the library's files and folders.
    private func libraryState() throws -> [String] {
        let arguments = [world.library.path, "-printf", "%P %s %T@\n"]
        return try ProcessRunner.run("find", arguments).lines.sorted()
    }

    @Test func manyFilesAreListedInPages() throws {
        try photos(40, padding: 10)
        for number in 0..<4960 {
            try world.folder.write(Data(), to: "source/DCIM/102/EMPTY_\(number).JPG")
        }
        let lines = try world.objects("import", "--device", camera, "--json", status: 1)
        #expect(counts(lines) == ["imported": 40, "failed": 4960])
        try expectWhole(40)
    }

    // MARK: - Failures

    @Test func fileThatVanishesFailsAlone() throws {
        try photos(200)
        let process = try world.start("import", "--device", camera, "--json")
        process.read(lines: 1)
        let gone = (290..<300).map { "DCIM/100/IMG_\($0).JPG" }
        for name in gone {
            try FileManager.default.removeItem(at: world.source.appendingPathComponent(name))
        }
        process.read()
        #expect(process.wait().status == 1)
        let lines = try process.lines.map(JSONLine.init)
        #expect(counts(lines) == ["imported": 190, "failed": 10])
        let failed = lines.filter { $0["outcome"] == "failed" }
        #expect(failed.allSatisfy { $0["reason"]?.contains("disappeared from the device") == true })
        try expectWhole(190)
    }

    @Test func deviceThatVanishesIsNamedOnce() throws {
        try photos(200)
        let moved = world.folder.file("moved")
        let process = try ProcessRunner.start(
            BuiltProducts.photos.path,
            ["import", "--device", camera, "--json"],
            environment: world.environment.mapValues { $0 as String? }
        )
        #expect(process.output { $0.isEmpty ? nil : true } == true)
        try FileManager.default.moveItem(at: world.source, to: moved)
        let output = process.wait()
        #expect(output.status == 1)
        let named = output.errorText.components(separatedBy: "no longer answers")
        #expect(named.count == 2, "\(output.errorText)")
        let first = counts(try output.lines.map(JSONLine.init))
        #expect((first["imported"] ?? 0) > 0 && (first["failed"] ?? 0) > 0, "\(first)")
        try FileManager.default.moveItem(at: moved, to: world.source)
        let second = counts(try world.objects("import", "--device", camera, "--json"))
        #expect(second["imported"] == first["failed"] && second["duplicate"] == first["imported"])
        try expectWhole(200)
    }

    /// The process that speaks with the camera is replaced, and its file is transferred again.
    @Test func killedProcessIsReplaced() throws {
        try photos(200)
        let process = try world.start("import", "--device", camera, "--json")
        var killed = 0
        for count in [1, 60, 120] {
            process.read(lines: count)
            let output = try ProcessRunner.run(
                "pgrep",
                ["-P", "\(process.identifier)", "-x", "photos-device"]
            )
            for line in output.lines {
                if let number = Int32(line), kill(number, SIGKILL) == 0 { killed += 1 }
            }
        }
        #expect(killed > 0)
        process.read()
        #expect(process.wait().status == 0)
        #expect(counts(try process.lines.map(JSONLine.init)) == ["imported": 200])
        try expectWhole(200)
    }

    @Test(arguments: [SIGKILL, SIGTERM]) func stoppedImportContinues(_ signal: Int32) throws {
        try photos(200)
        let process = try world.start("import", "--device", camera, "--json")
        process.read(lines: 40)
        process.kill(signal)
        process.read()
        #expect(process.wait().status == 128 + signal)
        let first = counts(try process.lines.map(JSONLine.init))
        let second = counts(try world.objects("import", "--device", camera, "--json"))
        #expect((second["duplicate"] ?? 0) >= first["imported"] ?? 0)
        #expect((second["duplicate"] ?? 0) + (second["imported"] ?? 0) == 200)
        try expectWhole(200)
        let staging = world.library.appendingPathComponent("staging").path
        #expect(try FileManager.default.contentsOfDirectory(atPath: staging) == [])
    }

    /// A phone that counts its files does not answer for minutes.
    @Test(arguments: [0, 300]) func interruptEndsTheWaitForADevice(milliseconds: UInt32) throws {
        try photos(2000, padding: 10)
        let process = try world.start("import", "--device", camera, "--json")
        var device: Int32?
        let deadline = ContinuousClock.now + .seconds(30)
        while device == nil, ContinuousClock.now < deadline {
            let arguments = ["-P", "\(process.identifier)", "-x", "photos-device"]
            device = try ProcessRunner.run("pgrep", arguments).lines.first.flatMap { Int32($0) }
        }
        // Time is the subject: the interrupt arrives at different moments.
        usleep(milliseconds * 1_000)
        #expect(kill(try #require(device), SIGSTOP) == 0)
        let start = ContinuousClock.now
        process.kill(SIGINT)
        process.read()
        #expect(process.wait().status == 128 + SIGINT)
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test func unknownDevicesAreNamed() throws {
        let unknown = try world.run("import", "--device", "Nokia 3310")
        #expect(unknown.status == 1)
        #expect(unknown.errorText.contains("No connected camera or phone has the name Nokia 3310"))
        #expect(unknown.errorText.contains("--list-devices"))
        let folder = try world.run("import", "--device", "disk:/does/not/exist")
        #expect(folder.status == 1 && folder.errorText.contains("/does/not/exist does not exist"))
        #expect(!FileManager.default.fileExists(atPath: world.library.path))
        let list = try world.run("import", "--list-devices")
        #expect(list.status == 0)
        #expect(try world.run("import", "--list-devices", "--json").status == 0)
        let missing = try world.run(
            ["import", "--list-devices"],
            variables: ["PHOTOS_DEVICE": "/does/not/exist"]
        )
        #expect(missing.status == 1 && missing.errorText.contains("photos-device is not installed"))
    }

    @Test(
        arguments: [
            ["--device", "X", "--move"], ["--device", "X", "DCIM"],
            ["--list-devices", "/a"], ["--list-devices", "--device", "X"], ["--device", ""], [],
        ]
    ) func optionsThatDoNotFitAreRefused(_ arguments: [String]) throws {
        let output = try world.run(["import"] + arguments)
        #expect(output.status == 2, "\(output.errorText)")
    }

    /// Networks, other programs and all writing are denied to the process.
    @Test func processIsConfined() throws {
        let output = try ProcessRunner.run(
            BuiltProducts.device.path,
            ["--self-test", world.folder.path]
        )
        #expect(output.status == 0 && output.text.hasSuffix("denied\n"), "\(output.text)")
    }
}
