internal import Foundation

/// The change of an album's members in one of its journal entries.
///
/// Stored as JSON: `{"inserted":[["UUID",position],…],"removed":[["UUID",position],…],
/// "moved":[["UUID",old,new],…]}`, `{"renumbered":true}`, or `{"totals":["assetCount",…]}`. Empty
/// parts are omitted. Entries of earlier versions of the library have row ids in place of UUIDs.
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
    /// Indicates whether all positions were renumbered without changing the order.
    package var renumbered = false
    /// The names of the album's count and date columns whose values changed, in the order of
    /// columns.
    ///
    /// Their values are not journaled, since they follow from the members. The names are, since the
    /// album has changed.
    package var totals: [String] = []

    package init() {}

    package var isEmpty: Bool {
        inserted.isEmpty && removed.isEmpty && moved.isEmpty && !renumbered && totals.isEmpty
    }

    /// Returns the JSON text in the journal; nil for no change.
    func text(naming names: JournalNames) throws -> String? {
        if isEmpty { return nil }
        var parts: [String] = []
        func add(_ name: String, _ lists: [String]) {
            if !lists.isEmpty { parts.append("\"\(name)\":[\(lists.joined(separator: ","))]") }
        }
        func name(_ asset: Int64) throws -> String {
            JournalValue.quoted(try names.uuid(ofAsset: asset))
        }
        add("inserted", try inserted.map { "[\(try name($0.asset)),\($0.position)]" })
        add("removed", try removed.map { "[\(try name($0.asset)),\($0.position)]" })
        add("moved", try moved.map { "[\(try name($0.asset)),\($0.old),\($0.new)]" })
        if renumbered { parts.append("\"renumbered\":true") }
        add("totals", totals.map(JournalValue.quoted))
        return "{\(parts.joined(separator: ","))}"
    }

    /// Parses the JSON text of the journal; nil if it is invalid or names an unknown asset.
    init?(text: String, naming names: JournalNames) throws {
        guard let lists = try? JSONDecoder().decode(Lists.self, from: Data(text.utf8)) else {
            return nil
        }
        for (list, path) in [(lists.inserted, \Self.inserted), (lists.removed, \Self.removed)] {
            for item in list ?? [] {
                guard item.positions.count == 1, let asset = try item.asset(names) else {
                    return nil
                }
                self[keyPath: path].append(Place(asset: asset, position: item.positions[0]))
            }
        }
        for item in lists.moved ?? [] {
            guard item.positions.count == 2, let asset = try item.asset(names) else { return nil }
            moved.append(Move(asset: asset, old: item.positions[0], new: item.positions[1]))
        }
        renumbered = lists.renumbered ?? false
        totals = lists.totals ?? []
    }

    private struct Lists: Decodable {
        var inserted: [Item]?
        var removed: [Item]?
        var moved: [Item]?
        var renumbered: Bool?
        var totals: [String]?
    }

    /// An asset and its positions.
    private struct Item: Decodable {
        var uuid: String?
        var rowID: Int64?
        var positions: [Int64] = []

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            uuid = try? values.decode(String.self)
            if uuid == nil { rowID = try values.decode(Int64.self) }
            while !values.isAtEnd { positions.append(try values.decode(Int64.self)) }
        }

        func asset(_ names: JournalNames) throws -> Int64? {
            try uuid.map(names.asset(uuid:)) ?? rowID
        }
    }
}
