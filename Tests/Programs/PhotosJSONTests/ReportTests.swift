import Foundation
import Photos
import PhotosJSON
import PhotosManagement
import TestSupport
import Testing

/// The lines of import reports, read again by Foundation.
@Suite(.timeLimit(.minutes(1))) struct ReportTests {
    private func read(_ object: JSONObject) throws -> [String: Any] {
        let found = try JSONSerialization.jsonObject(with: Data(object.line.utf8))
        return try #require(found as? [String: Any])
    }

    /// Returns whether an object has exactly these members, in any order.
    private func same(_ object: JSONObject, _ expected: [String: Any]) throws -> Bool {
        try Self.sorted(read(object)) == Self.sorted(expected)
    }

    private static func sorted(_ value: [String: Any]) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
        return String(decoding: data, as: UTF8.self)
    }

    private static let note = ReportNote(code: "dateRejected", isError: true, text: "A \"date\".")
    private static let notes: [[String: String]] = [
        ["code": "dateRejected", "level": "error", "text": "A \"date\"."],
        ["code": "other", "level": "note", "text": ""],
    ]

    // MARK: - Items

    @Test(arguments: FileOutcome.Kind.allCases) func aFileHasItsOutcome(_ kind: FileOutcome.Kind)
        throws
    {
        let outcome = FileOutcome(
            path: SourcePath("/photos/ä.jpg"),
            kind: kind,
            localIdentifier: "A/L0/001",
            reason: "Why"
        )
        #expect(
            try same(
                ReportItem(outcome).object,
                [
                    "path": "/photos/ä.jpg", "outcome": kind.rawValue,
                    "localIdentifier": "A/L0/001",
                    "reason": "Why",
                ]
            )
        )
        let bare = FileOutcome(path: SourcePath("a"), kind: kind)
        #expect(
            try same(
                ReportItem(bare).object,
                [
                    "path": "a", "outcome": kind.rawValue, "localIdentifier": NSNull(),
                    "reason": NSNull(),
                ]
            )
        )
    }

    /// The bytes of a path that is no text are given apart, so that a program finds the file.
    @Test func aPathThatIsNoTextHasItsBytes() throws {
        let bytes = Array("/a/".utf8) + [0xff, 0xfe]
        let item = ReportItem(FileOutcome(path: SourcePath(bytes: bytes), kind: .failed))
        let text = try #require(try read(item.object)["pathBase64"] as? String)
        #expect(Data(base64Encoded: text) == Data(bytes))
        let source = ReportLines.Source(kind: "files", path: SourcePath(bytes: bytes))
        let header = try read(ReportLines.header([source], isDryRun: false))
        let first = try #require((header["sources"] as? [[String: Any]])?.first)
        #expect(first["pathBase64"] as? String == text)
    }

    @Test func anItemOfAnExportHasItsPlace() throws {
        let outcome = FileOutcome(
            path: SourcePath("/t.zip/a.jpg"),
            kind: .imported,
            source: FileOutcome.Source(kind: .takeout, item: "Takeout/a.jpg"),
            notes: [Self.note, ReportNote(code: "other", isError: false, text: "")]
        )
        let object = try read(ReportItem(outcome).object)
        #expect(
            object["source"] as? [String: String] == ["kind": "takeout", "item": "Takeout/a.jpg"]
        )
        #expect(object["notes"] as? [[String: String]] == Self.notes)
        var other = outcome
        other.notes = []
        // Only items of libraries always list their remarks.
        #expect(try read(ReportItem(other).object)["notes"] == nil)
    }

    @Test func anItemOfAVolumeNamesIt() throws {
        var item = ReportItem(path: nil, outcome: "missing", reason: "Not mounted.")
        item.source = ReportItem.Source(kind: "applePhotos", item: "U")
        item.source?.volume = "Disk"
        item.source?.volumePath = "a/b.jpg"
        #expect(
            try same(
                item.object,
                [
                    "path": NSNull(), "outcome": "missing", "localIdentifier": NSNull(),
                    "reason": "Not mounted.", "notes": [Any](),
                    "source": [
                        "kind": "applePhotos", "item": "U",
                        "volume": ["name": "Disk", "path": "a/b.jpg"],
                    ],
                ]
            )
        )
    }

    /// Nothing but the outcome of a hidden item is shown to other people.
    @Test func aHiddenItemIsNotNamed() throws {
        var item = ReportItem(path: "/secret.jpg", outcome: "imported", reason: "secret")
        item.localIdentifier = "secret"
        item.notes = [Self.note]
        item.source = ReportItem.Source(kind: "applePhotos", item: "secret")
        #expect(!item.redactedObject.line.contains("secret"))
        #expect(
            try same(
                item.redactedObject,
                [
                    "path": NSNull(), "outcome": "imported", "localIdentifier": NSNull(),
                    "reason": NSNull(), "isHidden": true,
                ]
            )
        )
    }

    // MARK: - Lines

    @Test func theHeaderHasItsSources() throws {
        let folder = try TemporaryFolder("photos-report")
        let device = try CameraDevice.named("disk:" + folder.path)
        let header = try read(
            ReportLines.header(
                [
                    ReportLines.Source(kind: "files", path: SourcePath("/a")),
                    ReportLines.Source(kind: "device", device: device),
                ],
                isDryRun: true
            )
        )
        let expected: [String: Any] = [
            "dryRun": true,
            "sources": [
                ["kind": "files", "path": "/a"],
                [
                    "kind": "device", "path": NSNull(), "model": "Directory Browse",
                    "port": "disk:" + folder.path,
                ],
            ] as [[String: Any]],
        ]
        #expect(try Self.sorted(header) == Self.sorted(expected))
    }

    @Test func exportsAndFilesAreToldApart() throws {
        let folder = try TemporaryFolder("photos-report-sources")
        try folder.write(Data([1]), to: "plain/a.jpg")
        try folder.write(Data([1]), to: "export/Takeout/Google Photos/Trip/a.jpg")
        let description = Data(#"{"title": "a.jpg", "photoTakenTime": {"timestamp": "1"}}"#.utf8)
        try folder.write(description, to: "export/Takeout/Google Photos/Trip/a.jpg.json")
        let paths = ["plain", "export/Takeout"].map { SourcePath(folder.file($0).path) }
        let kinds = ReportLines.Source.all(among: paths).map { [$0.kind, $0.path?.description] }
        #expect(kinds == [["files", paths[0].description], ["takeout", paths[1].description]])
    }

    /// A number for each kind of outcome, also without any file.
    @Test func theTotalsOfFilesHaveEveryOutcome() throws {
        var summary = ImportSummary()
        summary.foundFiles = 5
        summary.counts = [.imported: 3, .failed: 2]
        summary.bytes = 1_234
        summary.notes = [ReportNote(code: "other", isError: false, text: "")]
        let line = try read(ReportLines.totals(summary, notes: [Self.note], unlisted: 2))
        let totals = try #require(line["totals"] as? [String: Any])
        let expected: [String: Any] = [
            "files": 5, "imported": 3, "duplicate": 0, "paired": 0, "unsupported": 0,
            "failed": 2, "missing": 0, "addsUp": true, "bytes": 1_234, "unlisted": 2,
            "notes": Self.notes,
        ]
        #expect(try Self.sorted(totals) == Self.sorted(expected))
        let bare = try read(ReportLines.totals(ImportSummary(), notes: []))
        #expect((bare["totals"] as? [String: Any])?["unlisted"] == nil)
    }

    @Test func theNumberOfAnUnreadableLibraryIsUnknown() throws {
        let line = try read(ReportLines.totalsOfUnreadableLibrary())
        let expected: [String: Any] = [
            "totals": ["assets": NSNull(), "addsUp": false] as [String: Any]
        ]
        #expect(try Self.sorted(line) == Self.sorted(expected))
    }
}
