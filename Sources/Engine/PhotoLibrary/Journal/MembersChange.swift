internal import Foundation

/// The change of an album's members in one of its journal entries.
///
/// Stored as JSON: `{"inserted":[[asset,position],…],"removed":[[asset,position],…],
/// "moved":[[asset,old,new],…]}`, or `{"renumbered":true}`. Empty parts are omitted.
package struct MembersChange: Hashable, Sendable {
    /// An asset's row id and its position.
    package struct Place: Hashable, Sendable {
        package var asset: Int64
        package var position: Int64
    }

    /// An asset's row id with its old and new positions.
    package struct Move: Hashable, Sendable {
        package var asset: Int64
        package var old: Int64
        package var new: Int64
    }

    package var inserted: [Place] = []
    package var removed: [Place] = []
    package var moved: [Move] = []
    /// Indicates whether all positions were renumbered, without a change of the order.
    package var renumbered = false

    package init() {}

    package var isEmpty: Bool {
        inserted.isEmpty && removed.isEmpty && moved.isEmpty && !renumbered
    }

    /// The JSON text in the journal; nil for no change.
    var text: String? {
        if isEmpty { return nil }
        var parts: [String] = []
        func add(_ name: String, _ lists: [String]) {
            if !lists.isEmpty { parts.append("\"\(name)\":[\(lists.joined(separator: ","))]") }
        }
        add("inserted", inserted.map { "[\($0.asset),\($0.position)]" })
        add("removed", removed.map { "[\($0.asset),\($0.position)]" })
        add("moved", moved.map { "[\($0.asset),\($0.old),\($0.new)]" })
        if renumbered { parts.append("\"renumbered\":true") }
        return "{\(parts.joined(separator: ","))}"
    }

    /// Parses the JSON text of the journal; nil if it is invalid.
    package init?(text: String) {
        guard let lists = try? JSONDecoder().decode(Lists.self, from: Data(text.utf8)) else {
            return nil
        }
        for (list, path) in [(lists.inserted, \Self.inserted), (lists.removed, \Self.removed)] {
            for item in list ?? [] {
                guard item.count == 2 else { return nil }
                self[keyPath: path].append(Place(asset: item[0], position: item[1]))
            }
        }
        for item in lists.moved ?? [] {
            guard item.count == 3 else { return nil }
            moved.append(Move(asset: item[0], old: item[1], new: item[2]))
        }
        renumbered = lists.renumbered ?? false
    }

    private struct Lists: Decodable {
        var inserted: [[Int64]]?
        var removed: [[Int64]]?
        var moved: [[Int64]]?
        var renumbered: Bool?
    }
}
