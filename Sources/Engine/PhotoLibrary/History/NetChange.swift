internal import PhotoModel

/// The net effect on one object of the versions that an undo or redo reverts.
struct NetChange {
    let kind: ObjectKind
    let id: Int64
    let uuid: String
    /// Indicates whether the object existed before the versions.
    let existedBefore: Bool
    private(set) var existsAfter = true
    private(set) var contentChanged = false
    /// The previous values of changed columns; all values of a deleted object.
    private(set) var old: JournalEntry.Values = [:]
    /// The new values of changed columns; all values of an inserted object.
    private(set) var new: JournalEntry.Values = [:]
    /// The old and new positions of an album's members, by asset; nil where the asset is not a
    /// member.
    private(set) var places: [Int64: (old: Int64?, new: Int64?)] = [:]
    /// Indicates whether the album was renumbered, so that `places` is incomplete.
    private(set) var isRenumbered = false

    init(first entry: JournalEntry) {
        kind = entry.kind
        id = entry.objectID
        uuid = entry.uuid
        existedBefore = entry.change != .insert
        add(entry)
    }

    /// Adds the next journal entry of the object.
    mutating func add(_ entry: JournalEntry) {
        switch entry.change {
        case .insert:
            existsAfter = true
            new = entry.new
        case .update:
            old.merge(entry.old) { first, _ in first }
            new.merge(entry.new) { $1 }
        case .delete:
            existsAfter = false
            old.merge(entry.old) { first, _ in first }
            new = [:]
        }
        if entry.contentChanged { contentChanged = true }
        guard let members = entry.members else { return }
        if members.renumbered { isRenumbered = true }
        for place in members.inserted { record(place.asset, from: nil, to: place.position) }
        for place in members.removed { record(place.asset, from: place.position, to: nil) }
        for move in members.moved { record(move.asset, from: move.old, to: move.new) }
    }

    private mutating func record(_ asset: Int64, from old: Int64?, to new: Int64?) {
        let first = places[asset].map(\.old) ?? old
        places[asset] = first == new ? nil : (first, new)
    }

    /// The columns that an undo restores: the changed ones, except derived values and counters that
    /// only increase.
    var columns: [String] {
        new.filter { name, value in
            !Self.derived.contains(name) && !value.matches(old[name] ?? .null)
        }.keys.sorted()
    }

    /// Returns the columns in which an undo compares a created object with its present values.
    ///
    /// They include those without a value at the insertion, which its entry does not contain.
    static func columns(of values: JournalEntry.Values) -> [String] {
        values.keys.filter { !derived.contains($0) }.sorted()
    }

    /// The assets that the versions added to the album, in the order of their positions.
    var addedAssets: [Int64] {
        let added = places.compactMap { asset, place -> (position: Int64, asset: Int64)? in
            guard place.old == nil, let position = place.new else { return nil }
            return (position, asset)
        }
        return added.sorted { ($0.position, $0.asset) < ($1.position, $1.asset) }.map(\.asset)
    }

    private static let derived: Set<String> = [
        "modificationDate", "isVisible", "isBurstHidden", "contentVersion",
        "assetCount", "startDate", "endDate",
    ]
}
