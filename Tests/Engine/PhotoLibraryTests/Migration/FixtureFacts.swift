import Foundation
import GRDB
import TestSupport
import Testing

/// The facts of one real library, compared column by column with those that plain SQL found.
struct FixtureFacts {
    let name: String
    /// The expected facts of the fixture.
    let expected: [String: Any]

    /// A column's cells.
    struct Count: Equatable {
        var equal = 0
        var compared = 0
        /// The number of compared cells that are neither empty nor 0.
        var stated = 0

        var text: String { compared == 0 ? "–" : "\(equal)/\(compared) (\(stated))" }
    }

    private(set) var counts: [String: Count] = [:]
    private(set) var different: [String] = []

    init(_ name: String) throws {
        self.name = name
        expected = try MigrationFixtures.expected(name)
    }

    /// Cells that differ from the expected ones, by fixture, identifier and column, with what is
    /// here instead and the reason.
    private static let exceptions: [String: (value: String, reason: String)] = [
        "photos10-media-types-15.7.2 B60C31AC subtypes": (
            "hdr | live", "The file has a gain map for HDR; the column does not say so."
        )
    ]

    /// The columns in the order of the table in the documentation.
    static let columns = [
        "originalFilename", "kind", "subtypes", "live", "dateUTC", "tzOffset", "tzName", "added",
        "trashed", "trashedDate", "favorite", "hidden", "title", "caption", "keywords", "persons",
        "rating", "flagged", "lat", "lon", "albums", "burst", "burstPick", "rawIsOriginal",
        "shared", "edited", "width", "height", "duration", "adjustmentFormat", "fingerprint",
    ]

    /// The roles of files in the same order, with the types that they have here.
    static let roles: [(role: String, types: [Int])] = [
        ("original", [1, 2]), ("liveMovie", [9]), ("raw", [4]), ("render", [5, 6]),
        ("renderLiveMovie", [10]), ("adjustment", [7]), ("adjustmentBase", [8]), ("aae", [7]),
        ("xmp", [1001]),
    ]

    var assets: [[String: Any]] { expected["assets"] as? [[String: Any]] ?? [] }
    var collections: [[String: Any]] { expected["collections"] as? [[String: Any]] ?? [] }

    // MARK: - Comparing

    /// Compares one cell.
    mutating func compare(_ uuid: String, _ column: String, _ found: String, with wanted: String) {
        let key = "\(name) \(uuid.prefix(8)) \(column)"
        if let exception = Self.exceptions[key] {
            if found != exception.value { different.append("\(key): “\(found)” is no exception") }
            return
        }
        counts[column, default: Count()].compared += 1
        if !wanted.isEmpty, wanted != "0" { counts[column]?.stated += 1 }
        if found == wanted {
            counts[column]?.equal += 1
        } else {
            different.append("\(key): “\(found)”, expected “\(wanted)”")
        }
    }

    /// Compares the facts of an imported asset.
    mutating func compare(
        _ asset: [String: Any],
        _ uuid: String,
        _ row: Row,
        in world: MigrationWorld
    ) throws {
        let sidecar = try Self.sidecar(of: row, in: world)
        var cells = try Self.cells(row)
        cells["persons"] = sidecar?.list("Iptc4xmpExt:PersonInImage") ?? ""
        cells["flagged"] = sidecar?.value("migration:Flagged") == "True" ? "1" : "0"
        cells["tzName"] = sidecar?.value("migration:TimeZoneName") ?? ""
        cells["albums"] = try Self.albums(of: row, in: world)
        cells["adjustmentFormat"] = try Self.adjustmentFormat(of: row, in: world)
        var wanted: [String: String] = [:]
        for column in Self.columns where asset.keys.contains(column) {
            wanted[column] = Self.cell(asset[column])
        }
        // Two faces of one person are one person in the picture.
        wanted["persons"] = Set(asset["persons"] as? [String] ?? []).sorted(by: Self.byBytes)
            .joined(separator: " | ")
        let files = asset["files"] as? [String: Any] ?? [:]
        // An edit whose rendering is absent comes over as its kept adjustments.
        wanted["edited"] = files["render"] is String ? "1" : "0"
        wanted["shared"] = Self.cell(asset["shared"]) == "1" ? "1" : "0"
        // The name of the zone is kept with people and places, not for its own sake.
        if sidecar == nil { wanted["tzName"] = nil }
        // Where Photos has no ratings, the file's own counts.
        if asset["rating"] == nil { (wanted["rating"], wanted["flagged"]) = (nil, nil) }
        wanted["fingerprint"] = nil
        wanted["duration"] = (asset["duration"] as? NSNumber).map {
            Self.hundredths($0.doubleValue)
        }
        for column in Self.columns {
            guard let wanted = wanted[column] else { continue }
            compare(uuid, column, cells[column] ?? "", with: wanted)
        }
    }

