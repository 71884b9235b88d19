internal import GRDB
internal import PhotoModel

/// The values of an asset that determine its visibility and the smart albums that contain it.
///
/// Many assets share the same values, so the library stores the number of assets per facet.
struct AssetFacet: Hashable {
    /// The properties of an asset besides its media subtypes; their raw values are stored in the
    /// database.
    struct Traits: OptionSet, Hashable {
        let rawValue: Int
        static let favorite = Traits(rawValue: 1)
        static let burst = Traits(rawValue: 2)
        static let frontCamera = Traits(rawValue: 4)
        static let longExposure = Traits(rawValue: 8)
        static let raw = Traits(rawValue: 16)
    }

    var isTrashed: Bool
    var isHidden: Bool
    var isBurstHidden: Bool
    var sourceType: SourceTypes
    /// The raw value of the media type.
    ///
    /// It is not a `MediaType`, since rows of a damaged database may contain invalid values.
    var mediaType: Int
    var mediaSubtypes: MediaSubtypes
    var traits: Traits

    /// Creates the facet of an asset.
    ///
    /// `hasRAW` indicates whether the asset has a RAW original, which its record does not contain.
    init(_ asset: AssetRecord, hasRAW: Bool) {
        isTrashed = asset.trashedDate != nil
        isHidden = asset.isHidden
        isBurstHidden = asset.isBurstHidden
        sourceType = asset.sourceType
        mediaType = asset.mediaType.rawValue
        mediaSubtypes = asset.mediaSubtypes
        traits = []
        if asset.isFavorite { traits.insert(.favorite) }
        if asset.burstIdentifier?.isEmpty == false, !asset.isLoneFrame { traits.insert(.burst) }
        if let lens = asset.camera.lens, Self.isFrontCamera(lens) { traits.insert(.frontCamera) }
        if let time = asset.camera.exposureTime, time >= 1 { traits.insert(.longExposure) }
        if hasRAW { traits.insert(.raw) }
    }

    /// Returns whether a lens's name contains “front” with the ASCII case-insensitivity of SQLite's
    /// LIKE.
    private static func isFrontCamera(_ lens: String) -> Bool {
        var lens = lens
        return lens.withUTF8 { name in
            let word: StaticString = "front"
            let length = word.utf8CodeUnitCount
            guard name.count >= length else { return false }
            return (0...name.count - length).contains { start in
                // Setting this bit converts uppercase letters to lowercase.
                (0..<length).allSatisfy { name[start + $0] | 0x20 == word.utf8Start[$0] }
            }
        }
    }

    /// Creates a facet from a row of `assetFacet`, ignoring the row's count.
    private init(row: Row) {
        isTrashed = row[0]
        isHidden = row[1]
        isBurstHidden = row[2]
        sourceType = SourceTypes(rawValue: UInt(bitPattern: row[3] as Int))
        mediaType = row[4]
        mediaSubtypes = MediaSubtypes(rawValue: UInt(bitPattern: row[5] as Int))
        traits = Traits(rawValue: row[6])
    }

    /// Returns the number of assets of each facet.
    static func counts(_ database: Database) throws -> [(facet: AssetFacet, count: Int)] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT isTrashed, isHidden, isBurstHidden, sourceType, mediaType, mediaSubtypes,
                    traits, count
                FROM assetFacet WHERE count > 0
                """
        )
        return try Row.fetchAll(statement).map { (AssetFacet(row: $0), $0[7]) }
    }

    /// Returns whether an asset with this facet is visible.
    func isShown(by visibility: AssetVisibility) -> Bool {
        visibility.shows(
            isTrashed: isTrashed,
            isHidden: isHidden,
            isBurstHidden: isBurstHidden,
            sourceType: sourceType
        )
    }
}
