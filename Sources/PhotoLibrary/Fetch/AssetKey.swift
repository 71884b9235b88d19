/// A key that predicates and sort descriptors of asset fetches may name, with its SQL.
///
/// Every public stored property of `PHAsset` has one, and so have the spellings that published
/// programs use (`favorite`, `mediaSubtype` …). One table: a key is answered here or nowhere.
struct AssetKey {
    /// What a key's values can be compared with.
    enum Kind {
        case boolean
        case integer
        case real
        case date
        case text
        /// `UUID/L0/001`, stored as the UUID.
        case identifier
        /// A list of texts, stored as a JSON array.
        case texts
        /// A place: only nil or not nil can be asked.
        case location
    }

    let kind: Kind
    /// A column, or an expression over columns.
    let sql: String
    let isNullable: Bool

    /// The key's entry, or nil when it can't be answered.
    ///
    /// Case counts.
    static func named(_ name: String) -> AssetKey? { table[name] }

    /// All keys in alphabetic order, for messages.
    static var names: [String] { table.keys.sorted() }

    private init(_ kind: Kind, _ sql: String, isNullable: Bool = false) {
        self.kind = kind
        self.sql = sql
        self.isNullable = isNullable
    }

    private static let table: [String: AssetKey] = {
        var table: [String: AssetKey] = [
            "localIdentifier": AssetKey(.identifier, "uuid"),
            "uuid": AssetKey(.text, "uuid"),
            "creationDate": AssetKey(.date, "creationDate", isNullable: true),
            "modificationDate": AssetKey(.date, "modificationDate"),
            "addedDate": AssetKey(.date, "addedDate"),
            "adjustmentTimestamp": AssetKey(.date, "adjustmentTimestamp", isNullable: true),
            "mediaType": AssetKey(.integer, "mediaType"),
            "mediaSubtypes": AssetKey(.integer, "mediaSubtypes"),
            "playbackStyle": AssetKey(.integer, "playbackStyle"),
            "playbackVariation": AssetKey(.integer, "0"),
            "sourceType": AssetKey(.integer, "sourceType"),
            "duration": AssetKey(.real, "duration"),
            "pixelWidth": AssetKey(.integer, "pixelWidth"),
            "pixelHeight": AssetKey(.integer, "pixelHeight"),
            "isFavorite": AssetKey(.boolean, "isFavorite"),
            "isHidden": AssetKey(.boolean, "isHidden"),
            "isSyncFailureHidden": AssetKey(.boolean, "0"),
            "burstIdentifier": AssetKey(.text, "burstIdentifier", isNullable: true),
            "burstSelectionTypes": AssetKey(.integer, "burstSelectionTypes"),
            "representsBurst": AssetKey(.boolean, "representsBurst"),
            "hasAdjustments": AssetKey(.boolean, "hasAdjustments"),
            "adjustmentFormatIdentifier": AssetKey(
                .text,
                "adjustmentFormatIdentifier",
                isNullable: true
            ),
            "adjustmentsState": AssetKey(.integer, adjustmentsState),
            "originalResourceChoice": AssetKey(.integer, "originalResourceChoice"),
            "originalFilename": AssetKey(.text, "originalFilename"),
            "contentType": AssetKey(.text, "contentType"),
            "rating": AssetKey(.integer, "rating"),
            "caption": AssetKey(.text, "caption", isNullable: true),
            "keywords": AssetKey(.texts, "keywords"),
            "title": AssetKey(.text, "title", isNullable: true),
            "location": AssetKey(.location, "latitude", isNullable: true),
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

    /// `PHAsset.AdjustmentsState`: no edits, or a user's.
    private static let adjustmentsState = "(CASE WHEN hasAdjustments THEN 2 ELSE 0 END)"
}
