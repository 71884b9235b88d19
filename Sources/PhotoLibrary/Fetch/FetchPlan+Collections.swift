internal import GRDB
internal import LibraryService
internal import PhotoModel

extension FetchPlan {
    /// A fetch of albums and folders by a client with some access.
    ///
    /// - Throws: `unsupportedPredicate`, `unsupportedSortKey`.
    init(_ request: CollectionFetchRequest, access: LibraryAccess = .full) throws(LibraryError) {
        self.init(table: "collection", source: "collection")
        if !access.permitsCollections { conditions.append("0") }
        order = try KeyTable.collections.order(by: request.sort)
        var naturalOrder: [OrderTerm] = []
        switch request.scope {
        case .library: break
        case .identifiers(let identifiers):
            source =
                "(SELECT value AS wanted, min(key) AS place FROM json_each(?) GROUP BY value)"
                + " JOIN collection ON collection.uuid = substr(wanted, 1, 36)"
                + " AND \(KeyTable.collections.identifierSQL) = wanted"
            let known = identifiers.compactMap(LocalIdentifier.init).map(\.description)
            sourceArguments.append(JournalValue.encode(strings: known).databaseValue)
            naturalOrder = [OrderTerm(sql: "place")]
            // Where a row stands is in the request.
            isIncremental = false
        case .children(CollectionRecord.rootUUID):
            conditions.append("collection.parentId IS NULL")
            naturalOrder = [OrderTerm(sql: "collection.position")]
        case .children(let folder):
            conditions.append("collection.parentId = (SELECT id FROM collection WHERE uuid = ?)")
            arguments.append(folder.databaseValue)
            naturalOrder = [OrderTerm(sql: "collection.position")]
        case .containing(let asset):
            conditions.append(
                "collection.id IN (SELECT albumId FROM albumAsset WHERE assetId ="
                    + " (SELECT id FROM asset WHERE uuid = ?))"
            )
            arguments.append(asset.databaseValue)
        case .parents(let collection):
            conditions.append("collection.id = (SELECT parentId FROM collection WHERE uuid = ?)")
            arguments.append(collection.databaseValue)
            // Another row says which folder it is.
            isIncremental = false
        case .rowIDs(let ids):
            source =
                "(SELECT value AS wanted, min(key) AS place FROM json_each(?) GROUP BY value)"
                + " JOIN collection ON collection.id = wanted"
            sourceArguments.append(Self.list(ids).databaseValue)
            naturalOrder = [OrderTerm(sql: "place")]
            isIncremental = false
        }
        if order.isEmpty { order = naturalOrder }
        if let kind = request.kind {
            conditions.append("collection.kind = \(kind.rawValue)")
        }
        if let predicate = request.predicate {
            var compiler = PredicateCompiler(.collections)
            conditions.append("(\(try compiler.condition(predicate)))")
            arguments += compiler.arguments
        }
        limit = request.limit
    }
}
