internal import Foundation
internal import PhotoModel
public import Photos

extension PHFetchResultChangeDetails {
    /// The changes as a `CollectionDifference`; nil if there are no incremental changes.
    ///
    /// Removal offsets refer to the result before, insertion offsets to the result after. A moved
    /// object is removed and inserted, and the two changes refer to each other. Objects that
    /// changed in place are not included; see `changedIndexes`.
    public var difference: CollectionDifference<ObjectType>? {
        guard hasIncrementalChanges, let removedIndexes, let insertedIndexes else { return nil }
        var steps = ListSteps(removed: Array(removedIndexes), inserted: Array(insertedIndexes))
        var moves: [ListSteps.Move] = []
        enumerateMoves { moves.append(ListSteps.Move(from: $0, to: $1)) }
        steps.moves = moves
        let (before, after) = (fetchResultBeforeChanges, fetchResultAfterChanges)
        typealias Change = CollectionDifference<ObjectType>.Change
        var changes: [Change] = steps.removed.map {
            .remove(offset: $0, element: before.object(at: $0), associatedWith: nil)
        }
        changes += steps.insertedPlaces.map {
            .insert(offset: $0, element: after.object(at: $0), associatedWith: nil)
        }
        for move in steps.movedPlaces {
            changes.append(
                .remove(
                    offset: move.old,
                    element: before.object(at: move.old),
                    associatedWith: move.new
                )
            )
            changes.append(
                .insert(
                    offset: move.new,
                    element: after.object(at: move.new),
                    associatedWith: move.old
                )
            )
        }
        return CollectionDifference(changes)
    }
}