    /// Compares the bytes of an asset's files with those at the source (P14).
    mutating func compareFiles(
        of asset: [String: Any],
        _ uuid: String,
        _ row: Row,
        source: String,
        in world: MigrationWorld
    ) throws {
        let stored = try world.rows(
            "SELECT type, path, lower(hex(sha256)) AS sha FROM resource WHERE assetId = ?",
            [row["id"] as Int64]
        )
        let files = asset["files"] as? [String: Any] ?? [:]
        for (role, types) in Self.roles {
            guard let file = files[role] as? String else { continue }
            let sha = try MigrationWorld.sha256(source + "/" + file)
            var found = stored.first { types.contains($0["type"]) && $0["sha"] as String == sha }
                .map { $0["sha"] as String }
            if found == nil, role == "aae" {
                // Beside the adjustments of an edit, they are in the migration's sidecar.
                let kept = try Self.sidecar(of: row, in: world)?
                    .value("migration:CameraAdjustments")
                let bytes = try Data(contentsOf: URL(fileURLWithPath: source + "/" + file))
                if kept.flatMap({ Data(base64Encoded: $0) }) == bytes { found = sha }
            }
            compare(uuid, role, found ?? "none", with: sha)
        }
    }

    // MARK: - Cells

    static func cell(_ value: Any?) -> String {
        switch value {
        case nil, is NSNull: ""
        case let list as [String]: list.joined(separator: " | ")
        case let number as NSNumber: number.stringValue
        case let text as String: text
        default: "?"
        }
    }

    private static func byBytes(_ first: String, _ second: String) -> Bool {
        first.utf8.lexicographicallyPrecedes(second.utf8)
    }

    private static func date(_ seconds: Double?) -> String {
        guard let seconds else { return "" }
        // As the tool that wrote the expectations: cut to milliseconds of whole microseconds.
        let microseconds = (seconds * 1e6).rounded()
        let whole = (microseconds / 1e6).rounded(.down)
        let milliseconds = Int(((microseconds - whole * 1e6) / 1e3).rounded(.down))
        let formatter = ISO8601DateFormatter()
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        let text = formatter.string(from: Date(timeIntervalSinceReferenceDate: whole))
        return text.dropLast() + "." + String(format: "%03d", milliseconds) + "Z"
    }

    private static func cells(_ row: Row) throws -> [String: String] {
        let type: Int = row["mediaType"]
        let keywords = try JSONDecoder().decode(
            [String].self,
            from: Data((row["keywords"] as String).utf8)
        )
        func number(_ name: String) -> String {
            (row[name] as Double?).map { NSNumber(value: $0).stringValue } ?? ""
        }
        let wall: String? = row["captureWallTime"]
        #expect(wall != nil)
        let burst: String? = row["burstIdentifier"]
        return [
            "originalFilename": row["originalFilename"],
            "kind": type == 1 ? "photo" : "video",
            "subtypes": subtypes(row["mediaSubtypes"], style: row["playbackStyle"]),
            "dateUTC": date(row["creationDate"]),
            "tzOffset": (row["captureOffset"] as Int?).map(String.init) ?? "",
            "added": date(row["addedDate"]),
            "favorite": String(row["isFavorite"] as Int),
            "hidden": String(row["isHidden"] as Int),
            "title": row["title"] ?? "",
            "caption": row["caption"] ?? "",
            "keywords": keywords.sorted(by: byBytes).joined(separator: " | "),
            "rating": String(row["rating"] as Int),
            "lat": number("latitude"), "lon": number("longitude"),
            "trashed": (row["trashedDate"] as Double?) == nil ? "0" : "1",
            "trashedDate": date(row["trashedDate"]),
            "burst": burst ?? "",
            "burstPick": burst == nil ? "" : pick(row),
            "rawIsOriginal": String(row["originalResourceChoice"] as Int),
            "shared": row["sourceType"] as Int == 2 ? "1" : "0",
            "edited": String(row["hasAdjustments"] as Int),
            "width": String(row["pixelWidth"] as Int),
            "height": String(row["pixelHeight"] as Int),
            "duration": hundredths(row["duration"]),
            "live": (row["mediaSubtypes"] as Int) & 8 != 0 ? "1" : "0",
        ]
    }

    /// Returns a duration in seconds, cut to hundredths.
    private static func hundredths(_ seconds: Double) -> String {
        seconds == 0 ? "0" : String(format: "%.2f", (seconds * 100).rounded(.down) / 100)
    }

    /// Returns Photos' bits for a frame's choice: 2 not picked, 4 by the camera, 8 by a person, 16
    /// the key frame.
    private static func pick(_ row: Row) -> String {
        let types: Int = row["burstSelectionTypes"]
        let bits = (types & 1) * 4 + (types & 2) * 4 + (row["representsBurst"] as Int) * 16
        return String(bits == 0 ? 2 : bits)
    }

