internal import Foundation
internal import Photos
internal import PhotosManagement

/// The query of a list: which assets it shows, and in which order.
struct ListQuery: Hashable, Sendable {
    /// The set of assets from which a list is fetched.
    enum Source: Hashable, Sendable {
        case library, favorites, recents, hidden, deleted, duplicates
        /// An album, a smart album or a moment, by its UUID.
        case album(String)
        /// The assets that were imported on a day in this machine's time zone.
        case importDay(String)
        /// The frames of a burst.
        case burst(String)
    }

    /// The sort order.
    enum SortOrder: String, Sendable {
        case newest, oldest, manual
    }

    let source: Source
    let predicate: String?
    let order: SortOrder

    /// `true` if the list contains only hidden assets.
    ///
    /// It is unavailable while hidden photos are locked.
    var isOfHidden: Bool { source == .hidden }

    /// `true` if the list is sorted by capture date and therefore has day headings.
    var isDated: Bool {
        switch source {
        case .library, .favorites, .hidden: order != .manual
        case .album: order != .manual
        case .recents, .deleted, .duplicates, .importDay, .burst: false
        }
    }

    /// The list that the page shows first: the whole library, the newest photo first.
    static let first = ListQuery()

    private init() {
        (source, predicate, order) = (.library, nil, .newest)
    }

    /// Parses the parameters of a request.
    init(source: String, predicate: String?, order: String?) throws {
        let parts = source.split(separator: "/", maxSplits: 1).map(String.init)
        let standard: SortOrder
        switch (parts.first, parts.count) {
        case ("library", 1): (self.source, standard) = (.library, .newest)
        case ("favorites", 1): (self.source, standard) = (.favorites, .newest)
        case ("recents", 1): (self.source, standard) = (.recents, .newest)
        case ("hidden", 1): (self.source, standard) = (.hidden, .newest)
        case ("deleted", 1): (self.source, standard) = (.deleted, .manual)
        case ("duplicates", 1): (self.source, standard) = (.duplicates, .manual)
        case ("album", 2): (self.source, standard) = (.album(parts[1].uppercased()), .manual)
        case ("import", 2): (self.source, standard) = (.importDay(parts[1]), .newest)
        case ("burst", 2): (self.source, standard) = (.burst(parts[1]), .oldest)
        default: throw RequestError.badRequest("Unknown source: \(source).")
        }
        if let order {
            guard let order = SortOrder(rawValue: order) else {
                throw RequestError.badRequest("order must be newest, oldest or manual.")
            }
            // Groups of duplicates stay together.
            self.order = self.source == .duplicates ? .manual : order
        } else {
            self.order = standard
        }
        self.predicate = predicate.flatMap { $0.isEmpty ? nil : $0 }
    }

    // MARK: - Fetching

    /// Fetches the assets of the list.
    ///
    /// A list of duplicates contains one group after the other, without groups of which fewer than
    /// two photos match the predicate.
    ///
    /// - Throws: When the predicate is not supported or the library cannot be read.
    func fetch(in library: PhotoLibraryBundle, duplicates: [[String]]) throws
        -> PHFetchResult<PHAsset>
    {
        let own = predicate.map { NSPredicate(format: $0) }
        switch source {
        case .library: return try library.fetchAssets(with: options(own))
        case .favorites:
            return try library.fetchAssets(
                with: options(own, NSPredicate(format: "isFavorite = YES"))
            )
        case .hidden:
            let options = options(own, NSPredicate(format: "isHidden = YES"))
            options.includeHiddenAssets = true
            return try library.fetchAssets(with: options)
        case .deleted:
            return try library.recentlyDeletedAssets(with: options(own))
        case .importDay(let day): return try library.fetchAssets(with: importOptions(day, own))
        case .recents:
            return try album(.smartAlbumRecentlyAdded, library).map {
                try library.fetchAssets(in: $0, with: options(own, key: "addedDate"))
            } ?? PHFetchResult()
        case .album(let uuid):
            let album = try Self.album(uuid, in: library)
            return try library.fetchAssets(in: album, with: options(own))
        case .burst(let identifier):
            let options = options(own, NSPredicate(format: "burstIdentifier = %@", identifier))
            options.includeAllBurstAssets = true
            options.includeHiddenAssets = true
            return try library.fetchAssets(with: options)
        case .duplicates:
            return library.using {
                let found = PHAsset.fetchAssets(
                    withLocalIdentifiers: duplicates.flatMap(\.self),
                    options: options(own)
                )
                var byName: [String: PHAsset] = [:]
                for asset in found.all { byName[asset.localIdentifier] = asset }
                let groups = duplicates.map { group in group.compactMap { byName[$0] } }
                let album = PHAssetCollection.transientAssetCollection(
                    with: groups.filter { $0.count > 1 }.flatMap(\.self),
                    title: nil
                )
                return PHAsset.fetchAssets(in: album, options: options(own))
            }
        }
    }

