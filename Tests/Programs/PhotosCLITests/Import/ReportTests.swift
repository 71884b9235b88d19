import Foundation
import TestSupport
import Testing

/// The file that `photos import --report` writes, of several sources at once.
@Suite(.timeLimit(.minutes(5))) struct ReportTests {
    let world: CommandWorld
    let report: URL

    init() throws {
        world = try CommandWorld()
        report = world.folder.file("report.jsonl")
    }

    private func lines() throws -> [JSONLine] {
        try String(contentsOf: report, encoding: .utf8).split(separator: "\n")
            .map { try JSONLine(String($0)) }
    }

    private func sources(_ line: JSONLine?) -> [[String: String]]? {
        line?.values["sources"] as? [[String: String]]
    }

    private func totals(_ line: JSONLine?) -> [String: Any]? {
        line?.values["totals"] as? [String: Any]
    }

    @Test func eachSourceIsNamedAndCounted() throws {
        try world.photos(["a.jpg", "b.jpg"])
        var apple = AppleLibrary()
        apple.assets = 3
        let library = world.folder.file("Photos Library.photoslibrary")
        try apple.write(to: library)
        let nested = world.source.appendingPathComponent("Nested.photoslibrary")
        try FileManager.default.copyItem(at: library, to: nested)
        let download = try world.folder.folder("download")
        let archive = download.appendingPathComponent("takeout-20240131T101112Z-001.zip")
        let tree = try TakeoutTree(count: 2)
        try tree.writeZIP(to: archive)
        let output = try world.run(
            "import",
            "--json",
            "--report",
            report.path,
            world.source.path,
            download.path,
            library.path
        )
        #expect(output.status == 0, "\(output.errorText)")
        let lines = try lines()
        let headers = lines.indices.filter { sources(lines[$0]) != nil }
        let ends = lines.indices.filter { totals(lines[$0]) != nil }
        #expect(headers.count == 2 && ends.count == 2)
        #expect(headers == [0, ends[0] + 1] && ends[1] == lines.count - 1)
        let items = lines.filter { sources($0) == nil && totals($0) == nil }
        #expect(items.map(\.text) == output.lines)
        // Libraries come first.
        #expect(sources(lines[0]) == [["kind": "applePhotos", "path": library.path]])
        #expect(totals(lines[ends[0]])?["assets"] as? Int == 3)
        #expect(
            sources(lines[headers[1]]) == [
                ["kind": "files", "path": world.source.path],
                ["kind": "takeout", "path": archive.path],
            ]
        )
        let last = try #require(totals(lines[ends[1]]))
        #expect(last["addsUp"] as? Bool == true)
        #expect(last["files"] as? Int == 2 + tree.files.count)
        #expect(last["imported"] as? Int == 4)
        // A library in a folder is not entered, and the report says so.
        let notes = try #require(last["notes"] as? [[String: String]])
        #expect(notes.map { $0["code"] } == ["notEntered"])
        #expect(notes.first?["text"]?.contains(nested.path) == true)
    }

    @Test func sourceThatCannotBeReadIsCounted() throws {
        let broken = world.folder.file("Broken.photoslibrary")
        try world.folder.write(
            Data("no database".utf8),
            to: "Broken.photoslibrary/database/Photos.sqlite"
        )
        let output = try world.run("import", "--report", report.path, broken.path)
        #expect(output.status == 1)
        let lines = try lines()
        #expect(lines.count == 3)
        #expect(sources(lines.first) == [["kind": "applePhotos", "path": broken.path]])
        #expect(lines[1]["outcome"] == "failed")
        #expect(totals(lines.last)?["addsUp"] as? Bool == false)
    }

    @Test func pathsThatDoNotExistAreReported() throws {
        let path = world.folder.file("nothing").path
        let output = try world.run("import", "--report", report.path, path)
        #expect(output.status == 1)
        #expect(!FileManager.default.fileExists(atPath: world.library.path))
        let lines = try lines()
        #expect(lines.map { $0["outcome"] } == [nil, "failed", nil])
        #expect(totals(lines.last)?["failed"] as? Int == 1)
        #expect(!FileManager.default.fileExists(atPath: report.path + ".partial"))
    }
}
