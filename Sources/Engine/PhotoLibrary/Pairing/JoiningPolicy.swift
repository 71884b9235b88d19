internal import Foundation
package import PhotoModel

/// Updates an asset's record when a partner file joins the asset.
///
/// Has no side effects. The asset keeps its identifier, its row and the values that a person set:
/// favorite, hidden, picks, a custom capture time and existing texts.
package enum JoiningPolicy {
    /// Adds the values of a Live Photo's movie to the record of its still.
    package static func add(movie: AssetRecord, to still: inout AssetRecord) {
        still.mediaSubtypes.insert(.photoLive)
        still.playbackStyle = .livePhoto
        still.duration = 0
        still.frameRate = nil
        if still.location == nil, !still.personFacts.contains(.location) {
            still.location = movie.location
        }
    }

    /// Makes a still the primary part of an asset whose primary part was the movie or the RAW.
    ///
    /// `still` is the still's own draft, with partners from its batch already joined.
    package static func lead(_ asset: inout AssetRecord, with still: AssetRecord) {
        var merged = still
        merged.id = asset.id
        merged.uuid = asset.uuid
        merged.addedDate = asset.addedDate
        merged.modificationDate = asset.modificationDate
        merged.isFavorite = asset.isFavorite
        merged.isHidden = asset.isHidden
        merged.trashedDate = asset.trashedDate
        merged.sourceType = asset.sourceType
        merged.contentVersion = asset.contentVersion
        merged.hasAdjustments = asset.hasAdjustments
        merged.adjustmentFormatIdentifier = asset.adjustmentFormatIdentifier
        merged.adjustmentTimestamp = asset.adjustmentTimestamp
        // Parts of the asset may have values from an earlier reader.
        merged.readerVersion = min(asset.readerVersion, still.readerVersion)
        let set = asset.personFacts
        merged.personFacts = set
        merged.title = set.contains(.title) ? asset.title : asset.title ?? still.title
        merged.caption = set.contains(.caption) ? asset.caption : asset.caption ?? still.caption
        merged.keywords =
            set.contains(.keywords) || !asset.keywords.isEmpty ? asset.keywords : still.keywords
        merged.rating = set.contains(.rating) || asset.rating != 0 ? asset.rating : still.rating
        merged.location =
            set.contains(.location) ? asset.location : still.location ?? asset.location
        merged.contentIdentifier = still.contentIdentifier ?? asset.contentIdentifier
        merged.burstIdentifier = still.burstIdentifier ?? asset.burstIdentifier
        merged.burstSelectionTypes = asset.burstSelectionTypes
        merged.representsBurst = asset.representsBurst
        if asset.mediaSubtypes.contains(.photoLive) {
            merged.mediaSubtypes.insert(.photoLive)
            merged.playbackStyle = .livePhoto
        }
        if asset.captureTime?.wallTimeSource == .user {
            merged.captureTime = asset.captureTime
            merged.creationDate = asset.creationDate
        }
        asset = merged
    }
}
