internal import Foundation
internal import PhotoModel

/// The changes of assets relevant to moments, collected until the end of a transaction.
struct PendingMomentChanges {
    /// The properties of an asset that moments use, which exist only for visible assets with a
    /// date.
    struct Seen: Equatable {
        var wallTime: String?
        var date: Double
        var latitude: Double?
        var longitude: Double?

        /// Creates the properties of an asset; nil if the asset belongs to no moment.
        init?(_ asset: AssetRecord) {
            guard asset.isVisible, let date = asset.creationDate else { return nil }
            wallTime = asset.captureTime?.wallTime
            self.date = date.timeIntervalSinceReferenceDate
            latitude = asset.location?.latitude
            longitude = asset.location?.longitude
        }
    }

    /// The first and current states of each changed asset; a state is nil if the asset is in no
    /// moment.
    private(set) var assets: [Int64: (old: Seen?, new: Seen?)] = [:]

    /// Makes room for the changes of more assets.
    mutating func reserve(_ count: Int) { assets.reserveCapacity(assets.count + count) }

    /// Records a change of an asset.
    mutating func record(_ asset: Int64, from old: Seen?, to new: Seen?) {
        guard old != new else { return }
        let first = assets[asset].map(\.old) ?? old
        assets[asset] = first == new ? nil : (first, new)
    }
}
