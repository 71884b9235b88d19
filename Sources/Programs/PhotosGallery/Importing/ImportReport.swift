internal import Foundation
internal import PhotosJSON
internal import PhotosManagement

/// The outcomes of an import's files, which the page shows and users can download.
///
/// 1. Each file of the import has one outcome, so the counts add up to the number of files, also if
///    not all files are listed.
/// 2. A session that may not see hidden photos receives only the outcome of a hidden photo's file.
struct ImportReport: Sendable {
    /// The totals of an import, which depend on the kind of source.
    enum Totals: Sendable {
        /// The totals of an import of files; nil until the import has ended.
        case files(ImportSummary?)
        /// The totals of an import of another program's library or of a library export.
        case library(MigrationSummary)
        /// An import without totals, because the library to import could not be read.
        case unreadableLibrary
    }

    /// The maximum number of items that are listed; further ones are only counted.
    static let listedLimit = 100_000
    /// The maximum number of items in one response.
    static let pageLimit = 500

    private(set) var items: [ReportItem] = []
    /// The number of files by outcome, listed or not.
    private(set) var counts: [String: Int] = [:]
    /// The remarks that concern a source as a whole.
    var notes: [ReportNote] = []
    /// The imported folders, files and libraries.
    var sources: [ReportLines.Source] = []
    /// The facts about the imported library that are known before anything is copied.
    var start: MigrationStart?
    var totals = Totals.files(nil)

    /// The number of files that have an outcome.
    var total: Int { counts.values.reduce(0, +) }

    /// The UUIDs of all assets in the report.
    var assets: Set<String> { Set(items.compactMap(\.asset)) }

    mutating func add(_ item: ReportItem) {
        counts[item.outcome, default: 0] += 1
        if items.count < Self.listedLimit { items.append(item) }
    }

    // MARK: - Answers

    /// Returns a part of the list of files as JSON.
    ///
    /// - Parameters:
    ///   - outcome: Lists only files with this outcome; nil for all.
    ///   - offset: The number of listed files to skip.
    ///   - count: The maximum number of files.
    ///   - hidden: Returns the UUIDs, among the given ones, of assets of which only the outcome is
    ///     reported; nil if the session may see all.
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
        object.add("notes", notes.map(\.object))
        return object
    }

    /// Returns the whole report as JSON Lines: the sources, the files and the totals.
    ///
    /// The lines have the format of `photos import --report`.
    ///
    /// - Parameters:
    ///   - isDryRun: Whether the import changes nothing.
    ///   - hidden: The UUIDs of assets whose outcome alone is told; nil if the session may see all.
    ///   - showsSources: Whether the session may know the paths of the sources.
    /// - Returns: The lines.
    func lines(isDryRun: Bool, without hidden: Set<String>?, showsSources: Bool) -> String {
        var sources = sources
        if !showsSources { for index in sources.indices { sources[index].path = nil } }
        var lines = [ReportLines.header(sources, isDryRun: isDryRun, start: start)]
        for item in items {
            lines.append(item.isWithheld(hidden) ? item.redactedObject : item.object)
        }
        lines.append(totalsLine)
        return lines.map { $0.line + "\n" }.joined()
    }

    private var totalsLine: JSONObject {
        let unlisted = total - items.count
        switch totals {
        case .library(let summary): return ReportLines.totals(summary, unlisted: unlisted)
        case .unreadableLibrary: return ReportLines.totalsOfUnreadableLibrary()
        case .files(let summary):
            // Uploads that did not arrive have outcomes besides those of the import.
            var whole = summary ?? ImportSummary()
            if let summary, summary.addsUp { whole.foundFiles = total }
            whole.counts = [:]
            for kind in FileOutcome.Kind.allCases { whole.counts[kind] = counts[kind.rawValue] }
            return ReportLines.totals(whole, notes: notes, unlisted: unlisted)
        }
    }

    private var countsObject: JSONObject { Self.object(counts) }

    /// Returns the numbers of files by outcome as a JSON object.
    static func object(_ counts: [String: Int]) -> JSONObject {
        var object = JSONObject()
        for (kind, count) in counts.sorted(by: { $0.key < $1.key }) { object.add(kind, count) }
        return object
    }

    private static func json(_ item: ReportItem, without hidden: Set<String>?) -> JSONObject {
        let isHidden = item.isWithheld(hidden)
        var object = JSONObject()
        object.add("path", isHidden ? nil : item.path)
        object.add("outcome", item.outcome)
        object.add("id", isHidden ? nil : item.asset)
        object.add("reason", isHidden ? nil : item.reason)
        object.add("item", isHidden ? nil : item.source?.item)
        var volume: JSONObject?
        if !isHidden, let name = item.source?.volume {
            var place = JSONObject()
            place.add("name", name)
            place.add("path", item.source?.volumePath)
            volume = place
        }
        object.add("volume", volume)
        object.add("notes", isHidden ? [] : item.notes.map(\.object))
        object.add("isHidden", isHidden)
        return object
    }
}

extension ReportItem {
    /// The UUID of the item's asset; nil for an album.
    ///
    /// An album is not hidden together with its photos.
    var asset: String? { HiddenAssets.uuid(of: localIdentifier) }

    /// Indicates whether the item is a file in an archive; the item's path is then the archive's
    /// path.
    var isInArchive: Bool {
        guard source != nil, let path = path?.lowercased() else { return false }
        return [".zip", ".tgz", ".tar.gz"].contains(where: path.hasSuffix)
    }

    /// The name of the item in lists of files.
    var name: String {
        let place = source?.volume.flatMap { volume in
            source?.volumePath.map { "\(volume): \($0)" }
        }
        return (isInArchive ? source?.item : path ?? place ?? source?.item) ?? ""
    }

    /// Indicates whether only the outcome of the item may be reported.
    ///
    /// `hidden` contains the UUIDs of hidden assets; it is nil if the session may see all.
    func isWithheld(_ hidden: Set<String>?) -> Bool {
        hidden.map { asset.map($0.contains) ?? isHidden } ?? false
    }
}