    /// Returns the album, smart album or moment with a UUID.
    static func album(_ uuid: String, in library: PhotoLibraryBundle) throws -> PHAssetCollection {
        let found = library.using {
            ["/L0/040", "/L0/060"].lazy.compactMap { suffix in
                PHAssetCollection.fetchAssetCollections(
                    withLocalIdentifiers: [uuid.uppercased() + suffix],
                    options: nil
                ).firstObject
            }.first
        }
        guard let found else { throw RequestError.notFound("There is no album \(uuid).") }
        return found
    }

    private func album(
        _ subtype: PHAssetCollectionSubtype,
        _ library: PhotoLibraryBundle
    ) throws -> PHAssetCollection? {
        library.using {
            PHAssetCollection.fetchAssetCollections(
                with: .smartAlbum,
                subtype: subtype,
                options: nil
            ).firstObject
        }
    }

    private func options(
        _ predicates: NSPredicate?...,
        key: String = "creationDate"
    ) -> PHFetchOptions {
        let options = PHFetchOptions()
        let given = predicates.compactMap(\.self)
        if given.count == 1 {
            options.predicate = given[0]
        } else if given.count > 1 {
            options.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: given)
        }
        if order != .manual {
            options.sortDescriptors = [NSSortDescriptor(key: key, ascending: order == .oldest)]
        }
        return options
    }

    private func importOptions(_ day: String, _ own: NSPredicate?) throws -> PHFetchOptions {
        guard let (start, end) = LocalDay.bounds(day) else {
            throw RequestError.badRequest("An import is identified by its day: import/2026-11-21.")
        }
        let range = NSPredicate(
            format: "addedDate >= %@ AND addedDate < %@",
            start as NSDate,
            end as NSDate
        )
        return options(own, range, key: "addedDate")
    }
}

/// Calendar days in this machine's time zone.
enum LocalDay {
    /// Formats a date as `YYYY-MM-DD`.
    static func text(_ date: Date, calendar: Calendar = .gregorian) -> String {
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        let month = (parts.month ?? 1) + 100
        let day = (parts.day ?? 1) + 100
        let year = String((parts.year ?? 1) + 10_000).suffix(4)
        return "\(year)-\(String(month).suffix(2))-\(String(day).suffix(2))"
    }

    /// Returns the start of a day and of the following day; nil if the text is not a valid day.
    static func bounds(_ text: String, calendar: Calendar = .gregorian) -> (Date, Date)? {
        let numbers = text.split(separator: "-").map { Int($0) }
        guard numbers.count == 3, let year = numbers[0], let month = numbers[1],
            let day = numbers[2], (1...9_999).contains(year)
        else { return nil }
        let parts = DateComponents(year: year, month: month, day: day)
        guard let start = calendar.date(from: parts), self.text(start, calendar: calendar) == text,
            let end = calendar.date(byAdding: .day, value: 1, to: start)
        else { return nil }
        return (start, end)
    }
}

extension Calendar {
    /// The Gregorian calendar in this machine's time zone.
    static var gregorian: Calendar { Calendar(identifier: .gregorian) }
}

extension PHFetchResult where ObjectType: PHObject {
    /// All objects of the fetch result.
    var all: [ObjectType] { objects(at: IndexSet(0..<count)) }
}
