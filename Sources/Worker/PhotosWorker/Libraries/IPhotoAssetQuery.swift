internal import WorkerProtocol

/// The SQL query for the assets in a library of iPhoto 9, and the conversion of its rows.
///
/// No real library was available. The tables and columns are those of public descriptions, and of
/// Photos 3 and 4, whose database is a later version of iPhoto's.
enum IPhotoAssetQuery {
    typealias Failure = ForeignDatabase.Failure

    private enum Column: Int32, CaseIterable {
        case key, uuid, type, masterUUID, name, date, zoneName, favorite, hidden, trashed
        case trashedDate, rating, flagged, latitude, longitude, edited, rawMaster, otherMaster
        case modified, masterType, added
    }

    /// Returns the SQL condition that selects the rows of `RKVersion` (the versions of each photo)
    /// to import as assets.
    ///
    /// A master has version 0, which is the photo as imported, and version 1, which is the photo as
    /// shown. Version 0 is selected only if the master has no other version.
    static func condition(_ database: ForeignDatabase) throws(Failure) -> String {
        guard try database.columns(of: "RKVersion").contains("versionNumber") else { return "1" }
        return """
            (v.versionNumber IS NULL OR v.versionNumber <> 0
                OR coalesce(v.masterUuid, '') NOT IN (SELECT o.masterUuid FROM RKVersion o
                    WHERE o.versionNumber > 0 AND o.masterUuid IS NOT NULL))
            """
    }

    static func sql(_ database: ForeignDatabase) throws(Failure) -> String {
        let columns = try database.columns(of: "RKVersion")
        func v(_ names: String...) -> String {
            names.first(where: columns.contains).map { "v.\($0)" } ?? "NULL"
        }
        let hasGroups = try database.hasColumns(
            ("RKImportGroup", ["uuid", "importDate"]),
            ("RKMaster", ["importGroupUuid"])
        )
        let created = v("createDate")
        let names = [
            v("modelId"), v("uuid"), v("type"), v("masterUuid"), v("name"), v("imageDate"),
            v("imageTimeZoneName"), v("isFavorite"), v("isHidden"), v("isInTrash"),
            v("inTrashDate"), v("mainRating"), v("isFlagged"), v("exifLatitude", "latitude"),
            v("exifLongitude", "longitude"), v("hasAdjustments"), v("rawMasterUuid"),
            v("nonRawMasterUuid"), v("lastModifiedDate"),
            try database.column("m", "RKMaster", "type"),
            hasGroups ? "coalesce(g.importDate, \(created))" : created,
        ]
        return """
            SELECT \(names.joined(separator: ", ")) FROM RKVersion v
            LEFT JOIN RKMaster m ON m.uuid = v.masterUuid
            \(hasGroups ? "LEFT JOIN RKImportGroup g ON g.uuid = m.importGroupUuid" : "")
            WHERE \(try condition(database)) ORDER BY v.modelId
            """
    }

