internal import Foundation

extension PHCollection {
    /// Returns the value of a property by its key-value coding name.
    func propertyValue(forKey key: String) -> Any? {
        switch key {
        case "localIdentifier": localIdentifier
        case "localizedTitle", "title": localizedTitle
        case "modificationDate": modificationDate
        case "canContainAssets": NSNumber(value: canContainAssets)
        case "canContainCollections": NSNumber(value: canContainCollections)
        default:
            if let album = self as? PHAssetCollection {
                album.valueForAlbumKey(key)
            } else if let list = self as? PHCollectionList {
                list.valueForListKey(key)
            } else {
                nil
            }
        }
    }
}

extension PHAssetCollection {
    fileprivate func valueForAlbumKey(_ key: String) -> Any? {
        switch key {
        case "assetCollectionType": NSNumber(value: assetCollectionType.rawValue)
        case "assetCollectionSubtype": NSNumber(value: assetCollectionSubtype.rawValue)
        case "estimatedAssetCount": NSNumber(value: estimatedAssetCount)
        case "startDate": startDate
        case "endDate": endDate
        case "approximateLocation": approximateLocation
        case "localizedLocationNames": localizedLocationNames
        default: nil
        }
    }
}

extension PHCollectionList {
    fileprivate func valueForListKey(_ key: String) -> Any? {
        switch key {
        case "collectionListType": NSNumber(value: collectionListType.rawValue)
        case "collectionListSubtype": NSNumber(value: collectionListSubtype.rawValue)
        case "startDate": startDate
        case "endDate": endDate
        case "localizedLocationNames": localizedLocationNames
        default: nil
        }
    }
}
