internal import GRDB
internal import LibraryService
internal import PhotoModel

extension FetchPlan {
    /// Creates the plan for a client's fetch of assets.
    ///
    /// - Throws: `unsupportedPredicate`, `unsupportedSortKey`.
    init(
        _ request: AssetFetchRequest,
        access: LibraryAccess = .full,
        firstRecentDay: Int64 = 0,
        moment: MomentRange? = nil
    ) throws(LibraryError) {
        self.init(table: "asset", source: "asset")
        var visibility = AssetVisibility(request)
        if !access.includesHidden { visibility.includesHidden = false }
        conditions = visibility.conditions
        limit(to: access)
        switch request.scope {
        case .library, .recentlyDeleted: break
        case .identifiers(let identifiers):
            let uuids = identifiers.compactMap(LocalIdentifier.init)
                .filter { $0.kind == .asset }.map(\.uuid)
            fetch(
                listed: JournalValue.encode(strings: uuids),
                where: "asset.uuid = wanted",
                as: CloudTwinTable.answeringSQL("value")
            )
        case .burst(let identifier):
            // The unary plus signs have no other effect than to disable the conditions' indexes.
            // Without them, SQLite would scan all visible assets in the requested order instead of
            // looking up the few of the burst.
            conditions =
                conditions.map { "+" + $0 } + [
                    "burstIdentifier = ?", "NOT \(AssetRecord.loneFrameCondition)",
                ]
            arguments.append(identifier.databaseValue)
        case .album(let uuid):
            if let smart = SmartAlbum(uuid: uuid) {
                if let condition = smart.condition(firstRecentDay: firstRecentDay) {
                    conditions.append(condition)
                }
                if request.dependsOnClock { self.firstRecentDay = firstRecentDay }
                break
            }
            source = Self.members
            conditions.append(
                "member.albumId = (SELECT id FROM collection WHERE uuid = ? AND kind = 2)"
            )
            arguments.append(uuid.databaseValue)
            if !access.permitsCollections { conditions.append("0") }
            album = uuid
        case .moment: fetch(access.permitsCollections ? moment : nil)
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
        if order.isEmpty { order = [Self.naturalOrder(request)] }
        limit = request.limit
    }

    /// Excludes the assets that the client may not see.
    private mutating func limit(to access: LibraryAccess) {
        switch access.assets {
        case .all: break
        case .none: conditions.append("0")
        case .some(let uuids):
            conditions.append("asset.uuid IN (SELECT value FROM json_each(?))")
            arguments.append(JournalValue.encode(strings: uuids.sorted()).databaseValue)
        }
    }

    /// Returns the order of a fetch without sort descriptors.
    private static func naturalOrder(_ request: AssetFetchRequest) -> SortTerm {
        switch request.scope {
        case .identifiers, .rowIDs: SortTerm(sql: "place")
        case .recentlyDeleted: SortTerm(sql: "trashedDate")
        case .album: SortTerm(sql: request.smartAlbum?.order ?? "member.position")
        case .library, .burst: SortTerm(sql: "creationDate")
        case .moment: SortTerm(sql: "entry.time")
        }
    }
}
