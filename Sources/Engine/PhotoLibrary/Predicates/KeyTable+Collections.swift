internal import PhotoModel

/// The keys available in fetches of albums and folders.
///
/// Every public stored property of `PHCollection`, `PHAssetCollection` and `PHCollectionList` has
/// an entry. Each key depends only on the collection's own row, which change details rely on.
extension KeyTable {
    static let collections = KeyTable(
        noun: "albums and folders",
        table: "collection",
        identifierSQL: identifier,
        kinds: [.album, .folder],
        keys: [
            "localIdentifier": FetchKey(.identifier, "collection.uuid"),
            "uuid": FetchKey(.text, "collection.uuid"),
            "localizedTitle": FetchKey(.text, "collection.title"),
            "title": FetchKey(.text, "collection.title"),
            "creationDate": FetchKey(.date, "collection.creationDate"),
            "modificationDate": FetchKey(.date, "collection.modificationDate"),
            "startDate": FetchKey(.date, "collection.startDate", isNullable: true),
            "endDate": FetchKey(.date, "collection.endDate", isNullable: true),
            "estimatedAssetCount": FetchKey(.integer, "collection.assetCount"),
            // The values are `album` and `albumRegular`, `smartAlbum` and its subtype, `folder` and
            // `regularFolder`.
            "assetCollectionType": FetchKey(.integer, ofAlbums("1", smart: "2"), isNullable: true),
            "assetCollectionSubtype": FetchKey(
                .integer,
                ofAlbums("2", smart: "-collection.id"),
                isNullable: true
            ),
            "collectionListType": FetchKey(.integer, ofFolders("2"), isNullable: true),
            "collectionListSubtype": FetchKey(.integer, ofFolders("100"), isNullable: true),
            "canContainAssets": FetchKey(.boolean, "(collection.kind IN (2, 5))"),
            "canContainCollections": FetchKey(.boolean, "(collection.kind IN (3, 6))"),
            // User albums and folders have no location.
            "approximateLocation": FetchKey(.location, "NULL", isNullable: true),
            "localizedLocationNames": FetchKey(.texts, "'[]'"),
        ]
    )

    /// The keys available in fetches that may find moments and moment lists in addition to albums
    /// and folders.
    ///
    /// The rows are those of `MomentRows`.
    static let moments = KeyTable(
        noun: "moments",
        table: "collection",
        identifierSQL: identifier,
        kinds: [.album, .folder, .moment, .momentList],
        keys: collections.keys.merging(
            [
                "assetCollectionType": FetchKey(
                    .integer,
                    "(CASE collection.kind WHEN 2 THEN CASE WHEN collection.id < 0 THEN 2 ELSE 1 END"
                        + " WHEN 5 THEN 3 END)",
                    isNullable: true
                ),
                "assetCollectionSubtype": FetchKey(
                    .integer,
                    "(CASE collection.kind WHEN 2 THEN CASE WHEN collection.id < 0 THEN"
                        + " -collection.id ELSE 2 END WHEN 5 THEN \(Int64.max) END)",
                    isNullable: true
                ),
                "collectionListType": FetchKey(
                    .integer,
                    "(CASE collection.kind WHEN 3 THEN 2 WHEN 6 THEN 1 END)",
                    isNullable: true
                ),
                "collectionListSubtype": FetchKey(
                    .integer,
                    "(CASE collection.kind WHEN 3 THEN 100 WHEN 6 THEN collection.level - 1 END)",
                    isNullable: true
                ),
                "approximateLocation": FetchKey(
                    .location,
                    "(CASE WHEN collection.kind = 5 THEN nullif(collection.placeCount, 0) END)",
                    isNullable: true
                ),
                "localizedLocationNames": FetchKey(.texts, "collection.locationNames"),
            ],
            uniquingKeysWith: { $1 }
        )
    )

    private static let identifier = """
        (collection.uuid || CASE collection.kind WHEN 2 THEN '/L0/040' WHEN 3 THEN '/L0/020' \
        WHEN 5 THEN '/L0/060' ELSE '/L0/080' END)
        """

    private static func ofAlbums(_ value: String, smart: String) -> String {
        "(CASE collection.kind WHEN 2 THEN"
            + " CASE WHEN collection.id < 0 THEN \(smart) ELSE \(value) END END)"
    }

    private static func ofFolders(_ value: String) -> String {
        "(CASE collection.kind WHEN 3 THEN \(value) END)"
    }
}