    static func asset(
        _ row: ForeignDatabase.Statement,
        _ library: EarlierPhotosDetails,
        _ details: IPhotoDetails
    ) throws(Failure) -> ForeignAsset {
        func text(_ column: Column, _ limit: Int = ForeignLimits.path) -> String? {
            row.text(column.rawValue, limit: limit)
        }
        let key = row.integer(Column.key.rawValue) ?? 0
        let short = text(.uuid, 64) ?? ""
        let uuid = ForeignValue.uuid(short: short) ?? ForeignValue.uuid(short)
        let own = try text(.masterUUID, 64).flatMap(library.master)
        var raw: EarlierPhotosDetails.Master?
        var original = own
        if let rawUUID = text(.rawMaster, 64), let otherUUID = text(.otherMaster, 64),
            rawUUID != otherUUID, let other = try library.master(otherUUID)
        {
            raw = try library.master(rawUUID)
            if raw != nil { original = other }
        }
        let path = original.map(\.path) ?? ""
        let file = path.split(separator: "/").last.map(String.init) ?? ""
        let name = original.flatMap { $0.name.isEmpty ? nil : $0.name } ?? file
        var asset = ForeignAsset(
            item: uuid ?? (short.isEmpty ? "version \(key)" : short),
            uuid: uuid,
            originalFilename: name
        )
        asset.isVideo = row.integer(Column.type.rawValue) == 8 || text(.masterType, 16) == "VIDT"
        asset.facts = facts(row, defaultTitles: [name, ForeignValue.parts(name).stem])
        if let date = row.number(Column.date.rawValue), asset.facts.creationDate == nil {
            asset.notes.append(
                ForeignNote(
                    code: "dateRejected",
                    text: "iPhoto states a date that is not possible (\(date) s after 2001); the"
                        + " file's own date counts."
                )
            )
        }
        asset.facts.caption = try details.caption(of: key)
        asset.facts.keywords = try library.keywords(of: key)
        asset.placeNames = try details.placeNames(of: key)
        if let master = text(.masterUUID, 64) { asset.people = try details.people(of: master) }
        asset.timeZoneName = text(.zoneName, 256)
        asset.showsRAW = raw != nil && text(.rawMaster, 64) == text(.masterUUID, 64)
        asset.isReferenced = original?.isReferenced ?? false
        asset.resources = [
            original.map { resource(.original, $0) }
                ?? ForeignResource(.original, [], isExpected: true)
        ]
        if let raw { asset.resources.append(resource(.alternatePhoto, raw)) }
        if row.isTrue(Column.edited.rawValue) {
            // Its adjustments are of no use to another program.
            asset.edit = ForeignEdit()
            asset.resources.append(
                ForeignResource(
                    .render,
                    [own, original].compactMap { $0 }.map { previews(of: $0, version: short) },
                    isExpected: true
                )
            )
        }
        asset.noteCutTexts(
            (row.hasCut(Column.name.rawValue), "title"),
            (library.hasCut, "keywords")
        )
        return asset
    }

    private static func facts(_ row: ForeignDatabase.Statement, defaultTitles: [String])
        -> ForeignFacts
    {
        func number(_ column: Column) -> Double? { row.number(column.rawValue) }
        func isTrue(_ column: Column) -> Bool { row.isTrue(column.rawValue) }
        var facts = ForeignFacts()
        facts.creationDate = ForeignValue.date(number(.date))
        facts.addedDate = ForeignValue.date(number(.added))
        facts.modificationDate = ForeignValue.date(number(.modified))
        facts.isFavorite = isTrue(.favorite)
        facts.isHidden = isTrue(.hidden)
        facts.isTrashed = isTrue(.trashed)
        facts.trashedDate = facts.isTrashed ? ForeignValue.date(number(.trashedDate)) : nil
        // iPhoto names a photo after its file until a person gives it a title.
        let title = row.text(Column.name.rawValue, limit: ForeignLimits.text)
        facts.title = title.flatMap { defaultTitles.contains($0) ? nil : $0 }
        facts.rating = row.integer(Column.rating.rawValue).map { Int(max(-1, min(5, $0))) }
        facts.isFlagged = row.integer(Column.flagged.rawValue).map { $0 != 0 }
        if let place = ForeignValue.place(number(.latitude), number(.longitude)) {
            (facts.latitude, facts.longitude) = place
        }
        return facts
    }

    private static func resource(
        _ role: ForeignResource.Role,
        _ master: EarlierPhotosDetails.Master
    ) -> ForeignResource {
        guard master.isReferenced else {
            return ForeignResource(role, [.path("Masters/" + master.path)], isExpected: true)
        }
        let path = String(master.path.drop { $0 == "/" })
        return ForeignResource(
            role,
            [.path(path)],
            isExpected: true,
            volume: master.volume ?? "Macintosh HD"
        )
    }

    /// Returns the location of a version's edited image: below `Previews`, in folders with the
    /// names of the master's folders.
    ///
    /// The innermost folder is named by the version's identifier.
    private static func previews(
        of master: EarlierPhotosDetails.Master,
        version: String
    ) -> ForeignResource.Location {
        let folders = master.path.split(separator: "/").dropLast()
        return .prefix(
            (["Previews"] + folders.map(String.init) + [version, ""]).joined(separator: "/")
        )
    }
}
