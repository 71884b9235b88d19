internal import WorkerProtocol

/// The SQL query for the assets in a library of Photos 5 or later, and the conversion of its rows.
enum PhotosAssetQuery {
    typealias Failure = ForeignDatabase.Failure

    /// The columns of the result, in order.
    private enum Column: Int32, CaseIterable {
        case key, uuid, kind, directory, filename, created, added, modified, favorite, hidden
        case trashed, trashedDate, latitude, longitude, locationData, kindSubtype, spatial, depth
        case burst, burstPick, mediaGroup, edited, saved, published, scopeState, bundleScope
        case adjusted
        case attributes, originalName, title, zone, inferredZone, zoneName, exifTime, size, choice
        case fingerprint, placeData
        case caption, format, formatVersion, extendedZone
    }

    /// Returns the SQL query; a column that the library's release of Photos does not have is null.
    static func sql(_ database: ForeignDatabase, _ table: String) throws(Failure) -> String {
        let x = "ZADDITIONALASSETATTRIBUTES"
        func a(_ names: String...) throws(Failure) -> String {
            let columns = try database.columns(of: table)
            return names.first { columns.contains($0) }.map { "a." + $0 } ?? "NULL"
        }
        func b(_ names: String...) throws(Failure) -> String {
            let columns = try database.columns(of: x)
            return names.first { columns.contains($0) }.map { "x." + $0 } ?? "NULL"
        }
        let (descriptions, adjustments) = ("ZASSETDESCRIPTION", "ZUNMANAGEDADJUSTMENT")
        let isDescribed = try database.hasColumns((descriptions, ["Z_PK"]), (x, [descriptions]))
        let isAdjusted = try database.hasColumns((adjustments, ["Z_PK"]), (x, [adjustments]))
        let isExtended = try database.columns(of: "ZEXTENDEDATTRIBUTES")
            .isSuperset(of: ["ZASSET", "ZTIMEZONEOFFSET"])
        let expressions: [String] = [
            "a.Z_PK", "a.ZUUID", "a.ZKIND", "a.ZDIRECTORY", "a.ZFILENAME", try a("ZDATECREATED"),
            try a("ZADDEDDATE"), try a("ZMODIFICATIONDATE"), try a("ZFAVORITE"), try a("ZHIDDEN"),
            try a("ZTRASHEDSTATE"), try a("ZTRASHEDDATE"), try a("ZLATITUDE"), try a("ZLONGITUDE"),
            try a("ZLOCATIONDATA"), try a("ZKINDSUBTYPE"), try a("ZSPATIALTYPE"),
            try a("ZDEPTHTYPE"), try a("ZAVALANCHEUUID"), try a("ZAVALANCHEPICKTYPE"),
            try a("ZMEDIAGROUPUUID"), try a("ZADJUSTMENTSSTATE", "ZHASADJUSTMENTS"),
            try a("ZSAVEDASSETTYPE"), try a("ZCLOUDBATCHPUBLISHDATE"),
            try a("ZLIBRARYSCOPESHARESTATE"), try a("ZBUNDLESCOPE"), try a("ZADJUSTMENTTIMESTAMP"),
            "x.Z_PK", try b("ZORIGINALFILENAME"), try b("ZTITLE"), try b("ZTIMEZONEOFFSET"),
            try b("ZINFERREDTIMEZONEOFFSET"), try b("ZTIMEZONENAME"),
            try b("ZEXIFTIMESTAMPSTRING"), try b("ZORIGINALFILESIZE"),
            try b("ZORIGINALRESOURCECHOICE"), try b("ZORIGINALSTABLEHASH", "ZMASTERFINGERPRINT"),
            try b("ZREVERSELOCATIONDATA"),
            isDescribed ? try database.column("d", descriptions, "ZLONGDESCRIPTION") : "NULL",
            isAdjusted
                ? try database.column("u", adjustments, "ZADJUSTMENTFORMATIDENTIFIER") : "NULL",
            isAdjusted
                ? try database.column("u", adjustments, "ZADJUSTMENTFORMATVERSION") : "NULL",
            isExtended ? "e.ZTIMEZONEOFFSET" : "NULL",
        ]
        return """
            SELECT \(expressions.joined(separator: ", ")) FROM \(table) a
            LEFT JOIN \(x) x ON x.ZASSET = a.Z_PK
            \(isDescribed ? "LEFT JOIN \(descriptions) d ON d.Z_PK = x.\(descriptions)" : "")
            \(isAdjusted ? "LEFT JOIN \(adjustments) u ON u.Z_PK = x.\(adjustments)" : "")
            \(isExtended ? "LEFT JOIN ZEXTENDEDATTRIBUTES e ON e.ZASSET = a.Z_PK" : "")
            ORDER BY a.Z_PK
            """
    }

