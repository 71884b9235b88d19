internal import Foundation
internal import PhotoModel

/// The changes of assets that may affect smart albums, collected until the end of a transaction.
struct PendingSmartAlbumChanges {
    /// The properties of an asset that smart albums use.
    struct Seen: Equatable {
        var facet: AssetFacet
        var creationDate: Date?
        var addedDate: Date

        init(_ asset: AssetRecord, hasRAW: Bool) {
            facet = AssetFacet(asset, hasRAW: hasRAW)
            creationDate = asset.creationDate
            addedDate = asset.addedDate
        }

        /// Creates the properties of an asset that is new, so that its creation date does not
        /// count.
        init(newAssetWith facet: AssetFacet, addedDate: Date) {
            self.facet = facet
            creationDate = nil
            self.addedDate = addedDate
        }

        func isShown(in album: SmartAlbum, firstRecentDay: Int64) -> Bool {
            guard album.shows(facet) else { return false }
            let day = addedDate.timeIntervalSinceReferenceDate / SmartAlbum.secondsInDay
            return album != .recentlyAdded || day >= Double(firstRecentDay)
        }
    }

    /// The state of each changed asset before the transaction and now.
    ///
    /// `old` is nil for a new asset, `new` for a deleted one.
    private var assets: [Int64: (old: Seen?, new: Seen?)] = [:]

    /// The latest date of addition of the new assets with each facet, for assets that are inserted
    /// in large groups.
    private var added: [AssetFacet: Date] = [:]

    /// Records a new asset of a large group.
    ///
    /// Later changes of the asset in the same transaction are recorded as those of any asset.
    mutating func add(_ facet: AssetFacet, addedDate: Date) {
        if let latest = added[facet], latest >= addedDate { return }
        added[facet] = addedDate
    }

    /// Records a change of an asset.
    mutating func record(_ asset: Int64, from old: Seen?, to new: Seen?) {
        guard old != new else { return }
        let first = assets[asset].map(\.old) ?? old
        assets[asset] = first == new ? nil : (first, new)
    }

    /// Returns the smart albums that gained or lost visible members, or in which a date of a
    /// visible member changed.
    ///
    /// A date counts if it determines the album's date range or the order of its members.
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
        for (facet, addedDate) in added {
            let new = Seen(newAssetWith: facet, addedDate: addedDate)
            for album in SmartAlbum.allCases where !changed.contains(album) {
                let shows = new.isShown(in: album, firstRecentDay: firstRecentDay)
                if shows { changed.insert(album) }
            }
        }
        return changed
    }
}
