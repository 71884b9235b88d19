internal import Foundation
internal import PhotoModel

/// What a transaction did to assets as moments see them, until it is settled: at its end.
struct PendingMomentChanges {
    /// An asset as moments see it: visible, and with a date.
    struct Seen: Equatable {
        var wallTime: String?
        var date: Double
        var latitude: Double?
        var longitude: Double?

        /// Nil for an asset that is in no moment.
        init?(_ asset: AssetRecord) {
            guard asset.isVisible, let date = asset.creationDate else { return nil }
            wallTime = asset.captureTime?.wallTime
            self.date = date.timeIntervalSinceReferenceDate
            latitude = asset.location?.latitude
            longitude = asset.location?.longitude
        }
    }

    /// By asset, what it was at first and what it is; nil: it was, or is, in no moment.
    private(set) var assets: [Int64: (old: Seen?, new: Seen?)] = [:]

    /// Notes that an asset is something else.
    mutating func record(_ asset: Int64, from old: Seen?, to new: Seen?) {
        guard old != new else { return }
        let first = assets[asset].map(\.old) ?? old
        assets[asset] = first == new ? nil : (first, new)
    }
}
