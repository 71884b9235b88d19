import Photos
import PhotosManagement
import PhotosJSON

/// Writes what happened in a library: a line per object.
struct HistoryLines {
    let output: OutputOptions
    let library: PhotoLibraryBundle

    /// Writes transactions; their lines are out when this returns.
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
    /// One object's change in a transaction.
    ///
    /// Only the last line of a transaction has its token: after any other line, the token stands for
    /// what was before, so that nothing of the transaction can be skipped.
    init(_ entry: HistoryEntry, _ change: HistoryEntry.Change, isLast: Bool) {
        self.init()
        add(entry)
        add(change)
        add("token", (isLast ? entry.token : entry.previousToken).description)
    }

    /// One object's change.
    init(change: HistoryEntry.Change) {
        self.init()
        add(change)
    }

    /// When and by whom.
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
    /// As in `PHObjectType`.
    var name: String {
        switch self {
        case .asset: "asset"
        case .album: "assetCollection"
        case .folder: "collectionList"
        }
    }
}
