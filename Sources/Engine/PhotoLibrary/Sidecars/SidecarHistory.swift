internal import Foundation
internal import PhotoModel

/// The metadata of an asset's original and of the sidecars imported for the asset.
struct SidecarHistory: Sendable {
    /// A sidecar of the asset.
    private struct Entry {
        var name: [UInt8]
        var rank: Int
        var statement: SidecarStatement
    }

    private let file: SidecarStatement
    /// The sidecars in the order of their import.
    private var entries: [Entry] = []

    init(file: SidecarStatement) { self.file = file }

    /// Adds a sidecar that was imported after all sidecars added so far.
    ///
    /// - Parameters:
    ///   - name: Its file name; of several sidecars with one name only the newest counts.
    ///   - rank: The precision of the name's match with the asset's name; 0 is the most precise.
    ///   - statement: Its metadata.
    mutating func add(name: [UInt8], rank: Int, _ statement: SidecarStatement) {
        let entry = Entry(name: SourceName.lowercased(name[...]), rank: rank, statement: statement)
        guard let former = entries.firstIndex(where: { $0.name == entry.name }) else {
            return entries.append(entry)
        }
        let written = entries[former].statement.metadataDate
        if let written, let date = statement.metadataDate, written > date { return }
        entries[former] = entry
    }

    /// Returns the history of the asset after another file became its original.
    ///
    /// - Parameters:
    ///   - file: The metadata of the new original.
    ///   - rank: Returns the precision with which a sidecar's name matches the asset's files; nil
    ///     for a name that matches none of them.
    /// - Returns: The history, with the same sidecars.
    func ledBy(_ file: SidecarStatement, rank: (SourceName) -> Int?) -> SidecarHistory {
        var history = SidecarHistory(file: file)
        for entry in entries {
            guard let rank = rank(SourceName(path: entry.name)) else { continue }
            history.add(name: entry.name, rank: rank, entry.statement)
        }
        return history
    }

    /// The values of the asset's fields that result from the original and the sidecars.
    var values: SidecarPolicy.Values {
        let ordered = entries.enumerated().sorted { first, second in
            (first.element.rank, first.offset) < (second.element.rank, second.offset)
        }
        return SidecarPolicy.values(file: file, sidecars: ordered.map(\.element.statement))
    }
}
