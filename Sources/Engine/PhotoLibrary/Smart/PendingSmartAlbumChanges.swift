internal import Foundation
internal import PhotoModel

/// What a transaction did to assets as smart albums see them, until it is settled: at its end.
struct PendingSmartAlbumChanges {
    /// An asset as smart albums see it.
    struct Seen: Equatable {
        var facet: AssetFacet
        var creationDate: Date?
        var addedDate: Date

        init(_ asset: AssetRecord, hasRAW: Bool) {
            facet = AssetFacet(asset, hasRAW: hasRAW)
            creationDate = asset.creationDate
            addedDate = asset.addedDate
        }

        func isShown(in album: SmartAlbum, firstRecentDay: Int64) -> Bool {
            guard album.shows(facet) else { return false }
            let day = addedDate.timeIntervalSinceReferenceDate / SmartAlbum.secondsInDay
            return album != .recentlyAdded || day >= Double(firstRecentDay)
        }
    }

    /// By asset, what it was at first and what it is; nil: it was, or is, not there.
    private var assets: [Int64: (old: Seen?, new: Seen?)] = [:]

    /// Notes that an asset is something else.
    mutating func record(_ asset: Int64, from old: Seen?, to new: Seen?) {
        guard old != new else { return }
        let first = assets[asset].map(\.old) ?? old
        assets[asset] = first == new ? nil : (first, new)
    }

    /// The albums that show other assets now, or an asset that has another date: of those that the
    /// album's own dates and order go by.
    func changedAlbums(firstRecentDay: Int64) -> Set<SmartAlbum> {
        var changed: Set<SmartAlbum> = []
        for (old, new) in assets.values {
            for album in SmartAlbum.allCases where !changed.contains(album) {
                let shown = old?.isShown(in: album, firstRecentDay: firstRecentDay) ?? false
                let shows = new?.isShown(in: album, firstRecentDay: firstRecentDay) ?? false
                let isDateNew =
                    old?.creationDate != new?.creationDate
                    || (album == .recentlyAdded && old?.addedDate != new?.addedDate)
                if shown != shows || (shows && isDateNew) { changed.insert(album) }
            }
        }
        return changed
    }
}
