internal import Foundation
internal import PhotoModel

/// The newest version of each sidecar of an asset, with what was read from it.
///
/// A program that writes a sidecar again writes all of it, so of several sidecars with one name
/// only one counts: the one that states the latest date, or the last one that was imported.
struct SidecarVersions<Value: Sendable>: Sendable {
    private struct Entry {
        var name: [UInt8]
        var rank: Int
        var date: Date?
        var value: Value
    }

    /// The sidecars in the order in which their names were first imported.
    private var entries: [Entry] = []

    /// The sidecars in the order of their import, with their names in lower case.
    var all: [(name: [UInt8], value: Value)] { entries.map { ($0.name, $0.value) } }

    /// What was read from the sidecars, in the order of precedence.
    var ordered: [Value] {
        entries.enumerated().sorted { first, second in
            (first.element.rank, first.offset) < (second.element.rank, second.offset)
        }.map(\.element.value)
    }

    /// Adds a sidecar that was imported after all sidecars added so far.
    ///
    /// - Parameters:
    ///   - value: What was read from it.
    ///   - name: Its file name.
    ///   - rank: The precision of the name's match with the asset's name; 0 is the most precise.
    ///   - date: The date of the metadata that it states; nil if it states none.
    mutating func add(_ value: Value, name: [UInt8], rank: Int, date: Date?) {
        let entry = Entry(
            name: SourceName.lowercased(name[...]),
            rank: rank,
            date: date,
            value: value
        )
        guard let former = entries.firstIndex(where: { $0.name == entry.name }) else {
            return entries.append(entry)
        }
        if let written = entries[former].date, let date, written > date { return }
        entries[former] = entry
    }
}
