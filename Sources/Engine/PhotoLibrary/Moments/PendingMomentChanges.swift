internal import Foundation
internal import PhotoModel

/// The changes of assets relevant to moments, collected until the end of a transaction.
struct PendingMomentChanges {
    /// The properties of an asset that moments use; only visible assets with a date have them.
    struct Seen: Equatable {
        var wallTime: String?
        var date: Double
        var latitude: Double?
        var longitude: Double?

        /// Creates the properties of an asset; nil for an asset that is in no moment.
        init?(_ asset: AssetRecord) {
            guard asset.isVisible, let date = asset.creationDate else { return nil }
            wallTime = asset.captureTime?.wallTime
            self.date = date.timeIntervalSinceReferenceDate
            latitude = asset.location?.latitude
            longitude = asset.location?.longitude
        }
    }

    /// The first and the current state of each changed asset; nil if the asset was or is in no
    /// moment.
    private(set) var assets: [Int64: (old: Seen?, new: Seen?)] = [:]

    /// Records a change of an asset.
    mutating func record(_ asset: Int64, from old: Seen?, to new: Seen?) {
        guard old != new else { return }
        let first = assets[asset].map(\.old) ?? old
        assets[asset] = first == new ? nil : (first, new)
    }
}
