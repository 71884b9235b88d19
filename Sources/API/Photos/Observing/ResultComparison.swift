internal import Foundation
internal import LibraryService
internal import PhotoModel

/// The steps from any fetch result to any other.
struct ResultComparison {
    let steps: ListSteps

    init<ObjectType: PHObject>(
        _ before: PHFetchResult<ObjectType>,
        _ after: PHFetchResult<ObjectType>,
        changed: [ObjectType]
    ) {
        let changedNames = Set(changed.map(\.localIdentifier))
        // Row ids stand for the objects where both results are of one library: nothing is loaded.
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
    /// Whose row ids its answers hold.
    fileprivate var kind: ObjectKind {
        switch self {
        case .assets: .asset
        case .collections: .album
        }
    }
}
