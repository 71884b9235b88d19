internal import WorkerProtocol

/// The order in which Photos 3 and 4 show the albums and folders of a folder.
struct EarlierCollectionOrder {
    typealias Failure = ForeignDatabase.Failure

    /// A collection in a folder, by the identifiers in the database.
    private struct Place: Hashable {
        var folder: String
        var collection: String
    }

    /// The folders whose collections are sorted by name, and whether in ascending order.
    private var byName: [String: Bool] = [:]
    /// The numbers of the order by hand.
    private var numbers: [Place: Int64] = [:]

    init(_ database: ForeignDatabase) throws(Failure) {
        let rules = try database.statement(
            """
            SELECT c.uuid, \(try database.column("c", "RKFolder", "sortKeyPath")),
                \(try database.column("c", "RKFolder", "sortAscending"))
            FROM RKFolder c
            """
        )
        while try rules.step() {
            guard let folder = rules.text(0, limit: 64),
                rules.text(1, limit: 256) == "basicProperties.AlbumName"
            else { continue }
            byName[folder] = rules.integer(2) != 0
        }
        let hasNumbers = try database.columns(of: "RKCustomSortOrder")
            .isSuperset(of: ["containerUuid", "objectUuid", "orderNumber"])
        guard hasNumbers else { return }
        let rows = try database.statement(
            """
            SELECT o.containerUuid, o.objectUuid, o.orderNumber FROM RKCustomSortOrder o
            WHERE o.containerUuid IN (SELECT uuid FROM RKFolder)
            """
        )
        while try rows.step() {
            guard let folder = rows.text(0, limit: 64), let collection = rows.text(1, limit: 64)
            else { continue }
            numbers[Place(folder: folder, collection: collection)] = rows.integer(2)
        }
    }

    /// Returns collections with those of each folder in the order shown.
    ///
    /// Collections without a number follow the others of their folder in the given order.
    ///
    /// - Parameters:
    ///   - records: The collections, with the database's identifiers of their folders.
    ///   - identifiers: The database's identifier of each collection.
    /// - Returns: The collections; each folder has the same places as before.
    func sorted(_ records: [ForeignCollection], _ identifiers: [String]) -> [ForeignCollection] {
        var result = records
        for (parent, indices) in Dictionary(grouping: records.indices, by: { records[$0].parent }) {
            guard let parent else { continue }
            let shown: [Int]
            if let isAscending = byName[parent] {
                shown = indices.sorted { first, second in
                    let one = records[first].title.lowercased()
                    let other = records[second].title.lowercased()
                    guard one != other else { return first < second }
                    return isAscending ? one < other : one > other
                }
            } else {
                let order = indices.map { index in
                    let place = Place(folder: parent, collection: identifiers[index])
                    return (number: numbers[place] ?? Int64.max, index: index)
                }
                shown = order.sorted { ($0.number, $0.index) < ($1.number, $1.index) }.map(\.index)
            }
            for (place, index) in zip(indices, shown) { result[place] = records[index] }
        }
        return result
    }
}
