internal import Media
internal import WorkerProtocol

/// Reads the keywords, people, comments and files of an asset in a library of Photos 5 or later.
struct PhotosAssetDetails {
    typealias Failure = ForeignDatabase.Failure
    typealias Statement = ForeignDatabase.Statement

    /// The values of an asset that are not in the asset's own row.
    struct Details {
        var keywords: [String] = []
        var people: [ForeignPerson] = []
        var comments: [String] = []
        /// The roles of the asset's files that exist according to the database.
        var stated: Set<ForeignResource.Role> = []
        /// The names of the values that were truncated.
        var cut: Set<String> = []
        /// The name of the volume that holds a referenced original.
        var volume: String?
    }

    private let keywords: Statement?
    private let people: Statement?
    private let comments: Statement?
    private let resources: Statement?

    init(_ database: ForeignDatabase, keywordNumber: Int64) throws(Failure) {
        let join = "Z_\(keywordNumber)KEYWORDS"
        keywords =
            try database.hasColumns(
                ("Z_1KEYWORDS", ["Z_1ASSETATTRIBUTES", join]),
                ("ZKEYWORD", ["Z_PK", "ZTITLE"])
            )
            ? try database.statement(
                """
                SELECT k.ZTITLE FROM Z_1KEYWORDS j JOIN ZKEYWORD k ON k.Z_PK = j.\(join)
                WHERE j.Z_1ASSETATTRIBUTES = ? ORDER BY k.ZTITLE LIMIT 1000
                """
            ) : nil
        let faces = "ZDETECTEDFACE"
        let person = try database.column("f", faces, "ZPERSONFORFACE", "ZPERSON")
        let asset = try database.column("f", faces, "ZASSETFORFACE", "ZASSET")
        let hasNames = try database.hasColumns(("ZPERSON", ["Z_PK", "ZFULLNAME"]))
        people =
            hasNames && person != "NULL" && asset != "NULL"
            ? try database.statement(
                """
                SELECT p.ZFULLNAME, \(try database.column("f", faces, "ZCENTERX")),
                    \(try database.column("f", faces, "ZCENTERY")),
                    \(try database.column("f", faces, "ZSIZE"))
                FROM \(faces) f JOIN ZPERSON p ON p.Z_PK = \(person)
                WHERE \(asset) = ? AND p.ZFULLNAME <> '' ORDER BY p.ZFULLNAME, f.Z_PK LIMIT 1000
                """
            ) : nil
        comments =
            try database.columns(of: "ZCLOUDSHAREDCOMMENT")
            .isSuperset(of: ["Z_PK", "ZCOMMENTEDASSET", "ZCOMMENTTEXT"])
            ? try database.statement(
                """
                SELECT ZCOMMENTTEXT FROM ZCLOUDSHAREDCOMMENT
                WHERE ZCOMMENTEDASSET = ? AND ZCOMMENTTEXT <> '' ORDER BY Z_PK LIMIT 1000
                """
            ) : nil
        let files = "ZINTERNALRESOURCE"
        let volume = try database.column("r", files, "ZFILESYSTEMVOLUME")
        let isNamed = try database.hasColumns(("ZFILESYSTEMVOLUME", ["Z_PK", "ZNAME"]))
        let hasVolumes = isNamed && volume != "NULL"
        resources =
            try database.columns(of: files).isSuperset(of: ["ZASSET", "ZDATASTORESUBTYPE"])
            ? try database.statement(
                """
                SELECT r.ZDATASTORESUBTYPE, \(hasVolumes ? "v.ZNAME" : "NULL"),
                    \(try database.column("r", files, "ZRESOURCETYPE")),
                    \(try database.column("r", files, "ZVERSION")),
                    \(try database.column("r", files, "ZLOCALAVAILABILITY")),
                    \(try database.column("r", files, "ZREMOTEAVAILABILITY")),
                    \(try database.column("r", files, "ZTRASHEDSTATE"))
                FROM \(files) r
                \(hasVolumes ? "LEFT JOIN ZFILESYSTEMVOLUME v ON v.Z_PK = \(volume)" : "")
                WHERE r.ZASSET = ? LIMIT 1000
                """
            ) : nil
    }

    /// Returns the role of the file in a row of `resources`; nil if the file does not exist or its
    /// role is not needed.
    ///
    /// A file does not exist if the database states that it is in the trash, or that it is neither
    /// on the Mac nor in iCloud. A file that exists may be in iCloud only, or may be missing in a
    /// copy of the library.
    private static func role(_ row: Statement) -> ForeignResource.Role? {
        let isNowhere = row.integer(4).map { $0 != 1 } ?? false && row.integer(5) == 0
        guard !row.isTrue(6), !isNowhere else { return nil }
        return switch (row.integer(2), row.integer(3), row.integer(0)) {
        case (3, 2, 19): .renderPairedVideo
        case (0, 1, 15): .adjustmentBase
        case (5, 0, 22): .cameraAdjustments
        case (5, 0, 9): .sidecar
        default: nil
        }
    }

    /// Returns the details of an asset.
    ///
    /// `asset` is the row ID of the asset, and `attributes` that of its additional attributes.
    func details(asset: Int64, attributes: Int64?) throws(Failure) -> Details {
        var details = Details()
        if let keywords, let attributes {
            keywords.start(attributes)
            while try keywords.step() {
                if let keyword = keywords.text(0, limit: 1024) { details.keywords.append(keyword) }
                if keywords.hasCut(0) { details.cut.insert("keywords") }
            }
        }
        if let people {
            people.start(asset)
            while try people.step() {
                guard let name = people.text(0, limit: 256) else { continue }
                if people.hasCut(0) { details.cut.insert("people") }
                let region = [people.number(1), people.number(2), people.number(3)]
                    .compactMap(\.self)
                let isRegion =
                    region.count == 3 && region.allSatisfy { (0...1).contains($0) } && region[2] > 0
                details.people.append(
                    ForeignPerson(
                        name: name,
                        // The origin is at the bottom left; elsewhere it is at the top.
                        region: isRegion ? [region[0], 1 - region[1], region[2]] : nil
                    )
                )
            }
        }
        if let comments {
            comments.start(asset)
            while try comments.step() {
                if let text = comments.text(0) { details.comments.append(text) }
                if comments.hasCut(0) { details.cut.insert("comments") }
            }
        }
        if let resources {
            resources.start(asset)
            while try resources.step() {
                if resources.integer(0) == 17 { details.stated.insert(.alternatePhoto) }
                if let role = Self.role(resources) { details.stated.insert(role) }
                if let volume = resources.text(1) { details.volume = volume }
            }
        }
        return details
    }

    // MARK: - Values

    static func placeNames(_ data: [UInt8]) -> [String] {
        ForeignValue.bounded(PlaceNameArchive(data)?.names ?? [])
    }

    /// Returns the altitude in Photos' location data; nil if it is unknown.
    ///
    /// The data are eight doubles. The third is the altitude, and the fifth is the accuracy of the
    /// altitude.
    ///
    /// A location that a user set has an altitude of 0, with an accuracy of -1 or 0.
    static func altitude(_ data: [UInt8]) -> Double? {
        guard data.count >= 64 else { return nil }
        func double(_ index: Int) -> Double {
            let bits = data[index * 8..<index * 8 + 8].reversed().reduce(UInt64(0)) {
                $0 << 8 | UInt64($1)
            }
            return Double(bitPattern: bits)
        }
        let (altitude, accuracy) = (double(2), double(4))
        guard altitude.isFinite, altitude != 0, abs(altitude) < 100_000, accuracy >= 0 else {
            return nil
        }
        return altitude
    }
}
