/// The rule by which a column of the library's database is merged between devices.
package enum MergeRule: Hashable, Sendable {
    /// The column belongs to a register group, which is merged as a whole.
    case register(RegisterGroup)
    /// The column belongs to the object's creation; of two creations, the earlier one's value is
    /// kept.
    case constant
    /// The column belongs to the object's creation, which has the initial value, and to a register
    /// group.
    ///
    /// A register exists only once the value was changed, and then replaces the initial value.
    case initial(RegisterGroup)
    /// The column belongs to the immutable record of a file in the asset's original set.
    case record
    /// The column is computed on each device from merged values.
    case derived
    /// The column is never sent to other devices.
    case local
    /// The column belongs to the record of a permanently deleted object, which is sent to other
    /// devices as a final purge (the operation `final`).
    case purge
    /// The column is sent as the identifier of the object to which the other columns belong.
    case identity

    /// The register group of the column; nil if it is not merged as a register.
    fileprivate var group: RegisterGroup? {
        switch self {
        case .register(let group), .initial(let group): group
        default: nil
        }
    }

    /// Indicates whether the creation contains the column.
    fileprivate var isInCreation: Bool {
        switch self {
        case .constant, .initial: true
        default: false
        }
    }
}

/// The merge rule of every column of the library's database.
///
/// A test compares the table with the schema of a new library, so a migration that adds a table or
/// a column adds its rule here.
package enum MergeTable {
    /// The rules by table and column.
    package static let rules: [String: [String: MergeRule]] = [
        "asset": asset,
        "resource": [
            "id": .local, "uuid": .identity, "assetId": .local, "type": .record,
            "originalFilename": .record, "contentType": .record, "path": .local, "size": .record,
            "sha256": .record, "pixelWidth": .record, "pixelHeight": .record,
            "presence": .local,
        ],
        "collection": [
            "id": .local, "uuid": .identity, "kind": .constant, "title": .register(.title),
            "parentId": .register(.parent), "position": .local, "orderKey": .register(.parent),
            "creationDate": .constant, "modificationDate": .register(.modification),
            "assetCount": .derived, "startDate": .derived, "endDate": .derived,
        ],
        // The row itself is a register for each album and asset; the key is its order.
        "albumAsset": [
            "albumId": .register(.member), "assetId": .register(.member),
            "position": .local, "orderKey": .register(.member),
        ],
        "tombstone": [
            "kind": .purge, "objectId": .local, "uuid": .purge, "version": .local,
        ],
        "assetFacet": all(
            .derived,
            "isTrashed isHidden isBurstHidden sourceType mediaType mediaSubtypes traits count"
        ),
        "addedDay": all(.derived, "day count"),
        "timeline": all(.derived, "time latitude longitude assetId date"),
        "moment": all(
            .derived,
            "id uuid level time latitude longitude assetCount startDate endDate placeCount x y z "
                + "version"
        ),
        "formerMoment": all(.local, "id version"),
        "smartAlbum": all(.derived, "subtype version"),
        "frameQuality": all(.derived, "assetId score"),
        "importedFile": all(
            .local,
            "path size modificationTime statusChangeTime inode device stemKey resourceId"
        ),
        "discardedFile": all(.local, "path"),
        "formerFile": all(.local, "path resourceId assetId version"),
        "migrationSource": all(.local, "id kind identifier firstDate"),
        "migratedItem": all(
            .local,
            "kind item sourceId objectKind objectUUID fingerprint sourceModificationDate "
                + "importedDate isComplete facts"
        ),
        "journalVersion": all(.local, "version time author batch undoes hlc origin originTime"),
        "journalEntry": all(
            .local,
            "id version kind objectId uuid change contentChanged oldValues newValues members"
        ),
        "answered": all(.local, "request program version reply time"),
        "cloudStamp": all(.local, "kind uuid stamps"),
        "cloudPending": all(.local, "uuid op"),
        "setting": all(.local, "name value"),
        "grdb_migrations": all(.local, "identifier"),
    ]

    private static let asset: [String: MergeRule] = [
        "id": .local, "uuid": .identity,
        "addedDate": .constant, "sourceType": .constant,
        // A still that joins an asset, and a later reader, replace these values.
        "originalFilename": .initial(.filename),
        "contentIdentifier": .initial(.contentIdentifier),
        "burstIdentifier": .initial(.burstIdentifier),
        "mediaType": .register(.facts), "mediaSubtypes": .register(.facts),
        "playbackStyle": .register(.facts), "duration": .register(.facts),
        "frameRate": .register(.facts), "contentType": .register(.facts),
        "cameraMake": .register(.facts), "cameraModel": .register(.facts),
        "lensModel": .register(.facts), "software": .register(.facts),
        "aperture": .register(.facts), "exposureTime": .register(.facts),
        "isoSpeed": .register(.facts), "focalLength": .register(.facts),
        "focalLengthIn35mmFilm": .register(.facts),
        // The version of the code that read the facts is the rank of their group.
        "readerVersion": .register(.facts),
        "creationDate": .register(.time), "captureWallTime": .register(.time),
        "captureOffset": .register(.time), "captureWallTimeSource": .register(.time),
        "captureInstantSource": .register(.time),
        "latitude": .register(.place), "longitude": .register(.place),
        "altitude": .register(.place),
        "isFavorite": .register(.isFavorite), "isHidden": .register(.isHidden),
        "title": .register(.title), "caption": .register(.caption), "rating": .register(.rating),
        "originalResourceChoice": .register(.originalChoice), "keywords": .register(.keyword),
        "trashedDate": .register(.trash),
        "hasAdjustments": .register(.content),
        "adjustmentFormatIdentifier": .register(.content),
        "adjustmentTimestamp": .register(.content),
        "pixelWidth": .register(.content), "pixelHeight": .register(.content),
        "modificationDate": .register(.modification),
        "burstSelectionTypes": .register(.burstPick),
        "representsBurst": .register(.burstRole), "isBurstHidden": .derived,
        "contentVersion": .local,
        // Which facts a person set follows from the ranks of the registers.
        "personFacts": .derived,
        "hasRAW": .derived, "isVisible": .derived,
    ]

    private static func all(_ rule: MergeRule, _ columns: String) -> [String: MergeRule] {
        var rules: [String: MergeRule] = [:]
        for column in columns.split(separator: " ") { rules[String(column)] = rule }
        return rules
    }

    /// The columns of register groups in alphabetical order, by table and group.
    private static let columns = rules.mapValues { rules in
        Dictionary(grouping: rules.keys.sorted()) { rules[$0]?.group }
    }

    /// The columns that belong to the creation, in alphabetical order, by table.
    private static let constants = rules.mapValues { rules in
        rules.keys.sorted().filter { rules[$0]?.isInCreation == true }
    }

    /// Returns the columns of a register group in alphabetical order.
    package static func columns(of group: RegisterGroup, in table: String) -> [String] {
        columns[table]?[group] ?? []
    }

    /// Returns the columns of a table that belong to the creation, in alphabetical order.
    package static func constants(of table: String) -> [String] {
        constants[table] ?? []
    }

    /// Returns the register group of a column; nil for a column that is not merged as a register.
    package static func group(of column: String, in table: String) -> RegisterGroup? {
        rules[table]?[column]?.group
    }
}
