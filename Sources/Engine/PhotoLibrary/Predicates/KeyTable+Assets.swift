internal import PhotoModel

/// The keys available in fetches of assets.
///
/// Every public stored property of `PHAsset` has an entry, as do the spellings that published
/// programs use (`favorite`, `mediaSubtype` …). Camera metadata and location have the project's own
/// keys. Each key depends only on the asset's own row, which change details rely on.
extension KeyTable {
    static let assets = KeyTable(
        noun: "assets",
        table: "asset",
        identifierSQL: "(asset.uuid || '/L0/001')",
        kinds: [.asset],
        keys: assetKeys
    )

    private static let assetKeys: [String: FetchKey] = {
        var table: [String: FetchKey] = [
            "localIdentifier": FetchKey(.identifier, "uuid"),
            "uuid": FetchKey(.text, "uuid"),
            "creationDate": FetchKey(.date, "creationDate", isNullable: true),
            "modificationDate": FetchKey(.date, "modificationDate"),
            "addedDate": FetchKey(.date, "addedDate"),
            "adjustmentTimestamp": FetchKey(.date, "adjustmentTimestamp", isNullable: true),
            "mediaType": FetchKey(.integer, "mediaType"),
            "mediaSubtypes": FetchKey(.integer, "mediaSubtypes"),
            "playbackStyle": FetchKey(.integer, "playbackStyle"),
            "playbackVariation": FetchKey(.integer, zero),
            "sourceType": FetchKey(.integer, "sourceType"),
            "duration": FetchKey(.real, "duration"),
            "pixelWidth": FetchKey(.integer, "pixelWidth"),
            "pixelHeight": FetchKey(.integer, "pixelHeight"),
            "isFavorite": FetchKey(.boolean, "isFavorite"),
            "isHidden": FetchKey(.boolean, "isHidden"),
            "isSyncFailureHidden": FetchKey(.boolean, zero),
            "burstIdentifier": FetchKey(
                .text,
                "iif(\(AssetRecord.loneFrameCondition), NULL, burstIdentifier)",
                isNullable: true,
                indexedColumn: "burstIdentifier"
            ),
            "burstSelectionTypes": FetchKey(
                .integer,
                "iif(\(AssetRecord.loneFrameCondition), 0, burstSelectionTypes)"
            ),
            "representsBurst": FetchKey(.boolean, "representsBurst"),
            "hasAdjustments": FetchKey(.boolean, "hasAdjustments"),
            "adjustmentFormatIdentifier": FetchKey(
                .text,
                "adjustmentFormatIdentifier",
                isNullable: true
            ),
            "adjustmentsState": FetchKey(.integer, adjustmentsState),
            "originalResourceChoice": FetchKey(.integer, "originalResourceChoice"),
            "originalFilename": FetchKey(.text, "originalFilename"),
            "contentType": FetchKey(.text, "contentType"),
            "rating": FetchKey(.integer, "rating"),
            "caption": FetchKey(.text, "caption", isNullable: true),
            "keywords": FetchKey(.texts, "asset.keywords"),
            "title": FetchKey(.text, "title", isNullable: true),
            "location": FetchKey(.location, "asset.latitude", isNullable: true),
            "latitude": FetchKey(.real, "asset.latitude", isNullable: true),
            "longitude": FetchKey(.real, "asset.longitude", isNullable: true),
            "altitude": FetchKey(.real, "asset.altitude", isNullable: true),
            "places": FetchKey(.places, "asset.latitude, asset.longitude", isNullable: true),
            "cameraMake": FetchKey(.text, "cameraMake", isNullable: true),
            "cameraModel": FetchKey(.text, "cameraModel", isNullable: true),
            "lensModel": FetchKey(.text, "lensModel", isNullable: true),
            "aperture": FetchKey(.real, "aperture", isNullable: true),
            "exposureTime": FetchKey(.real, "exposureTime", isNullable: true),
            "isoSpeed": FetchKey(.integer, "isoSpeed", isNullable: true),
            "focalLength": FetchKey(.real, "focalLength", isNullable: true),
        ]
        for (alias, name) in aliases { table[alias] = table[name] }
        return table
    }()

    private static let aliases = [
        "favorite": "isFavorite",
        "hidden": "isHidden",
        "mediaSubtype": "mediaSubtypes",
        "filename": "originalFilename",
        "uniformTypeIdentifier": "contentType",
        "extendedMetadata.caption": "caption",
        "extendedMetadata.keywords": "keywords",
        "extendedMetadata.originalFilename": "originalFilename",
        "contentType.identifier": "contentType",
    ]

    /// The value of `PHAsset.AdjustmentsState`: no edits, or a user's edits.
    private static let adjustmentsState = "(CASE WHEN hasAdjustments THEN 2 ELSE 0 END)"

    /// A constant value for all assets, as an expression because ORDER BY would treat a bare number
    /// as a column.
    private static let zero = "(0 + 0)"
}
