internal import GRDB
internal import LibraryService
internal import PhotoModel

/// A fetch request as one SQL statement that gives row ids in order.
///
/// The only place that decides which assets a fetch may see.
struct FetchPlan {
    let sql: String
    let arguments: StatementArguments

    init(_ request: AssetFetchRequest) throws(LibraryError) {
        var compiler = PredicateCompiler()
        var arguments: [DatabaseValue] = []
        var source = "asset"
        var conditions = Self.visibility(request)
        switch request.scope {
        case .library: break
        case .recentlyDeleted: break
        case .identifiers(let identifiers):
            let uuids = identifiers.compactMap(LocalIdentifier.init)
                .filter { $0.kind == .asset }.map(\.uuid)
            source =
                "(SELECT value AS wanted, min(key) AS place FROM json_each(?) GROUP BY value)"
                + " JOIN asset ON asset.uuid = wanted"
            arguments.append(JournalValue.encode(strings: uuids).databaseValue)
        case .burst(let identifier):
            conditions.append("burstIdentifier = ?")
            arguments.append(identifier.databaseValue)
        case .album(let uuid):
            source =
                "albumAsset AS member JOIN asset ON asset.id = member.assetId"
            conditions.append("member.albumId = (SELECT id FROM collection WHERE uuid = ?)")
            arguments.append(uuid.databaseValue)
        case .rowIDs(let ids):
            conditions.append("asset.id IN (SELECT value FROM json_each(?))")
            let list = "[" + ids.map(String.init).joined(separator: ",") + "]"
            arguments.append(list.databaseValue)
        }
        if let mediaType = request.mediaType {
            conditions.append("mediaType = ?")
            arguments.append(mediaType.rawValue.databaseValue)
        }
        if let predicate = request.predicate {
            conditions.append("(\(try compiler.condition(predicate)))")
            arguments += compiler.arguments
        }
        var sql = "SELECT asset.id FROM \(source)"
        if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
        sql += " ORDER BY " + (try Self.order(request))
        if request.limit > 0 {
            sql += " LIMIT ?"
            arguments.append(request.limit.databaseValue)
        }
        self.sql = sql
        self.arguments = StatementArguments(arguments)
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

    /// Sort keys, and last the row id in the direction of the last of them, which lets one index
    /// serve both directions.
    private static func order(_ request: AssetFetchRequest) throws(LibraryError) -> String {
        var terms: [String] = []
        for key in request.sort {
            guard let column = AssetKey.named(key.key), column.kind != .location,
                column.kind != .texts
            else {
                throw LibraryError(
                    .unsupportedSortKey,
                    "The sort descriptor's key \"\(key.key)\" is not a property that assets can be"
                        + " sorted by.",
                    recovery: "Keys are: \(sortable.joined(separator: ", "))."
                )
            }
            terms.append(column.sql + (key.ascending ? "" : " DESC"))
        }
        let isDescending = request.sort.last.map { !$0.ascending } ?? false
        if terms.isEmpty {
            switch request.scope {
            case .identifiers: terms.append("place")
            case .recentlyDeleted: terms.append("trashedDate")
            case .album: terms.append("member.position")
            case .library, .burst, .rowIDs: terms.append("creationDate")
            }
        }
        return terms.joined(separator: ", ") + (isDescending ? ", asset.id DESC" : ", asset.id")
    }

    private static var sortable: [String] {
        AssetKey.names.filter { name in
            AssetKey.named(name).map { $0.kind != .location && $0.kind != .texts } ?? false
        }
    }
}
