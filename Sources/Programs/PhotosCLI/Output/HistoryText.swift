import Photos
import PhotosManagement

/// Formats the history as text.
enum HistoryText {
    /// Formats an object's change as a line with version, time, kind of change, object and author.
    ///
    /// The columns have fixed widths, since the history can be arbitrarily long.
    static func line(_ entry: HistoryEntry, _ change: HistoryEntry.Change, name: String?)
        -> String
    {
        let kind = Columns.pad(change.kind.rawValue, to: 8)
        var columns = [
            Columns.pad("\(entry.version)", to: 6, right: true), LocalTime.text(entry.date),
            style(change.kind)(kind), Columns.pad(change.object.rawValue, to: 6),
            TerminalStyle.dim(change.localIdentifier),
        ]
        if let name { columns.append(TerminalStyle.safe(name)) }
        if !change.properties.isEmpty {
            columns.append("(" + change.properties.joined(separator: ", ") + ")")
        }
        var author = "by " + TerminalStyle.safe(entry.author)
        if let version = entry.undoneVersion { author += ", undoing \(version)" }
        columns.append(TerminalStyle.dim(author))
        return columns.joined(separator: "  ")
    }

    private static func style(_ kind: HistoryEntry.Change.Kind) -> TerminalStyle {
        switch kind {
        case .inserted: .green
        case .updated: .yellow
        case .deleted: .red
        }
    }

    /// Returns the current names of objects, by identifier; deleted objects have no name.
    static func names(of entries: [HistoryEntry]) -> [String: String] {
        var identifiers: [HistoryEntry.Change.Object: Set<String>] = [:]
        for change in entries.flatMap(\.changes) {
            identifiers[change.object, default: []].insert(change.localIdentifier)
        }
        let options = PHFetchOptions()
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        var names: [String: String] = [:]
        if let assets = identifiers[.asset] {
            PHAsset.fetchAssets(withLocalIdentifiers: Array(assets), options: options)
                .enumerateObjects { asset, _, _ in
                    names[asset.localIdentifier] = asset.extendedMetadata.originalFilename
                }
        }
        if let albums = identifiers[.album] {
            PHAssetCollection.fetchAssetCollections(
                withLocalIdentifiers: Array(albums),
                options: nil
            ).enumerateObjects { album, _, _ in names[album.localIdentifier] = album.localizedTitle
            }
        }
        if let folders = identifiers[.folder] {
            PHCollectionList.fetchCollectionLists(
                withLocalIdentifiers: Array(folders),
                options: nil
            ).enumerateObjects { list, _, _ in names[list.localIdentifier] = list.localizedTitle }
        }
        return names
    }

    /// Summarizes changes, for example as `3 assets inserted, 1 album updated (members)`.
    static func summary(_ changes: [HistoryEntry.Change]) -> String {
        var parts: [String] = []
        for object in HistoryEntry.Change.Object.allCases {
            for kind in HistoryEntry.Change.Kind.allCases {
                let those = changes.filter { $0.object == object && $0.kind == kind }
                guard !those.isEmpty else { continue }
                let count = Set(those.map(\.localIdentifier)).count
                let properties = Set(those.flatMap(\.properties)).sorted()
                let detail = properties.isEmpty ? "" : " (\(properties.joined(separator: ", ")))"
                parts.append(
                    "\(Wording.count(count, object.rawValue)) \(kind.rawValue)\(detail)"
                )
            }
        }
        return parts.isEmpty ? "no visible changes" : parts.joined(separator: ", ")
    }
}
