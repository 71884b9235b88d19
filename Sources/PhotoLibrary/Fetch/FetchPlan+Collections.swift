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
            let known = identifiers.compactMap(LocalIdentifier.init).map(\.description)
            fetch(
                listed: JournalValue.encode(strings: known),
                where: "collection.uuid = substr(wanted, 1, 36)"
                    + " AND \(KeyTable.collections.identifierSQL) = wanted"
            )
            naturalOrder = [OrderTerm(sql: "place")]
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
            fetch(listed: Self.list(ids), where: "collection.id = wanted")
            naturalOrder = [OrderTerm(sql: "place")]
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
