internal import Foundation

/// What happened to the members of an album: a part of one of its journal entries.
///
/// Stored as JSON: `{"inserted":[[asset,position],…],"removed":[[asset,position],…],
/// "moved":[[asset,old,new],…]}`, or `{"renumbered":true}`; what is empty is left out.
package struct MembersChange: Hashable, Sendable {
    /// An asset's row id and its position.
    package struct Place: Hashable, Sendable {
        package var asset: Int64
        package var position: Int64
    }

    /// An asset's row id, where it was, and where it is.
    package struct Move: Hashable, Sendable {
        package var asset: Int64
        package var old: Int64
        package var new: Int64
    }

    package var inserted: [Place] = []
    package var removed: [Place] = []
    package var moved: [Move] = []
    /// Whether all positions were made anew; the order stayed.
    package var renumbered = false

    package init() {}

    package var isEmpty: Bool {
        inserted.isEmpty && removed.isEmpty && moved.isEmpty && !renumbered
    }

    /// What the journal holds; nil for no change.
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

    /// Reads what the journal holds; nil for what cannot be read.
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
