internal import Foundation
internal import PhotoModel

/// Updates an asset's record when the asset is edited or reverted.
///
/// Has no side effects. Metadata from a person or the camera stays; values that describe the
/// displayed content are those of the edit.
enum EditPolicy {
    static func apply(_ edit: StagedEdit, to record: inout AssetRecord, at time: Date) {
        apply(edit.record, hasPairedVideo: edit.hasPairedVideo, to: &record)
        record.adjustmentFormatIdentifier = edit.formatIdentifier
        record.adjustmentTimestamp = time
        record.modificationDate = time
        record.contentVersion += 1
    }

    /// Applies an edit to a record; `rendered` is the record that the rendered file would have as a
    /// separate asset.
    static func apply(
        _ rendered: AssetRecord,
        hasPairedVideo: Bool,
        to record: inout AssetRecord
    ) {
        record.hasAdjustments = true
        record.pixelSize = rendered.pixelSize
        if record.mediaType == .video {
            record.duration = rendered.duration
            record.frameRate = rendered.frameRate
        }
        set(.photoAnimation, rendered.mediaSubtypes.contains(.photoAnimation), in: &record)
        if record.mediaSubtypes.contains(.photoLive) || hasPairedVideo {
            // An edit rendered as a still makes the asset a still until it is reverted.
            if !hasPairedVideo || !record.mediaSubtypes.contains(.photoLive) {
                record.playbackStyle = hasPairedVideo ? .livePhoto : .image
            }
            set(.photoLive, hasPairedVideo, in: &record)
        } else {
            record.playbackStyle = rendered.playbackStyle
        }
    }

    /// Copies the values that result from an edit, such as the pixel size, from an asset's older
    /// record to its new record.
    ///
    /// Otherwise, a partner file that joins the asset would replace them.
    static func keepEdit(of older: AssetRecord, in record: inout AssetRecord) {
        guard older.hasAdjustments else { return }
        record.pixelSize = older.pixelSize
        record.playbackStyle = older.playbackStyle
        set(.photoLive, older.mediaSubtypes.contains(.photoLive), in: &record)
    }

    /// Reverts an asset's record to the values of the asset's original.
    ///
    /// - Parameters:
    ///   - record: The edited asset.
    ///   - original: Its original.
    ///   - facts: The facts found in the original; nil to use only the rows.
    ///   - hasPairedVideo: Whether the original is a Live Photo.
    ///   - time: The time of the revert.
    static func revert(
        _ record: inout AssetRecord,
        to original: ResourceRecord,
        _ facts: OriginalFacts?,
        hasPairedVideo: Bool,
        at time: Date
    ) {
        record.hasAdjustments = false
        record.adjustmentFormatIdentifier = nil
        // The time of the revert (behavior 37).
        record.adjustmentTimestamp = time
        record.pixelSize = original.pixelSize
        if record.mediaType == .video, let facts, facts.duration > 0 {
            record.duration = facts.duration
            record.frameRate = facts.frameRate
        }
        if let facts { set(.photoAnimation, facts.isAnimated, in: &record) }
        if hasPairedVideo {
            if !record.mediaSubtypes.contains(.photoLive) { record.playbackStyle = .livePhoto }
            record.mediaSubtypes.insert(.photoLive)
        } else if record.mediaType == .image {
            record.playbackStyle =
                record.mediaSubtypes.contains(.photoAnimation) ? .imageAnimated : .image
        }
    }

    /// Returns the name of an edit's file: the original's base name with the edit file's extension,
    /// converted to uppercase if the original's extension is uppercase or missing (pains 4).
    static func name(_ pathExtension: String, of asset: AssetRecord) -> String {
        let name = asset.originalFilename as NSString
        let isUpperCase =
            name.pathExtension.isEmpty || name.pathExtension == name.pathExtension.uppercased()
        return name.deletingPathExtension + "."
            + (isUpperCase ? pathExtension.uppercased() : pathExtension)
    }

    private static func set(
        _ subtype: MediaSubtypes,
        _ isSet: Bool,
        in record: inout AssetRecord
    ) {
        if isSet {
            record.mediaSubtypes.insert(subtype)
        } else {
            record.mediaSubtypes.remove(subtype)
        }
    }
}
