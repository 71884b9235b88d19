internal import Foundation
internal import Photos
internal import PhotosJSON
internal import PhotosManagement
internal import Synchronization

/// Finds the latest days on which assets were imported.
///
/// Finding the days reads the identifiers of all assets that were added on these days, so the
/// result is cached until a change that can affect it. Setting a favorite, for example, does not.
final class ImportDays: Sendable {
    /// The maximum number of days.
    private static let limit = 20
    /// The asset properties whose changes can affect the result.
    private static let properties: Set<String> = [
        "isHidden", "trashedDate", "addedDate", "isVisible", "isBurstHidden", "burstSelectionTypes",
        "representsBurst", "burstIdentifier", "sourceType",
    ]

    private let library: PhotoLibraryBundle
    private let known = Mutex<(version: Int64, json: String)?>(nil)

    init(library: PhotoLibraryBundle) {
        self.library = library
    }

    /// Returns the days as a JSON array for the page.
    func json() throws -> String {
        let version = try library.version
        if let known = known.withLock(\.self) {
            if known.version == version { return known.json }
            let changes = RecentChanges(library: library)
            let isCurrent = try !changes.contain(since: known.version, to: version) { change in
                change.kind != .updated
                    || !Self.properties.isDisjoint(with: change.properties)
            }
            if isCurrent {
                self.known.withLock { $0 = (version, known.json) }
                return known.json
            }
        }
        let json = try find()
        known.withLock { $0 = (version, json) }
        return json
    }

    /// Finds the import days, using two queries per day.
    private func find() throws -> String {
        var imports: [String] = []
        var end = Date.distantFuture
        while imports.count < Self.limit, let latest = try added(before: end, limit: 1).firstObject,
            let date = latest.addedDate, let (start, _) = LocalDay.bounds(LocalDay.text(date))
        {
            let day = LocalDay.text(date)
            var object = JSONObject()
            object.add("id", day)
            object.add("date", date)
            object.add("title", day)
            object.add("count", try added(from: start, before: end).count)
            imports.append(object.line)
            end = start
        }
        return "[" + imports.joined(separator: ",") + "]"
    }

    /// Fetches assets that were added in a period, the latest first.
    private func added(
        from start: Date = .distantPast,
        before end: Date,
        limit: Int = 0
    ) throws -> PHFetchResult<PHAsset> {
        let options = PHFetchOptions()
        options.predicate = NSPredicate(
            format: "addedDate >= %@ AND addedDate < %@",
            start as NSDate,
            end as NSDate
        )
        options.sortDescriptors = [NSSortDescriptor(key: "addedDate", ascending: false)]
        options.fetchLimit = limit
        return try library.fetchAssets(with: options)
    }
}
