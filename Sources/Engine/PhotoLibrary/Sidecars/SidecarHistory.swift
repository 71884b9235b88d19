internal import Foundation
internal import PhotoModel

/// An asset's file and the sidecars that it had so far, with what they say.
struct SidecarHistory: Sendable {
    /// A sidecar of the asset.
    private struct Entry {
        var name: [UInt8]
        var rank: Int
        var statement: SidecarStatement
    }

    private let file: SidecarStatement
    /// In the order in which they came.
    private var entries: [Entry] = []

    init(file: SidecarStatement) { self.file = file }

    /// Adds a sidecar that came after the others.
    ///
    /// - Parameters:
    ///   - name: Its file name; of several under one name only the newest counts.
    ///   - rank: How exactly the name is the asset's, 0 the most exactly.
    ///   - statement: What it says.
    mutating func add(name: [UInt8], rank: Int, _ statement: SidecarStatement) {
        let entry = Entry(name: SourceName.lowercased(name[...]), rank: rank, statement: statement)
        guard let former = entries.firstIndex(where: { $0.name == entry.name }) else {
            return entries.append(entry)
        }
        let written = entries[former].statement.metadataDate
        if let written, let date = statement.metadataDate, written > date { return }
        entries[former] = entry
    }

    /// What the file and the sidecars lead to.
    var values: SidecarPolicy.Values {
        let ordered = entries.enumerated().sorted { first, second in
            (first.element.rank, first.offset) < (second.element.rank, second.offset)
        }
        return SidecarPolicy.values(file: file, sidecars: ordered.map(\.element.statement))
    }
}
