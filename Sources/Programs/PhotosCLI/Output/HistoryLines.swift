import Photos
import PhotosManagement
import PhotosJSON

/// Writes the history of a library, one line per changed object.
struct HistoryLines {
    let output: OutputOptions
    let library: PhotoLibraryBundle

    /// Writes transactions and flushes standard output.
    func report(_ entries: [HistoryEntry]) throws {
        let names = output.json ? [:] : HistoryText.names(of: entries)
        for entry in entries {
            for (index, change) in entry.changes.enumerated() {
                let isLast = index == entry.changes.count - 1
                let line =
                    output.json
                    ? JSONObject(entry, change, isLast: isLast).line
                    : HistoryText.line(entry, change, name: names[change.localIdentifier])
                try StandardOutput.shared.write(line + "\n")
            }
        }
        try StandardOutput.shared.flush()
    }
}

extension JSONObject {
    /// Creates the JSON of one object's change in a transaction.
    ///
    /// Only the last line of a transaction has its token. The other lines have the token of the
    /// state before it, so that no part of the transaction can be skipped.
    init(_ entry: HistoryEntry, _ change: HistoryEntry.Change, isLast: Bool) {
        self.init()
        add(entry)
        add(change)
        add("token", (isLast ? entry.token : entry.previousToken).description)
    }

    /// Creates the JSON of one object's change.
    init(change: HistoryEntry.Change) {
        self.init()
        add(change)
    }

    /// Adds the version, the date and the author of a transaction.
    mutating func add(_ entry: HistoryEntry) {
        add("version", entry.version)
        add("date", entry.date)
        add("author", entry.author)
        add("undoneVersion", entry.undoneVersion)
    }

    private mutating func add(_ change: HistoryEntry.Change) {
        add("change", change.kind.rawValue)
        add("objectType", change.object.name)
        add("localIdentifier", change.localIdentifier)
        add("contentChanged", change.contentChanged)
        add("properties", change.properties)
    }
}

extension HistoryEntry.Change.Object {
    /// The name of the object's type, as in `PHObjectType`.
    var name: String {
        switch self {
        case .asset: "asset"
        case .album: "assetCollection"
        case .folder: "collectionList"
        }
    }
}
