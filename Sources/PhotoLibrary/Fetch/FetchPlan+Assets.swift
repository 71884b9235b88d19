internal import GRDB
internal import LibraryService
internal import PhotoModel

extension FetchPlan {
    /// A fetch of assets by a client with some access.
    ///
    /// - Throws: `unsupportedPredicate`, `unsupportedSortKey`.
    init(_ request: AssetFetchRequest, access: LibraryAccess = .full) throws(LibraryError) {
        self.init(table: "asset", source: "asset")
        conditions = Self.visibility(request)
        limit(to: access)
        switch request.scope {
        case .library, .recentlyDeleted: break
        case .identifiers(let identifiers):
            let uuids = identifiers.compactMap(LocalIdentifier.init)
                .filter { $0.kind == .asset }.map(\.uuid)
            fetch(listed: JournalValue.encode(strings: uuids), where: "asset.uuid = wanted")
        case .burst(let identifier):
            conditions.append("burstIdentifier = ?")
            arguments.append(identifier.databaseValue)
        case .album(let uuid):
            source = "albumAsset AS member JOIN asset ON asset.id = member.assetId"
            conditions.append(
                "member.albumId = (SELECT id FROM collection WHERE uuid = ? AND kind = 2)"
            )
            arguments.append(uuid.databaseValue)
            if !access.permitsCollections { conditions.append("0") }
            album = uuid
        case .rowIDs(let ids):
            fetch(listed: Self.list(ids), where: "asset.id = wanted")
        }
        if let mediaType = request.mediaType {
            conditions.append("mediaType = ?")
            arguments.append(mediaType.rawValue.databaseValue)
        }
        if let predicate = request.predicate {
            var compiler = PredicateCompiler(.assets)
            conditions.append("(\(try compiler.condition(predicate)))")
            arguments += compiler.arguments
        }
        order = try KeyTable.assets.order(by: request.sort)
        if order.isEmpty { order = [Self.naturalOrder(request.scope)] }
        limit = request.limit
    }

    /// Leaves out what the client may not see.
    private mutating func limit(to access: LibraryAccess) {
        switch access {
        case .full: break
        case .none: conditions.append("0")
        case .limited(let uuids):
            conditions.append("asset.uuid IN (SELECT value FROM json_each(?))")
            arguments.append(JournalValue.encode(strings: uuids.sorted()).databaseValue)
        }
    }

    /// Which assets a request may see at all.
    private static func visibility(_ request: AssetFetchRequest) -> [String] {
        var conditions: [String] = []
        var sourceTypes = request.sourceTypes
        var includesHidden = request.includesHidden
        var includesAllBurstMembers = request.includesAllBurstMembers
        switch request.scope {
        case .recentlyDeleted: conditions.append("trashedDate IS NOT NULL")
        case .identifiers:
            // Whoever knows an identifier gets its asset (behaviour 52).
            includesHidden = true
            includesAllBurstMembers = true
            conditions.append("trashedDate IS NULL")
        case .rowIDs: conditions.append("trashedDate IS NULL")
        case .library, .burst, .album:
            if sourceTypes.isEmpty { sourceTypes = .userLibrary }
            if !includesHidden, !includesAllBurstMembers, sourceTypes == .userLibrary {
                return ["isVisible = 1"]  // stands for all of the below, and has indexes
            }
            conditions.append("trashedDate IS NULL")
        }
        if !includesHidden { conditions.append("isHidden = 0") }
        if !includesAllBurstMembers { conditions.append("isBurstHidden = 0") }
        if sourceTypes == .userLibrary {
            conditions.append("sourceType = 1")
        } else if !sourceTypes.isEmpty {
            conditions.append("sourceType & \(sourceTypes.rawValue) <> 0")
        }
        return conditions
    }

    /// The order of a fetch without sort descriptors.
    private static func naturalOrder(_ scope: AssetFetchRequest.Scope) -> OrderTerm {
        switch scope {
        case .identifiers, .rowIDs: OrderTerm(sql: "place")
        case .recentlyDeleted: OrderTerm(sql: "trashedDate")
        case .album: OrderTerm(sql: "member.position")
        case .library, .burst: OrderTerm(sql: "creationDate")
        }
    }
}
