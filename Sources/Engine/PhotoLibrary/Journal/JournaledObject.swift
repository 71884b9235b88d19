internal import GRDB
internal import PhotoModel

/// An object as rebuilt from its journal entries.
struct JournaledObject {
    /// The values by column; a missing column is NULL.
    private(set) var values: JournalEntry.Values
    /// The members of an album.
    private(set) var members: JournaledMembers

    /// Returns the object after applying one more entry; nil if the entry deletes the object.
    ///
    /// - Parameters:
    ///   - entry: The next entry of the object.
    ///   - object: The object after the previous entries; nil before the first and after a
    ///     deletion.
    /// - Returns: The object, and whether the entry is consistent with the previous state.
    static func applying(
        _ entry: JournalEntry,
        to object: JournaledObject?
    ) -> (object: JournaledObject?, follows: Bool) {
        switch entry.change {
        case .insert:
            let values = entry.new.merging(originals(of: entry.kind)) { new, _ in new }
            var inserted = JournaledObject(values: values, members: JournaledMembers())
            let follows = entry.members.map { inserted.members.apply($0) } ?? true
            return (inserted, follows && object == nil)
        case .delete:
            guard var deleted = object else { return (nil, false) }
            let follows = entry.members.map { deleted.members.apply($0) } ?? true
            return (nil, follows && deleted.members.positions.isEmpty)
        case .update:
            guard var updated = object,
                entry.old.allSatisfy({ name, value in
                    value.matches(updated.values[name] ?? .null)
                        || entry.kind.unchecked.contains(name)
                })
            else { return (object, false) }
            updated.values.merge(entry.new) { $1 }
            let follows = entry.members.map { updated.members.apply($0) } ?? true
            return (updated, follows)
        }
    }

    /// Returns the non-null values to assume for columns that did not exist when a journal entry
    /// was written.
    private static func originals(of kind: ObjectKind) -> JournalEntry.Values {
        guard kind == .asset else { return [:] }
        return assetOriginals
    }

    private static let assetOriginals = JournalEntry.Values(
        uniqueKeysWithValues: AssetRecord.map.columns.filter { !$0.original.isNull }
            .map { ($0.name, JournalValue.Scalar($0.original)) }
    )
}

extension ObjectKind {
    /// The columns whose last value may be missing from the journal.
    var unchecked: Set<String> {
        switch self {
        case .asset: AssetRecord.map.unchecked
        case .album, .folder: CollectionRecord.map.unchecked
        case .resource, .moment, .momentList: []
        }
    }

    /// The columns whose values are derived from other columns and therefore not journaled.
    var derived: Set<String> {
        switch self {
        case .asset: AssetRecord.map.derived
        case .album, .folder: CollectionRecord.map.derived
        case .resource, .moment, .momentList: []
        }
    }
}

/// The members of an album as rebuilt from its journal entries.
struct JournaledMembers: Equatable {
    /// The positions by asset.
    private(set) var positions: [Int64: Int64] = [:]

    /// All members in order.
    var ordered: [Int64] {
        positions.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    }

    /// Applies an entry's change of members.
    ///
    /// - Returns: Whether the change was consistent with the previous state.
    mutating func apply(_ change: MembersChange) -> Bool {
        if change.renumbered {
            let ids = ordered
            let new = SparsePositions.positions(after: nil, before: nil, count: ids.count) ?? []
            positions = Dictionary(uniqueKeysWithValues: zip(ids, new))
        }
        var follows = true
        for place in change.removed {
            follows = positions.removeValue(forKey: place.asset) == place.position && follows
        }
        for place in change.inserted {
            follows = positions.updateValue(place.position, forKey: place.asset) == nil && follows
        }
        for move in change.moved {
            follows = positions.updateValue(move.new, forKey: move.asset) == move.old && follows
        }
        return follows
    }

    /// The change that adds all members to an empty album.
    var insertion: MembersChange {
        var change = MembersChange()
        change.inserted = ordered.compactMap { asset in
            positions[asset].map { MembersChange.Place(asset: asset, position: $0) }
        }
        return change
    }
}
