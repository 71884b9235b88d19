internal import Foundation

/// The changes that a transaction makes to albums, collected until the end of the transaction.
///
/// They are then written with one journal entry per album.
struct PendingAlbumChanges {
    /// The properties of an asset that affect its albums' totals.
    struct Seen: Equatable {
        /// Indicates whether the asset is counted in the totals.
        var isVisible: Bool
        var date: Date?
    }

    /// The pending changes of one album.
    struct Album {
        /// The position of each changed asset before the transaction and now.
        ///
        /// `old` is nil if the asset was not a member, `new` if it is no longer one.
        private(set) var places: [Int64: (old: Int64?, new: Int64?)] = [:]
        /// The values of the column `albumAsset.orderKey` that removed members had, by the asset's
        /// row id.
        var keys: [Int64: Data] = [:]
        /// The change in the number of the album's visible assets.
        private(set) var count = 0
        private(set) var earliestAdded: Date?
        private(set) var latestAdded: Date?
        private(set) var earliestRemoved: Date?
        private(set) var latestRemoved: Date?

        /// Records a change of an asset's position.
        mutating func place(_ asset: Int64, from old: Int64?, to new: Int64?) {
            let first = places[asset].map(\.old) ?? old
            places[asset] = first == new ? nil : (first, new)
        }

        /// Returns whether the transaction removed an asset from the album.
        func isRemoved(_ asset: Int64) -> Bool {
            guard let place = places[asset] else { return false }
            return place.old != nil && place.new == nil
        }

        /// Adds an asset to the totals if it is visible.
        mutating func add(_ asset: Seen) {
            guard asset.isVisible else { return }
            count += 1
            guard let date = asset.date else { return }
            earliestAdded = min(earliestAdded ?? date, date)
            latestAdded = max(latestAdded ?? date, date)
        }

        /// Removes an asset from the totals if it was visible.
        mutating func remove(_ asset: Seen) {
            guard asset.isVisible else { return }
            count -= 1
            guard let date = asset.date else { return }
            earliestRemoved = min(earliestRemoved ?? date, date)
            latestRemoved = max(latestRemoved ?? date, date)
        }

        /// The inserted, removed and moved members, each sorted by position.
        var members: MembersChange {
            var change = MembersChange()
            for (asset, place) in places {
                switch (place.old, place.new) {
                case (let old?, let new?):
                    change.moved.append(.init(asset: asset, old: old, new: new))
                case (nil, let new?): change.inserted.append(.init(asset: asset, position: new))
                case (let old?, nil): change.removed.append(.init(asset: asset, position: old))
                case (nil, nil): break
                }
            }
            change.inserted.sort { ($0.position, $0.asset) < ($1.position, $1.asset) }
            change.removed.sort { ($0.position, $0.asset) < ($1.position, $1.asset) }
            change.moved.sort { ($0.new, $0.asset) < ($1.new, $1.asset) }
            return change
        }

        /// Returns the album's new date range; nil if it must be recomputed from the members.
        ///
        /// That is necessary if a removed date may have been the start or the end of the range.
        func span(from start: Date?, to end: Date?) -> (start: Date?, end: Date?)? {
            let start = [start, earliestAdded].compactMap(\.self).min()
            let end = [end, latestAdded].compactMap(\.self).max()
            if let earliestRemoved, start.map({ earliestRemoved <= $0 }) ?? true { return nil }
            if let latestRemoved, end.map({ latestRemoved >= $0 }) ?? true { return nil }
            return (start, end)
        }
    }

    private(set) var albums: [Int64: Album] = [:]

    /// Modifies the pending changes of an album.
    mutating func record(_ album: Int64, _ body: (inout Album) -> Void) {
        body(&albums[album, default: Album()])
    }

    /// Removes and returns the pending changes of an album; nil if there are none.
    mutating func take(_ album: Int64) -> Album? { albums.removeValue(forKey: album) }
}
