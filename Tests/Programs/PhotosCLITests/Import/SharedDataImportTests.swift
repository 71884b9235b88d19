import Foundation
import TestSupport
import Testing

/// Real camera files, and hostile ones, through the command.
@Suite(.needsSharedData, .timeLimit(.minutes(15))) struct SharedDataImportTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    @Test func everyFileHasAnOutcomeInLittleMemory() throws {
        let process = try world.start("import", "--json", SharedData.folder.path)
        process.read()
        let end = process.wait()
        let lines = try process.lines.map(JSONLine.init)
        #expect(end.peakMemory < 1 << 30, "\(end.peakMemory) bytes")
        let manager = FileManager.default
        let files = try manager.subpathsOfDirectory(atPath: SharedData.folder.path).filter {
            var isFolder: ObjCBool = false
            return manager.fileExists(atPath: SharedData.file($0).path, isDirectory: &isFolder)
                && !isFolder.boolValue
        }
        #expect(Set(lines.compactMap { $0["path"] }) == Set(files.map { SharedData.file($0).path }))
        #expect(lines.count == files.count)
        for line in lines {
            let isIn = ["imported", "duplicate", "paired"].contains(line["outcome"])
            #expect(isIn == (line["localIdentifier"] != nil), "\(line.text)")
            if !isIn { #expect(line["reason"]?.isEmpty == false, "\(line.text)") }
        }
        let failures = lines.filter { $0["outcome"] == "failed" }
        #expect(end.status == (failures.isEmpty ? 0 : 1))
        // Files that other decoders open are imported.
        let decodes = Dictionary(
            try SharedData.rows(of: "expected.tsv").map { ($0["file"] ?? "", $0["decodes"] ?? "") },
            uniquingKeysWith: { first, _ in first }
        )
        for line in failures {
            let path = (line["path"] ?? "").dropFirst(SharedData.folder.path.count + 1)
            let isOpenable = decodes[String(path)]?.hasPrefix("no") == false
            #expect(path.hasPrefix("malformed/") || !isOpenable, "\(line.text)")
        }

        #expect(try world.run("verify", "--full").errorText == "No problems found.\n")

        let again = try world.run("import", "--json", SharedData.folder.path)
        let second = try again.lines.map(JSONLine.init)
        #expect(second.map { $0["path"] } == lines.map { $0["path"] })
        for (first, second) in zip(lines, second) {
            #expect(first["localIdentifier"] == second["localIdentifier"], "\(second.text)")
            #expect(second["outcome"] != "imported", "\(second.text)")
        }
    }
}
