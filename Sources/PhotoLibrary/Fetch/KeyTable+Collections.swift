internal import PhotoModel

/// What fetches of albums and folders may name.
///
/// Every public stored property of `PHCollection`, `PHAssetCollection` and `PHCollectionList` has an
/// entry. Each is answered by the collection's own row: change details count on it.
extension KeyTable {
    static let collections = KeyTable(
        noun: "albums and folders",
        table: "collection",
        identifierSQL:
            "(collection.uuid || CASE collection.kind WHEN 2 THEN '/L0/040' ELSE '/L0/020' END)",
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
            // `album` and `albumRegular`; `folder` and `regularFolder`.
            "assetCollectionType": FetchKey(.integer, ofAlbums("1"), isNullable: true),
            "assetCollectionSubtype": FetchKey(.integer, ofAlbums("2"), isNullable: true),
            "collectionListType": FetchKey(.integer, ofFolders("2"), isNullable: true),
            "collectionListSubtype": FetchKey(.integer, ofFolders("100"), isNullable: true),
            "canContainAssets": FetchKey(.boolean, "(collection.kind = 2)"),
            "canContainCollections": FetchKey(.boolean, "(collection.kind = 3)"),
            // User albums and folders have none.
            "approximateLocation": FetchKey(.location, "NULL", isNullable: true),
            "localizedLocationNames": FetchKey(.texts, "'[]'"),
        ]
    )

    private static func ofAlbums(_ value: String) -> String {
        "(CASE collection.kind WHEN 2 THEN \(value) END)"
    }

    private static func ofFolders(_ value: String) -> String {
        "(CASE collection.kind WHEN 3 THEN \(value) END)"
    }
}
