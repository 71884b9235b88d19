internal import Foundation
internal import Photos
internal import PhotosJSON
internal import PhotosManagement
internal import Synchronization

/// The latest days on which assets were imported.
///
/// Finding the days sorts the whole library, so the result is cached until a change that can affect
/// it. Setting a favorite, for example, does not.
final class ImportDays: Sendable {
    /// The maximum number of days.
    private static let limit = 20
    /// The number of transactions above which the days are recomputed without reading the history.
    private static let historyLimit = 64
    /// The asset properties whose update can affect the days.
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
            if try !changed(since: known.version, to: version) {
                self.known.withLock { $0 = (version, known.json) }
                return known.json
            }
        }
        let json = try find()
        known.withLock { $0 = (version, json) }
        return json
    }

    /// Returns whether the library changed in a way that can affect the days.
    private func changed(since version: Int64, to present: Int64) throws -> Bool {
        guard present > version, present - version < Self.historyLimit else { return true }
        let entries: [HistoryEntry]
        do {
            entries = try library.history(
                since: library.historyToken(at: version),
                limit: Self.historyLimit
            )
        } catch {
            // The history no longer reaches back to the version, so anything may have changed.
            return true
        }
        guard entries.last?.version ?? version >= present else { return true }
        return entries.lazy.flatMap(\.changes).contains { change in
            guard change.object == .asset else { return false }
            return change.kind != .updated
                || !Self.properties.isDisjoint(with: change.properties)
        }
    }

    /// Finds the days by galloping search through the assets in descending order of import.
    private func find() throws -> String {
        let options = PHFetchOptions()
        options.sortDescriptors = [NSSortDescriptor(key: "addedDate", ascending: false)]
        let added = try library.fetchAssets(with: options)
        var imports: [String] = []
        var start = 0
        while start < added.count, imports.count < Self.limit {
            guard let date = added.object(at: start).addedDate,
                let bounds = LocalDay.bounds(LocalDay.text(date))
            else { break }
            let end = Self.end(of: bounds.0, in: added, from: start)
            let day = LocalDay.text(date)
            var object = JSONObject()
            object.add("id", day)
            object.add("date", date)
            object.add("title", day)
            object.add("count", end - start)
            imports.append(object.line)
            start = end
        }
        return "[" + imports.joined(separator: ",") + "]"
    }

    /// Returns the first index after `start` of an asset that was added before a time.
    private static func end(
        of time: Date,
        in added: PHFetchResult<PHAsset>,
        from start: Int
    ) -> Int {
        func isBefore(_ index: Int) -> Bool {
            (added.object(at: index).addedDate ?? .distantPast) < time
        }
        var step = 1
        var low = start
        while low + step < added.count, !isBefore(low + step) {
            low += step
            step *= 2
        }
        var high = min(low + step, added.count)
        while low + 1 < high {
            let middle = (low + high) / 2
            if isBefore(middle) { high = middle } else { low = middle }
        }
        return low + 1
    }
}
