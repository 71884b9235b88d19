internal import Foundation
internal import PhotoModel
public import Photos

extension PHFetchResultChangeDetails {
    /// The steps as the standard library's difference of two lists, ready for `applying(_:)`; nil when
    /// there are no incremental changes.
    ///
    /// Removals count in the result before, insertions in the result after. An object that moves is
    /// removed and inserted, and each of the two names the other one. Objects that changed in their
    /// places are not part of it: see `changedIndexes`.
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
