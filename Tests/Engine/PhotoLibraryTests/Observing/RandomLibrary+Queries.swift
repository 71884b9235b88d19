import Foundation
import LibraryService
import PhotoModel

/// Random fetches.
extension RandomLibrary {
    func query() -> AdvanceRequest.Query {
        chance(70) ? .assets(assetRequest()) : .collections(collectionRequest())
    }

    private func assetRequest() -> AssetFetchRequest {
        var request = AssetFetchRequest()
        switch number(in: 0..<22) {
        case 20, 21: request.scope = .moment(one(of: collectionUUIDs) ?? "")
        case 0..<8: request.scope = .library
        case 8..<14: request.scope = .album(one(of: collectionUUIDs) ?? "")
        case 14: request.scope = .recentlyDeleted
        case 15: request.scope = .burst("burst")
        case 16: request.scope = .identifiers(some(of: identifiers(), atMost: 20))
        case 17:
            let ids = state.assets.keys.sorted()
            request.scope = .rowIDs(RowIDBuffer(some(of: ids, atMost: ids.count)))
        default: request.scope = .album(one(of: SmartAlbum.allCases)?.uuid ?? "")
        }
        if chance(60) { request.predicate = predicate(depth: 2, assetComparison) }
        request.sort = sort(by: [
            "creationDate", "creationDate", "duration", "title", "title", "caption",
            "modificationDate", "isFavorite", "originalFilename", "localIdentifier",
            "burstIdentifier", "isSyncFailureHidden", "adjustmentsState",
        ])
        if chance(15) { request.limit = number(in: 1..<12) }
        if chance(15) { request.mediaType = .image }
        request.includesHidden = chance(25)
        request.includesAllBurstMembers = chance(25)
        return request
    }

    private func collectionRequest() -> CollectionFetchRequest {
        var request = CollectionFetchRequest(scope: .library)
        let collections = state.collections
        switch number(in: 0..<17) {
        case 13..<17: request.scope = .moments(momentScope())
        case 0..<3: request.scope = .library
        case 10: request.scope = .smartAlbums(nil)
        case 11..<13:
            request.scope = .smartAlbums(some(of: SmartAlbum.allCases.map(\.rawValue), atMost: 5))
        case 3..<6: request.scope = .children(folder: one(of: collectionUUIDs) ?? "")
        case 6: request.scope = .containing(asset: one(of: assetUUIDs) ?? "")
        case 7: request.scope = .parents(collection: one(of: collectionUUIDs) ?? "")
        case 8:
            let identifiers = collections.values.map(\.localIdentifier).sorted()
            request.scope = .identifiers(some(of: identifiers, atMost: 8))
        default:
            request.scope = .rowIDs(RowIDBuffer(some(of: collections.keys.sorted(), atMost: 8)))
        }
        request.kind = one(of: [nil, nil, .album, .folder]) ?? nil
        if chance(40) { request.predicate = predicate(depth: 1, collectionComparison) }
        if chance(50) {
            request.sort = sort(by: [
                "localizedTitle", "startDate", "endDate", "estimatedAssetCount",
                "modificationDate", "creationDate", "assetCollectionType",
            ])
        }
        if chance(15) { request.limit = number(in: 1..<5) }
        return request
    }

    private func sort(by keys: [String]) -> [AssetFetchRequest.SortKey] {
        (0..<number(in: 0..<4)).map { _ in
            AssetFetchRequest.SortKey(one(of: keys) ?? keys[0], ascending: chance(50))
        }
    }

    private func identifiers() -> [String] {
        assetUUIDs.map { LocalIdentifier(uuid: $0, kind: .asset).description }
    }

    private func predicate(
        depth: Int,
        _ comparison: () -> PredicateNode
    ) -> PredicateNode {
        switch number(in: 0..<(depth > 0 ? 6 : 3)) {
        case 3: .not(predicate(depth: depth - 1, comparison))
        case 4:
            .and([predicate(depth: depth - 1, comparison), predicate(depth: depth - 1, comparison)])
        case 5:
            .or([predicate(depth: depth - 1, comparison), predicate(depth: depth - 1, comparison)])
        default: comparison()
        }
    }

    private func momentScope() -> CollectionFetchRequest.MomentScope {
        let levels = Set(
            one(of: [[MomentLevel.moment], [.cluster], [.year], [.cluster, .year]]) ?? [.moment]
        )
        switch number(in: 0..<6) {
        case 0: return .init(levels, .inList(one(of: collectionUUIDs) ?? ""))
        case 1: return .init(levels, .holding(one(of: collectionUUIDs) ?? ""))
        case 2: return .init(levels, .ofAsset(one(of: assetUUIDs) ?? ""))
        default: return .init(levels)
        }
    }

    private func assetComparison() -> PredicateNode {
        func compare(
            _ key: String,
            _ operation: PredicateComparison.Operator,
            _ value: PredicateTerm
        ) -> PredicateNode {
            .comparison(PredicateComparison(.key(key, position: nil), operation, value))
        }
        switch number(in: 0..<8) {
        case 0: return compare("isFavorite", .equal, .value(.bool(chance(50))))
        case 1: return compare("duration", .greaterOrEqual, .value(.real(2)))
        case 2: return compare("creationDate", .less, .value(date().map { .date($0) } ?? .null))
        case 3: return compare("creationDate", .equal, .value(.null))
        case 4:
            return .comparison(
                PredicateComparison(
                    .key("title", position: nil),
                    .contains,
                    .value(.string("A")),
                    options: [.caseInsensitive, .diacriticInsensitive]
                )
            )
        case 5: return compare("keywords", .contains, .value(.string("x")))
        case 6:
            let named = some(of: identifiers(), atMost: 30).map { PredicateTerm.value(.object($0)) }
            return .comparison(PredicateComparison(.selfObject, .in, .list(named)))
        default:
            let ids = state.assets.keys.sorted()
            return .rowIDs(RowIDBuffer(some(of: ids, atMost: ids.count)))
        }
    }

    private func collectionComparison() -> PredicateNode {
        let key: (String, PredicateComparison.Operator, PredicateValue) =
            one(of: [
                ("localizedTitle", .equal, .string("a")), ("title", .beginsWith, .string("Z")),
                ("estimatedAssetCount", .greater, .integer(2)), ("startDate", .equal, .null),
                ("endDate", .less, .date(Date(timeIntervalSinceReferenceDate: 400_000))),
                ("canContainAssets", .equal, .bool(true)),
                ("collectionListSubtype", .equal, .integer(100)),
                ("assetCollectionType", .equal, .integer(2)),
                ("assetCollectionSubtype", .greater, .integer(205)),
            ]) ?? ("title", .equal, .string(""))
        return .comparison(
            PredicateComparison(.key(key.0, position: nil), key.1, .value(key.2))
        )
    }
}
