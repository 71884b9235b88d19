internal import Foundation
internal import PhotosJSON
internal import PhotosManagement

/// The outcomes of an import's files, for the page and for downloading.
///
/// 1. Each file of the import has one outcome, so the counts add up to the number of files, also if
///    not all files are listed.
/// 2. Of a hidden photo's file, a session that may not see hidden photos gets only the outcome.
struct ImportReport: Sendable {
    /// A file with an outcome, or an item of another library without a file.
    struct Item: Sendable {
        var path: String?
        /// The item of another library or export.
        var source: String?
        var outcome: String
        var reason: String?
        /// The UUID of the asset.
        var asset: String?
        var notes: [Note] = []
        /// Indicates whether it is hidden at its source; counts only without an asset.
        var isHidden = false

        /// Indicates whether it is a file in an archive, whose path is the archive's.
        var isInArchive: Bool {
            guard source != nil, let path = path?.lowercased() else { return false }
            return [".zip", ".tgz", ".tar.gz"].contains(where: path.hasSuffix)
        }
    }

    /// A remark.
    struct Note: Sendable {
        var code: String
        var isError: Bool
        var text: String

        var json: JSONObject {
            var object = JSONObject()
            object.add("code", code)
            object.add("level", isError ? "error" : "note")
            object.add("text", text)
            return object
        }
    }

    /// The maximum number of items that are listed; further ones are only counted.
    static let listedLimit = 100_000
    /// The maximum number of items in one answer.
    static let pageLimit = 500

    private(set) var items: [Item] = []
    /// The number of files by outcome, listed or not.
    private(set) var counts: [String: Int] = [:]
    /// Remarks about a source as a whole.
    var notes: [Note] = []

    /// The number of files that have an outcome.
    var total: Int { counts.values.reduce(0, +) }

    /// The UUIDs of all assets in the report.
    var assets: Set<String> { Set(items.compactMap(\.asset)) }

    mutating func add(_ item: Item) {
        counts[item.outcome, default: 0] += 1
        if items.count < Self.listedLimit { items.append(item) }
    }

    // MARK: - Answers

    /// Returns a part of the list.
    ///
    /// - Parameters:
    ///   - outcome: Lists only files with this outcome; nil for all.
    ///   - offset: The number of listed files to skip.
    ///   - count: The maximum number of files.
    ///   - hidden: Returns which of some assets, by their UUIDs, only have their outcome told; nil
    ///     if the session may see all.
    /// - Returns: The part of the list and the totals of the whole report.
    func json(
        outcome: String?,
        from offset: Int,
        count: Int,
        hidden: ((Set<String>) -> Set<String>)?
    ) -> JSONObject {
        let matching = outcome.map { wanted in items.filter { $0.outcome == wanted } } ?? items
        let page = matching.dropFirst(max(0, offset)).prefix(min(max(0, count), Self.pageLimit))
        let left = hidden?(Set(page.compactMap(\.asset)))
        var object = JSONObject()
        object.add("counts", countsObject)
        object.add("total", total)
        object.add("unlisted", total - items.count)
        object.add("matching", matching.count)
        object.add("items", page.map { Self.json($0, without: left) })
        object.add("notes", notes.map(\.json))
        return object
    }

    /// Returns the whole report as JSON Lines: the files, then the totals.
    ///
    /// `hidden` has the UUIDs of assets whose outcome alone is told; nil if the session may see
    /// all.
    func lines(without hidden: Set<String>?) -> String {
        var text = ""
        for item in items { text += Self.json(item, without: hidden).line + "\n" }
        var totals = JSONObject()
        totals.add("counts", countsObject)
        totals.add("total", total)
        totals.add("unlisted", total - items.count)
        totals.add("notes", notes.map(\.json))
        var last = JSONObject()
        last.add("totals", totals)
        return text + last.line + "\n"
    }

    private var countsObject: JSONObject { Self.object(counts) }

    /// Returns numbers by outcome as an object.
    static func object(_ counts: [String: Int]) -> JSONObject {
        var object = JSONObject()
        for (kind, count) in counts.sorted(by: { $0.key < $1.key }) { object.add(kind, count) }
        return object
    }

    private static func json(_ item: Item, without hidden: Set<String>?) -> JSONObject {
        let isHidden = hidden.map { item.asset.map($0.contains) ?? item.isHidden } ?? false
        var object = JSONObject()
        object.add("path", isHidden ? nil : item.path)
        object.add("outcome", item.outcome)
        object.add("id", isHidden ? nil : item.asset)
        object.add("reason", isHidden ? nil : item.reason)
        object.add("item", isHidden ? nil : item.source)
        object.add("notes", isHidden ? [] : item.notes.map(\.json))
        object.add("isHidden", isHidden)
        return object
    }
}
