internal import PhotoModel

/// What some versions did to one object, all in all, so that it can be taken back.
struct NetChange {
    let kind: ObjectKind
    let id: Int64
    let uuid: String
    /// Whether it was there before.
    let existedBefore: Bool
    private(set) var existsAfter = true
    private(set) var contentChanged = false
    /// Of what differs, what was before; of an object that was removed, all.
    private(set) var old: JournalEntry.Values = [:]
    /// Of what differs, what it became; of an object that was added, all.
    private(set) var new: JournalEntry.Values = [:]
    /// By asset, where it stood in an album and where it stands; nil: no member.
    private(set) var places: [Int64: (old: Int64?, new: Int64?)] = [:]
    /// Whether the album was renumbered, so that `places` does not tell the whole.
    private(set) var isRenumbered = false

    init(first entry: JournalEntry) {
        kind = entry.kind
        id = entry.objectID
        uuid = entry.uuid
        existedBefore = entry.change != .insert
        add(entry)
    }

    /// Adds the object's next entry.
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

    /// The columns that an undo takes back: what differs, except what follows from other values and
    /// what only ever goes on.
    var columns: [String] {
        new.filter { name, value in
            !Self.derived.contains(name) && !value.matches(old[name] ?? .null)
        }.keys.sorted()
    }

    private static let derived: Set<String> = [
        "modificationDate", "isVisible", "isBurstHidden", "contentVersion",
        "assetCount", "startDate", "endDate",
    ]
}