    /// The names of subtypes in the order of the expectations, by their bits here.
    private static let subtypeNames: [(name: String, bit: Int)] = [
        ("panorama", 1 << 0), ("hdr", 1 << 1), ("screenshot", 1 << 2), ("live", 1 << 3),
        ("depth", 1 << 4), ("animated", 1 << 6), ("highFrameRate", 1 << 17),
        ("timelapse", 1 << 18), ("screenRecording", 1 << 19), ("spatial", 1 << 10),
    ]

    private static func subtypes(_ bits: Int, style: Int) -> String {
        subtypeNames.filter { bits & $0.bit != 0 }.map(\.name).joined(separator: " | ")
    }

    /// Returns the paths of an asset's albums.
    private static func albums(of row: Row, in world: MigrationWorld) throws -> String {
        let albums = try world.rows(
            """
            WITH RECURSIVE up(id, parentId, path) AS (
                SELECT c.id, c.parentId, c.title FROM collection c
                UNION ALL
                SELECT u.id, p.parentId, p.title || '/' || u.path FROM up u
                JOIN collection p ON p.id = u.parentId)
            SELECT DISTINCT j.albumId, (SELECT path FROM up WHERE up.id = j.albumId
                ORDER BY length(path) DESC LIMIT 1) AS path
            FROM albumAsset j WHERE j.assetId = ?
            """,
            [row["id"] as Int64]
        )
        // Shared albums are in a folder of their own here.
        return albums.map { ($0["path"] as String).replacing(/^Shared Albums\//, with: "") }
            .sorted(by: byBytes).joined(separator: " | ")
    }

    /// Returns the format and its version in an asset's stored adjustments.
    private static func adjustmentFormat(of row: Row, in world: MigrationWorld) throws -> String {
        let path =
            try world.rows(
                "SELECT path FROM resource WHERE assetId = ? AND type = 7",
                [row["id"] as Int64]
            ).first?["path"] as String?
        guard let path else { return "" }
        let data = try Data(contentsOf: URL(fileURLWithPath: world.libraryPath + "/" + path))
        let list = try PropertyListSerialization.propertyList(from: data, format: nil)
        let values = list as? [String: Any] ?? [:]
        let format = values["adjustmentFormatIdentifier"] as? String
        if row["hasAdjustments"] as Bool {
            #expect(row["adjustmentFormatIdentifier"] as String? == format)
        }
        return [format, values["adjustmentFormatVersion"] as? String].compactMap(\.self)
            .joined(separator: " | ")
    }

    // MARK: - Sidecars

    /// What the migration keeps and the library cannot show, as text.
    struct Sidecar {
        let text: String

        /// Returns the text of an element; nil if it is absent.
        func value(_ tag: String) -> String? {
            guard let start = text.range(of: "<\(tag)>"),
                let end = text.range(of: "</\(tag)>", range: start.upperBound..<text.endIndex)
            else { return nil }
            return Self.plain(String(text[start.upperBound..<end.lowerBound]))
        }

        /// Returns the sorted items of a list.
        func list(_ tag: String) -> String {
            guard let start = text.range(of: "<\(tag)>"),
                let end = text.range(of: "</\(tag)>", range: start.upperBound..<text.endIndex)
            else { return "" }
            return text[start.upperBound..<end.lowerBound]
                .matches(of: /<rdf:li>([^<]*)<\/rdf:li>/)
                .map { Self.plain(String($0.output.1)) }
                .sorted(by: FixtureFacts.byBytes).joined(separator: " | ")
        }

        private static func plain(_ text: String) -> String {
            text.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
                .replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
        }
    }

    /// Returns an asset's migration sidecar; nil if it has none.
    static func sidecar(of row: Row, in world: MigrationWorld) throws -> Sidecar? {
        let path =
            try world.rows(
                """
                SELECT path FROM resource WHERE assetId = ? AND type = 1001
                    AND originalFilename = 'swift-photos-migration.xmp'
                """,
                [row["id"] as Int64]
            ).first?["path"] as String?
        guard let path else { return nil }
        return Sidecar(
            text: try String(contentsOfFile: world.libraryPath + "/" + path, encoding: .utf8)
        )
    }

    // MARK: - Table

    /// A row of figures per column, as text.
    var table: String {
        (Self.columns + Self.roles.map(\.role)).map { column in
            "\(name) \(column) \((counts[column] ?? Count()).text)"
        }.joined(separator: "\n")
    }

    /// Returns the cells of this fixture in the documentation's table, by row.
    static func documented(_ name: String) throws -> [String: String] {
        let page = SharedData.packageRoot.appendingPathComponent("Docs/apple-photos.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("|") }
            .map { line in
                line.split(separator: "|", omittingEmptySubsequences: false)
                    .dropFirst().dropLast().map { $0.trimmingCharacters(in: .whitespaces) }
            }
        let label = "`\(name)`"
        let start = try #require(lines.firstIndex { $0.contains(label) })
        let column = try #require(lines[start].firstIndex(of: label))
        var cells: [String: String] = [:]
        for line in lines[start...].dropFirst(2).prefix(while: { $0.count > column }) {
            cells[line[0].replacing("`", with: "")] = line[column]
        }
        return cells
    }
}
