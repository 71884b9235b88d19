internal import Foundation
internal import Photos
internal import PhotosJSON
internal import PhotosManagement

/// The changes between two states of a list, as indexes.
///
/// The page applies them to its entries, and the server to its list of days.
struct ListMoves: Sendable {
    /// The indexes of removed entries in the previous list.
    private(set) var removed: [Int] = []
    /// The moved entries, each with its index in the previous list and in the new list.
    private(set) var moved: [(from: Int, to: Int)] = []
    /// The indexes of inserted entries in the new list.
    private(set) var inserted: [Int] = []
    /// The indexes of changed entries in the new list.
    private(set) var changed: [Int] = []

    /// Converts PhotoKit's change details; returns nil if they are not incremental or have too many
    /// entries.
    init?(_ details: PHFetchResultChangeDetails<PHAsset>) {
        guard details.hasIncrementalChanges, let changed = details.changedIndexes else {
            return nil
        }
        // The difference looks up objects, so it is not requested for changes that are too large to
        // be sent.
        let known =
            (details.removedIndexes?.count ?? 0) + (details.insertedIndexes?.count ?? 0)
            + changed.count
        guard known <= GalleryList.entryLimit, let difference = details.difference else {
            return nil
        }
        for step in difference {
            switch step {
            case .remove(let offset, _, nil): removed.append(offset)
            case .remove(let offset, _, let target?): moved.append((offset, target))
            case .insert(let offset, _, nil): inserted.append(offset)
            case .insert: break
            }
        }
        removed.sort()
        inserted.sort()
        moved.sort { $0.to < $1.to }
        self.changed = Array(changed)
    }

    /// The number of removed, moved, inserted and changed entries.
    var count: Int { removed.count + moved.count + inserted.count + changed.count }

    /// Applies the changes to the capture days of the list's assets.
    func apply(
        to days: ContiguousArray<Int32>,
        dayAt: (Int) throws -> Int32
    ) throws -> ContiguousArray<Int32> {
        let leaving = Set(removed + moved.map(\.from))
        var kept: ContiguousArray<Int32> = []
        kept.reserveCapacity(days.count + inserted.count)
        if leaving.isEmpty {
            kept = days
        } else {
            for (index, day) in days.enumerated() where !leaving.contains(index) {
                kept.append(day)
            }
        }
        var coming = moved.map { (index: $0.to, day: days[$0.from]) }
        coming += try inserted.map { (index: $0, day: try dayAt($0)) }
        coming.sort { $0.index < $1.index }
        for (index, day) in coming { kept.insert(day, at: min(index, kept.count)) }
        for index in changed where index < kept.count { kept[index] = try dayAt(index) }
        return kept
    }

    /// Returns the encoded entries of the inserted and of the changed assets.
    func lines(
        _ after: PHFetchResult<PHAsset>,
        _ lines: AssetLines
    ) throws -> (inserted: [String], changed: [String]) {
        let indexes = inserted + changed
        let all = try lines.lines(indexes.map { after.object(at: $0) })
        return (Array(all.prefix(inserted.count)), Array(all.dropFirst(inserted.count)))
    }
}

/// The data of a `changes` event.
struct ChangeMessage {
    let previous: String
    let snapshot: String
    let before: [TimelineDays.Heading]
    let days: TimelineDays
    let author: String?

    func data(
        _ moves: ListMoves?,
        _ after: PHFetchResult<PHAsset>,
        _ lines: (inserted: [String], changed: [String])?
    ) -> String {
        var object = ChangeMessage.object(previous, snapshot, after.count)
        guard let moves, let lines else {
            object.add("incremental", false)
            object.add("author", author)
            return object.line
        }
        object.add("incremental", true)
        object.add("removed", json: "\(moves.removed)")
        let pairs = moves.moved.map { "[\($0.from),\($0.to)]" }
        object.add("moved", json: "[" + pairs.joined(separator: ",") + "]")
        object.add("inserted", json: Self.entries(moves.inserted, lines.inserted))
        object.add("changed", json: Self.entries(moves.changed, lines.changed))
        let splice = days.splice(from: before)
        let text = "{\"at\":\(splice.at),\"remove\":\(splice.remove),\"insert\":"
        object.add("days", json: text + TimelineDays.json(splice.insert) + "}")
        object.add("author", author)
        return object.line
    }

    private static func entries(_ indexes: [Int], _ lines: [String]) -> String {
        let entries = zip(indexes, lines).map { "{\"index\":\($0),\"asset\":\($1)}" }
        return "[" + entries.joined(separator: ",") + "]"
    }
}

extension ChangeMessage {
    fileprivate static func object(_ previous: String, _ snapshot: String, _ count: Int)
        -> JSONObject
    {
        var object = JSONObject()
        object.add("previous", previous)
        object.add("snapshot", snapshot)
        object.add("count", count)
        return object
    }
}
