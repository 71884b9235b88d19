internal import Foundation
internal import LibraryService
internal import PhotoModel

/// A comparison that computes the incremental steps from one fetch result to another.
struct ResultComparison {
    let steps: ListSteps

    init<ObjectType: PHObject>(
        _ before: PHFetchResult<ObjectType>,
        _ after: PHFetchResult<ObjectType>,
        changed: [ObjectType]
    ) {
        let changedNames = Set(changed.map(\.localIdentifier))
        // If both results are from one library, row ids identify the objects and no object is
        // loaded.
        if let old = before.objects?.track, let new = after.objects?.track,
            old.connection === new.connection, old.own.query.kind == new.own.query.kind,
            changed.allSatisfy({ $0.batch?.connection === old.connection && $0.rowID != nil })
        {
            steps = ListSteps(
                from: old.own.ids,
                to: new.own.ids,
                changed: Set(changed.compactMap(\.rowID))
            )
        } else {
            steps = ListSteps(
                from: before.localIdentifiers,
                to: after.localIdentifiers,
                changed: changedNames
            )
        }
    }
}

extension AdvanceRequest.Query {
    /// The kind of objects that the query fetches: `asset`, or `album` for all collections.
    fileprivate var kind: ObjectKind {
        switch self {
        case .assets: .asset
        case .collections: .album
        }
    }
}
