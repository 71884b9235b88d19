internal import WorkerProtocol

/// The SQL query for the assets in a library of Photos 3 or 4, and the conversion of its rows.
enum EarlierAssetQuery {
    typealias Failure = ForeignDatabase.Failure

    private enum Column: Int32, CaseIterable {
        case key, uuid, type, masterUUID, name, caption, date, offset, zoneName, modified, favorite
        case hidden, trashed, trashedDate, rating, flagged, latitude, longitude, special, subtype
        case burst, burstPick, edited, adjustment, rawMaster, otherMaster
        case masterKey, mediaGroup, added, format, formatVersion, data
    }

    static func sql(_ database: ForeignDatabase) throws(Failure) -> String {
        let columns = try database.columns(of: "RKVersion")
        let masters = try database.columns(of: "RKMaster")
        func v(_ name: String) -> String { columns.contains(name) ? "v.\(name)" : "NULL" }
        func m(_ name: String) -> String { masters.contains(name) ? "m.\(name)" : "NULL" }
        let hasGroups = try database.hasColumns(
            ("RKImportGroup", ["uuid", "importDate"]),
            ("RKMaster", ["importGroupUuid"])
        )
        let hasData = try database.hasColumns(
            ("RKAdjustmentData", ["uuid", "format", "formatVersion", "data"]),
            ("RKVersion", ["adjustmentUuid"])
        )
        let names = [
            "modelId", "uuid", "type", "masterUuid", "name", "extendedDescription", "imageDate",
            "imageTimeZoneOffsetSeconds", "imageTimeZoneName", "lastModifiedDate", "isFavorite",
            "isHidden", "isInTrash", "inTrashDate", "mainRating", "isFlagged", "latitude",
            "longitude", "specialType", "subType", "burstUuid", "burstPickType", "hasAdjustments",
            "adjustmentUuid", "rawMasterUuid", "nonRawMasterUuid",
        ].map(v)
        let others = [
            m("modelId"), m("mediaGroupId"), hasGroups ? "g.importDate" : "NULL",
            hasData ? "d.format" : "NULL", hasData ? "d.formatVersion" : "NULL",
            hasData ? "d.data" : "NULL",
        ]
        return """
            SELECT \((names + others).joined(separator: ", ")) FROM RKVersion v
            LEFT JOIN RKMaster m ON m.uuid = v.masterUuid
            \(hasGroups ? "LEFT JOIN RKImportGroup g ON g.uuid = m.importGroupUuid" : "")
            \(hasData ? "LEFT JOIN RKAdjustmentData d ON d.uuid = v.adjustmentUuid" : "")
            ORDER BY v.modelId
            """
    }

    static func asset(
        _ row: ForeignDatabase.Statement,
        _ details: EarlierPhotosDetails
    ) throws(Failure) -> ForeignAsset {
        func integer(_ column: Column) -> Int64? { row.integer(column.rawValue) }
        func number(_ column: Column) -> Double? { row.number(column.rawValue) }
        func text(_ column: Column, _ limit: Int = ForeignLimits.path) -> String? {
            row.text(column.rawValue, limit: limit)
        }
        func isTrue(_ column: Column) -> Bool { row.isTrue(column.rawValue) }
        let key = integer(.key) ?? 0
        let short = text(.uuid, 64) ?? ""
        let uuid = ForeignValue.uuid(short: short) ?? ForeignValue.uuid(short)
        let special = integer(.special)
        let isPair = special == 7
        var master: EarlierPhotosDetails.Master?
        if isPair, let other = text(.otherMaster) { master = try details.master(other) }
        if master == nil, let own = text(.masterUUID) { master = try details.master(own) }
        var asset = ForeignAsset(
            item: uuid ?? (short.isEmpty ? "version \(key)" : short),
            uuid: uuid,
            originalFilename: master?.name ?? ""
        )
        asset.isVideo = integer(.type) == 8
        let kinds: [Int64: Set<ForeignSubtype>] = [
            1: [.panorama], 2: [.highFrameRate], 3: [.timelapse], 4: [.hdr], 5: [.live],
            6: [.screenshot], 8: [.hdr, .live], 9: [.depth],
        ]
        asset.subtypes = special.flatMap { kinds[$0] } ?? []
        asset.facts = facts(row)
        if let date = number(.date), asset.facts.creationDate == nil {
            asset.notes.append(
                ForeignNote(
                    code: "dateRejected",
                    text: "Photos states a date that is not possible (\(date) s after 2001); the"
                        + " file's own date counts."
                )
            )
        }
        asset.facts.keywords = try details.keywords(of: key)
        asset.people = try details.people(of: key)
        asset.placeNames = try details.placeNames(of: key)
        asset.timeZoneName = text(.zoneName, 256)
        if let identifier = text(.burst, 256), !identifier.isEmpty {
            let pick = integer(.burstPick) ?? 0
            var burst = ForeignBurst(identifier: identifier)
            burst.isAutoPick = pick & 4 != 0
            burst.isUserPick = pick & 8 != 0
            burst.isKey = pick & 16 != 0
            asset.burst = burst
        }
        asset.contentIdentifier = text(.mediaGroup, 256)
        asset.showsRAW = isPair && integer(.subtype) == 16
        asset.isReferenced = master?.isReferenced ?? false
        // Of a pair, the row's master may be the RAW while the original is the JPEG.
        asset.fingerprint = master?.fingerprint
        asset.originalSize = master?.size
        if isTrue(.edited) {
            var edit = ForeignEdit()
            edit.formatIdentifier = text(.format)
            edit.formatVersion = text(.formatVersion)
            edit.data = row.data(Column.data.rawValue, limit: 512 << 10)
            asset.edit = edit
        }
        asset.resources = try resources(row, asset, master, details)
        asset.noteCutTexts(
            (row.hasCut(Column.name.rawValue), "title"),
            (row.hasCut(Column.caption.rawValue), "caption"),
            (details.hasCut, "keywords, people or places")
        )
        return asset
    }

