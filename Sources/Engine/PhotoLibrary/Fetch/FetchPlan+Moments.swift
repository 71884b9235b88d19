internal import GRDB
internal import LibraryService
internal import PhotoModel

extension FetchPlan {
    /// Creates the plan for a fetch that may find moments or moment lists.
    ///
    /// Their assets are determined by other rows, so the result can only be fetched as a whole. A
    /// client that sees only some assets sees no moments, since they would reveal the others.
    ///
    /// - Parameters:
    ///   - request: The request; see `CollectionFetchRequest.findsMoments`.
    ///   - access: The client's access.
    ///   - others: A source with all collections other than moments.
    ///   - otherArguments: The arguments of `others`.
    ///   - answer: The result of resolving the request.
    /// - Throws: `unsupportedPredicate`, `unsupportedSortKey`.
    init(
        moments request: CollectionFetchRequest,
        access: LibraryAccess,
        others: String,
        otherArguments: [DatabaseValue],
        answer: MomentAnswer
    ) throws(LibraryError) {
        self.init(table: "collection", source: "")
        isIncremental = false
        switch access.assets {
        case .all: break
        case .some: conditions.append("collection.id < 0 AND collection.level IS NULL")
        case .none: conditions.append("0")
        }
        let mixed = """
            (SELECT \(Self.columns), \(MomentRows.columnsOfOthers) FROM \(others)
            UNION ALL \(MomentRows.all) WHERE
            """
        var naturalOrder = [SortTerm(sql: "place")]
        switch request.scope {
        case .identifiers(let identifiers):
            let known = identifiers.compactMap(LocalIdentifier.init).map(\.description)
            let list = JournalValue.encode(strings: known)
            fetch(
                listed: list,
                where: "collection.uuid = substr(wanted, 1, 36)"
                    + " AND \(KeyTable.moments.identifierSQL) = wanted",
                in: "\(mixed) g.uuid IN (SELECT substr(value, 1, 36) FROM json_each(?)))"
                    + " AS collection",
                otherArguments + [list.databaseValue]
            )
        case .rowIDs(let ids):
            let list = Self.list(ids)
            fetch(
                listed: list,
                where: "collection.id = wanted",
                in: "\(mixed) g.id IN (SELECT -1000 - value FROM json_each(?))) AS collection",
                otherArguments + [list.databaseValue]
            )
        case .moments(let scope):
            let levels = scope.levels.map { "\($0.rawValue)" }.sorted().joined(separator: ", ")
            source = "(\(MomentRows.all) WHERE g.level IN (\(levels))) AS collection"
            naturalOrder = ["time", "latitude", "longitude", "level"].map {
                SortTerm(sql: "collection." + $0)
            }
            narrow(to: answer)
        default: conditions.append("0")
        }
        order = try KeyTable.moments.order(by: request.sort)
        if order.isEmpty { order = naturalOrder }
        switch request.kind {
        case nil: break
        case .folder, .momentList: conditions.append("collection.kind IN (3, 6)")
        default: conditions.append("collection.kind IN (2, 5)")
        }
        if let predicate = request.predicate {
            var compiler = PredicateCompiler(.moments)
            conditions.append("(\(try compiler.condition(predicate)))")
            arguments += compiler.arguments
        }
        limit = request.limit
    }

    private mutating func narrow(to answer: MomentAnswer) {
        switch answer {
        case .all: break
        case .range(let range):
            let condition = range.condition(of: "collection")
            conditions.append(condition.sql)
            arguments += condition.arguments
        case .groups(let ids):
            let list = ids.map { "\(MomentLevel.rowID(of: $0))" }.joined(separator: ", ")
            conditions.append("collection.id IN (\(list))")
        }
    }

    /// Restricts the plan to the assets of a moment or moment list; nil excludes all assets.
    mutating func fetch(_ moment: MomentRange?) {
        isIncremental = false
        source = "timeline AS entry CROSS JOIN asset ON asset.id = entry.assetId"
        guard let moment else {
            conditions.append("0")
            return
        }
        let condition = moment.condition(of: "entry")
        conditions.append(condition.sql)
        arguments += condition.arguments
    }

    private static let columns = [
        "id", "uuid", "kind", "title", "parentId", "position", "creationDate",
        "modificationDate", "assetCount", "startDate", "endDate",
    ].map { "collection." + $0 }.joined(separator: ", ")
}
