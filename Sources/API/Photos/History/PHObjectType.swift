/// The kinds of object that change history tells of.
public enum PHObjectType: Int, Hashable, Codable, Sendable {
    /// A ``PHAsset``.
    case asset = 1
    /// An album: a `PHAssetCollection`.
    case assetCollection = 2
    /// A folder: a `PHCollectionList`.
    case collectionList = 3
}
