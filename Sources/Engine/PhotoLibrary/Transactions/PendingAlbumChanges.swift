internal import Foundation

/// What a transaction did to albums, until it is settled: at its end, in one entry for each album.
struct PendingAlbumChanges {
    /// An asset as the totals of its albums see it.
    struct Seen: Equatable {
        /// Whether it counts.
        var isVisible: Bool
        var date: Date?
    }

    /// What is pending for one album.
    struct Album {
        /// By asset, where it stood at first and where it stands; nil: it was, or is, no member.
        private(set) var places: [Int64: (old: Int64?, new: Int64?)] = [:]
        /// What is to be added to the count.
        private(set) var count = 0
        private(set) var earliestAdded: Date?
        private(set) var latestAdded: Date?
        private(set) var earliestRemoved: Date?
        private(set) var latestRemoved: Date?

        /// Notes that an asset stands elsewhere.
        mutating func place(_ asset: Int64, from old: Int64?, to new: Int64?) {
            let first = places[asset].map(\.old) ?? old
            places[asset] = first == new ? nil : (first, new)
        }

        /// Notes that an asset counts from now on.
        mutating func add(_ asset: Seen) {
            guard asset.isVisible else { return }
            count += 1
            guard let date = asset.date else { return }
            earliestAdded = min(earliestAdded ?? date, date)
            latestAdded = max(latestAdded ?? date, date)
        }

        /// Notes that an asset counts no longer.
        mutating func remove(_ asset: Seen) {
            guard asset.isVisible else { return }
            count -= 1
            guard let date = asset.date else { return }
            earliestRemoved = min(earliestRemoved ?? date, date)
            latestRemoved = max(latestRemoved ?? date, date)
        }

        /// The change of the members, each kind in the order of positions.
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

        /// The dates' new span; nil when one that went may have been an end, so that only the members
        /// can tell.
        func span(from start: Date?, to end: Date?) -> (start: Date?, end: Date?)? {
            let start = [start, earliestAdded].compactMap(\.self).min()
            let end = [end, latestAdded].compactMap(\.self).max()
            if let earliestRemoved, start.map({ earliestRemoved <= $0 }) ?? true { return nil }
            if let latestRemoved, end.map({ latestRemoved >= $0 }) ?? true { return nil }
            return (start, end)
        }
    }

    private(set) var albums: [Int64: Album] = [:]

    /// Changes what is pending for an album.
    mutating func record(_ album: Int64, _ body: (inout Album) -> Void) {
        body(&albums[album, default: Album()])
    }

    /// Takes out what is pending for an album; nil for nothing.
    mutating func take(_ album: Int64) -> Album? { albums.removeValue(forKey: album) }
}
