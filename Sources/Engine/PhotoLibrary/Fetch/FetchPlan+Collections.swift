internal import GRDB
internal import LibraryService
internal import PhotoModel

extension FetchPlan {
    /// Creates the plan for a client's fetch of albums and folders.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - access: The client's access.
    ///   - smartAlbums: The records of the smart albums that the request names; see
    ///     `CollectionFetchRequest.smartAlbums`.
    ///   - firstRecentDay: See `SmartAlbum.firstRecentDay(at:)`.
    ///   - moments: The result of resolving a request for moments.
    /// - Throws: `unsupportedPredicate`, `unsupportedSortKey`.
    init(
        _ request: CollectionFetchRequest,
        access: LibraryAccess = .full,
        smartAlbums: [CollectionRecord] = [],
        firstRecentDay: Int64 = 0,
        moments: MomentAnswer = .groups([])
    ) throws(LibraryError) {
        let smart = CollectionRows(smartAlbums)
        if request.findsMoments {
            try self.init(
                moments: request,
                access: access,
                others: smart.withCollections,
                otherArguments: smart.arguments,
                answer: moments
            )
            if request.dependsOnClock { self.firstRecentDay = firstRecentDay }
            return
        }
        self.init(table: "collection", source: "collection")
        switch (access.assets, request.scope) {
        // The client already has the records that it lists.
        case (.all, _), (_, .listed): break
        case (.some, _): conditions.append("collection.id < 0")
        case (.none, _): conditions.append("0")
        }
        // The assets counted by smart albums are in other rows.
        if !request.smartAlbums.isEmpty { isIncremental = false }
        if request.dependsOnClock { self.firstRecentDay = firstRecentDay }
        order = try KeyTable.collections.order(by: request.sort)
        var naturalOrder: [SortTerm] = []
        switch request.scope {
        case .library: break
        case .identifiers(let identifiers):
            let known = identifiers.compactMap(LocalIdentifier.init).map(\.description)
            fetch(
                listed: JournalValue.encode(strings: known),
                where: "collection.uuid = substr(wanted, 1, 36)"
                    + " AND \(KeyTable.collections.identifierSQL) = wanted",
                in: smart.withCollections,
                smart.arguments
            )
            naturalOrder = [SortTerm(sql: "place")]
        case .children(CollectionRecord.rootUUID):
            conditions.append("collection.parentId IS NULL")
            naturalOrder = [SortTerm(sql: "collection.position")]
        case .children(let folder):
            conditions.append("collection.parentId = (SELECT id FROM collection WHERE uuid = ?)")
            arguments.append(folder.databaseValue)
            naturalOrder = [SortTerm(sql: "collection.position")]
        case .containing(let asset):
            conditions.append(
                "collection.id IN (SELECT albumId FROM albumAsset WHERE assetId ="
                    + " (SELECT id FROM asset WHERE uuid = ? AND trashedDate IS NULL"
                    + (access.includesHidden ? "))" : " AND isHidden = 0))")
            )
            arguments.append(asset.databaseValue)
            // Assets in Recently Deleted are in no album, and their state is in another row.
            isIncremental = false
        case .parents(let collection):
            conditions.append("collection.id = (SELECT parentId FROM collection WHERE uuid = ?)")
            arguments.append(collection.databaseValue)
            // The parent's id is in another row.
            isIncremental = false
        case .smartAlbums:
            source = smart.alone
            sourceArguments = smart.arguments
            // Even without records: no row of the table is a smart album.
            isIncremental = false
            naturalOrder = [SortTerm(sql: "collection.position")]
        case .moments: conditions.append("0")  // answered above
        case .listed(let records):
            let listed = CollectionRows(records)
            source = listed.alone
            sourceArguments = listed.arguments
            naturalOrder = [SortTerm(sql: "collection.position")]
            isIncremental = false
        case .rowIDs(let ids):
            fetch(
                listed: Self.list(ids),
                where: "collection.id = wanted",
                in: smart.withCollections,
                smart.arguments
            )
            naturalOrder = [SortTerm(sql: "place")]
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
