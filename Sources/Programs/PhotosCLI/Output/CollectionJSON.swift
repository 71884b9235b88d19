import Photos
import PhotosJSON

extension JSONObject {
    /// Creates the JSON of an album or folder, with the names of PhotoKit's properties as keys.
    init(_ collection: PHCollection, in folder: PHCollectionList?) {
        self.init()
        add(collection, in: folder)
    }

    /// Creates the JSON of an album or folder with its outcome.
    init(outcome: String, of collection: PHCollection, in folder: PHCollectionList?) {
        self.init()
        add("outcome", outcome)
        add(collection, in: folder)
        add("reason", nil as String?)
    }

    private mutating func add(_ collection: PHCollection, in folder: PHCollectionList?) {
        let album = collection as? PHAssetCollection
        add("localIdentifier", collection.localIdentifier)
        add("objectType", album == nil ? "collectionList" : "assetCollection")
        add("assetCollectionType", album.map { "\($0.assetCollectionType)" })
        add("assetCollectionSubtype", album.map { "\($0.assetCollectionSubtype)" })
        add("localizedTitle", collection.localizedTitle)
        add("parentLocalIdentifier", folder?.localIdentifier)
        add("estimatedAssetCount", album?.estimatedAssetCount)
        add("startDate", album?.startDate)
        add("endDate", album?.endDate)
        add("modificationDate", collection.modificationDate)
    }
}