    /// Returns the asset in the statement's current row.
    static func asset(
        _ row: ForeignDatabase.Statement,
        model: Int,
        _ details: PhotosAssetDetails
    ) throws(Failure) -> ForeignAsset {
        func integer(_ column: Column) -> Int64? { row.integer(column.rawValue) }
        func number(_ column: Column) -> Double? { row.number(column.rawValue) }
        func text(_ column: Column, _ limit: Int = ForeignLimits.path) -> String? {
            row.text(column.rawValue, limit: limit)
        }
        func isTrue(_ column: Column) -> Bool { row.isTrue(column.rawValue) }
        let key = integer(.key) ?? 0
        let uuid = ForeignValue.uuid(text(.uuid))
        let filename = text(.filename) ?? ""
        var asset = ForeignAsset(
            item: uuid ?? "asset \(key)",
            uuid: uuid,
            originalFilename: text(.originalName) ?? filename
        )
        asset.isVideo = integer(.kind) == 1
        asset.facts = facts(row)
        if let date = number(.created), asset.facts.creationDate == nil {
            asset.notes.append(
                ForeignNote(
                    code: "dateRejected",
                    text: "Photos states a date that is not possible (\(date) s after 2001); the"
                        + " file's own date counts."
                )
            )
        }
        let kind = integer(.kindSubtype)
        let kinds: [Int64: ForeignSubtype] = [
            1: .panorama, 2: .live, 10: .screenshot, 101: .highFrameRate, 102: .timelapse,
            103: .screenRecording,
        ]
        if let kind, let subtype = kinds[kind] { asset.subtypes.insert(subtype) }
        if integer(.spatial) == 1 { asset.subtypes.insert(.spatial) }
        if asset.isVideo, integer(.depth) == 2 { asset.subtypes.insert(.cinematic) }
        if let identifier = text(.burst, 256), !identifier.isEmpty {
            let pick = integer(.burstPick) ?? 0
            var burst = ForeignBurst(identifier: identifier)
            burst.isAutoPick = pick & 4 != 0
            burst.isUserPick = pick & 8 != 0
            burst.isKey = pick & 16 != 0
            asset.burst = burst
        }
        asset.contentIdentifier = text(.mediaGroup, 256)
        asset.timeZoneName = text(.zoneName, 256)
        asset.showsRAW = integer(.choice) == 1
        asset.isShared = number(.published) != nil
        asset.isReferenced = integer(.saved) == 10
        asset.isOfUnverifiedScope =
            isTrue(.scopeState) || isTrue(.bundleScope) && !asset.isShared
        asset.fingerprint = text(.fingerprint, 64)
        asset.originalSize = integer(.size).flatMap { $0 > 0 ? $0 : nil }
        let state = integer(.edited) ?? 0
        if state == 1 || state == 2 || state == 3 {
            var edit = ForeignEdit()
            edit.formatIdentifier = text(.format)
            edit.formatVersion = text(.formatVersion)
            edit.timestamp = ForeignValue.date(number(.adjusted))
            // Slow motion that the camera made is played at another speed and has no rendering.
            edit.hasRender = state != 3
            asset.edit = edit
        }
        if let data = row.data(Column.placeData.rawValue, limit: 1 << 20) {
            asset.placeNames = PhotosAssetDetails.placeNames(data)
        }
        let extra = try details.details(asset: key, attributes: integer(.attributes))
        asset.facts.keywords = ForeignValue.bounded(extra.keywords)
        asset.people = extra.people
        asset.comments = ForeignValue.bounded(extra.comments)
        let areKeywordsKept = asset.facts.keywords.count == extra.keywords.count
        let areKept = asset.comments.count == extra.comments.count
        asset.noteCutTexts(
            (row.hasCut(Column.title.rawValue), "title"),
            (row.hasCut(Column.caption.rawValue), "caption"),
            (!areKeywordsKept || extra.cut.contains("keywords"), "keywords"),
            (extra.cut.contains("people"), "people"),
            (!areKept || extra.cut.contains("comments"), "comments")
        )
        asset.resources =
            PhotosResources(
                uuid: text(.uuid) ?? "",
                directory: text(.directory) ?? "",
                filename: filename,
                model: model,
                stated: extra.stated,
                volume: extra.volume,
                asset: asset
            ).resources
        return asset
    }

    private static func facts(_ row: ForeignDatabase.Statement) -> ForeignFacts {
        func integer(_ column: Column) -> Int64? { row.integer(column.rawValue) }
        func number(_ column: Column) -> Double? { row.number(column.rawValue) }
        func text(_ column: Column) -> String? {
            row.text(column.rawValue, limit: ForeignLimits.text)
        }
        var facts = ForeignFacts()
        facts.creationDate = ForeignValue.date(number(.created))
        // The extended offset comes last: Exif often contradicts it.
        facts.captureOffset =
            ForeignValue.offset(integer(.zone)) ?? ForeignValue.offset(integer(.inferredZone))
            ?? ForeignValue.offset(integer(.extendedZone))
            ?? ForeignValue.offset(exif: text(.exifTime), instant: facts.creationDate)
        facts.addedDate = ForeignValue.date(number(.added))
        facts.modificationDate = ForeignValue.date(number(.modified))
        facts.isFavorite = row.isTrue(Column.favorite.rawValue)
        facts.isHidden = row.isTrue(Column.hidden.rawValue)
        facts.isTrashed = integer(.trashed) == 1
        facts.trashedDate = facts.isTrashed ? ForeignValue.date(number(.trashedDate)) : nil
        facts.title = text(.title)
        facts.caption = text(.caption)
        if let place = ForeignValue.place(number(.latitude), number(.longitude)) {
            (facts.latitude, facts.longitude) = place
            facts.altitude = row.data(Column.locationData.rawValue, limit: 4096)
                .flatMap(PhotosAssetDetails.altitude)
        }
        return facts
    }
}
