/// The kinds of objects in the change history.
public enum PHObjectType: Int, Hashable, Codable, Sendable {
    /// A ``PHAsset``.
    case asset = 1
    /// An album, which is a `PHAssetCollection`.
    case assetCollection = 2
    /// A folder, which is a `PHCollectionList`.
    case collectionList = 3
}
