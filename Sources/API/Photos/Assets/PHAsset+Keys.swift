internal import Foundation
internal import PhotoModel

extension PHAsset {
    /// Returns the value of a property by its key-value coding name.
    func propertyValue(forKey key: String) -> Any? {
        switch key {
        case "localIdentifier": localIdentifier
        case "mediaType": NSNumber(value: mediaType.rawValue)
        case "mediaSubtypes", "mediaSubtype": NSNumber(value: mediaSubtypes.rawValue)
        case "playbackStyle": NSNumber(value: playbackStyle.rawValue)
        case "playbackVariation": NSNumber(value: playbackVariation.rawValue)
        case "contentType": contentType
        case "uniformTypeIdentifier": contentType.identifier
        case "pixelWidth": NSNumber(value: pixelWidth)
        case "pixelHeight": NSNumber(value: pixelHeight)
        case "duration": NSNumber(value: duration)
        case "creationDate": creationDate
        case "modificationDate": modificationDate
        case "addedDate": addedDate
        case "location": location
        case "isHidden", "hidden": NSNumber(value: isHidden)
        case "isFavorite", "favorite": NSNumber(value: isFavorite)
        case "rating": NSNumber(value: storedRating)
        case "sourceType": NSNumber(value: sourceType.rawValue)
        case "burstIdentifier": burstIdentifier
        case "burstSelectionTypes": NSNumber(value: burstSelectionTypes.rawValue)
        case "representsBurst": NSNumber(value: representsBurst)
        case "hasAdjustments": NSNumber(value: hasAdjustments)
        case "adjustmentsState": NSNumber(value: adjustmentsState.rawValue)
        case "adjustmentFormatIdentifier": adjustmentFormatIdentifier
        case "adjustmentTimestamp": adjustmentTimestamp
        case "originalResourceChoice": NSNumber(value: originalResourceChoice.rawValue)
        case "extendedMetadata": extendedMetadata
        case "filename", "originalFilename", "originalFileName": extendedMetadata.originalFilename
        case "caption": extendedMetadata.caption
        case "keywords": extendedMetadata.keywords
        case "title": record?.title
        default: nil
        }
    }
}
