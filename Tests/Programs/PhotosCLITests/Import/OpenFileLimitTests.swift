import Foundation
import SamplePhotos
import TestSupport
import Testing

/// An import by a process with a low limit of open files: it continues with smaller batches.
@Suite(.timeLimit(.minutes(5))) struct OpenFileLimitTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    /// Runs an import in a shell with a limit.
    private func runImport(_ limit: String) throws -> ProcessRunner.Output {
        let program = BuiltProducts.photos.path
        return try ProcessRunner.run(
            "bash",
            [
                "-c", limit + " && exec \"$@\"", "bash", program, "import", "--json",
                world.source.path,
            ],
            environment: world.environment.mapValues { $0 as String? },
            folder: world.folder.url
        )
    }

    /// Writes 200 files: 10 Live Photos with sidecars of both files, and photos in 40 folders.
    private func writeFiles() throws {
        for number in 100..<110 {
            var metadata = SampleMetadata()
            metadata.contentIdentifier = "A17C5F2E-0000-4000-8000-000000000\(number)"
            try world.photo("live/IMG_\(number).JPG", seed: UInt64(number), metadata: metadata)
            var movie = SampleMovie()
            movie.metadata = metadata
            let name = "source/live/IMG_\(number)"
            try world.folder.write(SampleFile.quickTime(movie), to: name + ".MOV")
            for half in ["JPG", "MOV"] {
                metadata.title = "\(number) \(half)"
                try world.folder.write(SampleFile.xmp(metadata), to: "\(name).\(half).xmp")
            }
        }
        try world.photos((0..<160).map { "plain/\(100 + $0 % 40)/IMG_\($0).JPG" }, padding: 100)
    }

    private func counts(_ output: ProcessRunner.Output) throws -> [String: Int] {
        #expect(output.status == 0, "\(output.errorText)")
        let lines = try output.lines.map(JSONLine.init)
        return Dictionary(grouping: lines) { $0["outcome"] ?? "" }.mapValues(\.count)
    }

    @Test func processThatMayNotHaveMoreFilesOpenImportsAll() throws {
        try writeFiles()
        #expect(try counts(runImport("ulimit -n 128")) == ["imported": 170, "paired": 30])
        let verification = try world.run("verify", "--full")
        #expect(verification.errorText == "No problems found.\n")
    }

    @Test func processThatMayAllowItselfMoreDoes() throws {
        try world.photos((0..<60).map { "IMG_\($0).JPG" }, padding: 100)
        #expect(try counts(runImport("ulimit -S -n 64")) == ["imported": 60])
    }

    /// Every folder between the root and the file is open during the traversal.
    @Test func deepTreeIsNoFileFailure() throws {
        let path = (0..<150).map { "f\($0)" }.joined(separator: "/")
        try world.photo(path + "/deep.jpg")
        for index in stride(from: 0, to: 150, by: 10) {
            let folder = path.split(separator: "/").prefix(index + 1).joined(separator: "/")
            _ = try world.folder.folder("source/\(folder)/zzz")
        }
        try world.photo("first.jpg", seed: 2)
        let output = try runImport("ulimit -n 128")
        #expect(output.status == 0, "\(output.errorText)")
        let lines = try output.lines.map(JSONLine.init)
        #expect(lines.outcomes == ["first.jpg": "imported", "deep.jpg": "imported"])
    }

    /// With a limit at which not even one file can be read, the import fails, not the file.
    @Test func limitThatIsTooLowIsNamed() throws {
        try world.photo("a.jpg")
        _ = try world.run("create")
        let output = try runImport("ulimit -n 20")
        #expect(output.status == 1)
        #expect(output.text == "", "\(output.text)")
        #expect(!output.errorText.isEmpty)
    }
}