    private static func facts(_ row: ForeignDatabase.Statement) -> ForeignFacts {
        func number(_ column: Column) -> Double? { row.number(column.rawValue) }
        func text(_ column: Column) -> String? {
            row.text(column.rawValue, limit: ForeignLimits.text)
        }
        var facts = ForeignFacts()
        facts.creationDate = ForeignValue.date(number(.date))
        facts.captureOffset = ForeignValue.offset(row.integer(Column.offset.rawValue))
        facts.addedDate = ForeignValue.date(number(.added))
        facts.modificationDate = ForeignValue.date(number(.modified))
        facts.isFavorite = row.isTrue(Column.favorite.rawValue)
        facts.isHidden = row.isTrue(Column.hidden.rawValue)
        facts.isTrashed = row.isTrue(Column.trashed.rawValue)
        facts.trashedDate = facts.isTrashed ? ForeignValue.date(number(.trashedDate)) : nil
        facts.title = text(.name)
        facts.caption = text(.caption)
        facts.rating = row.integer(Column.rating.rawValue).map { Int(max(-1, min(5, $0))) }
        facts.isFlagged = row.integer(Column.flagged.rawValue).map { $0 != 0 }
        if let place = ForeignValue.place(number(.latitude), number(.longitude)) {
            (facts.latitude, facts.longitude) = place
        }
        return facts
    }

    private static func resources(
        _ row: ForeignDatabase.Statement,
        _ asset: ForeignAsset,
        _ master: EarlierPhotosDetails.Master?,
        _ details: EarlierPhotosDetails
    ) throws(Failure) -> [ForeignResource] {
        func resource(_ role: ForeignResource.Role, _ master: EarlierPhotosDetails.Master)
            -> ForeignResource
        {
            let volume = master.isReferenced ? master.volume ?? "Macintosh HD" : nil
            let path = master.isReferenced ? master.path : "Masters/" + master.path
            return ForeignResource(role, [.path(path)], isExpected: true, volume: volume)
        }
        var result = [
            master.map { resource(.original, $0) }
                ?? ForeignResource(.original, [], isExpected: true)
        ]
        if row.integer(Column.special.rawValue) == 7,
            let uuid = row.text(Column.rawMaster.rawValue), let raw = try details.master(uuid)
        {
            result.append(resource(.alternatePhoto, raw))
        }
        if asset.subtypes.contains(.live), let key = row.integer(Column.masterKey.rawValue) {
            let files = try details.files(of: key, type: 1, tag: nil)
            result.append(
                ForeignResource(
                    .pairedVideo,
                    files.map {
                        name("jpegvideocomplement", $0.number, below: "resources/media/master")
                    },
                    isExpected: true
                )
            )
        }
        guard asset.edit != nil, let key = row.integer(Column.key.rawValue) else { return result }
        // The folder of a rendering is not reliable, its number is.
        let files = try details.files(
            of: key,
            type: 2,
            tag: row.text(Column.adjustment.rawValue) ?? ""
        )
        let isLive = asset.subtypes.contains(.live)
        let folder = "resources/media/version"
        result.append(
            ForeignResource(
                .render,
                files.filter { $0.kind == 4 || !isLive && $0.kind != 8 }
                    .sorted { ($0.kind == 4 ? 0 : 1) < ($1.kind == 4 ? 0 : 1) }
                    .map { name("fullsizeoutput", $0.number, below: folder) },
                isExpected: true
            )
        )
        let movies = files.filter { $0.kind == 8 }
        result.append(
            ForeignResource(
                .renderPairedVideo,
                movies.map { name("videocomplementoutput", $0.number, below: folder) },
                isExpected: !movies.isEmpty
            )
        )
        return result
    }

    private static func name(
        _ start: String,
        _ number: Int64,
        below folder: String
    ) -> ForeignResource.Location {
        .name("\(start)_\(String(number, radix: 16)).", below: folder + "/")
    }
}
