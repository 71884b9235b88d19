public import Foundation
internal import PhotoModel

/// The changes between two states of a fetch result, as incremental steps for a list view.
///
/// To transform the result before the change into the one after it, apply the steps in this order.
/// First remove the objects at ``removedIndexes``, all at once. Then insert those at
/// ``insertedIndexes``, in ascending order. Then apply ``enumerateMoves(_:)``. All indexes are
/// valid at each step. ``changedIndexes`` refer to the result after the changes.
///
/// A removed object is never also inserted or changed. An object that no longer matches the
/// predicate counts as removed, and one that newly matches counts as inserted.
open class PHFetchResultChangeDetails<ObjectType: PHObject>: NSObject, @unchecked Sendable {
    // Unchecked because the class is open. Every stored property is immutable and Sendable.

    private let before: PHFetchResult<ObjectType>
    private let after: PHFetchResult<ObjectType>
    private let steps: ListSteps?
    /// The test double's change details, to which this object forwards, or nil if there is no test
    /// double.
    ///
    /// They take precedence over all other values.
    private let model: PHFetchResultChangeDetails<PHObject>?

    /// Creates details of two empty results.
    ///
    /// Programs subclass the class to make a test double.
    public override init() {
        before = PHFetchResult()
        after = PHFetchResult()
        steps = ListSteps()
        model = nil
        super.init()
    }

    /// Creates the details of the changes from one fetch result to another.
    ///
    /// The results may come from any fetches. The cost is one pass over both.
    ///
    /// - Parameters:
    ///   - fromResult: The result before the changes.
    ///   - toResult: The result after the changes.
    ///   - changedObjects: The objects that changed, of which only those in both results count.
    public convenience init(
        from fromResult: PHFetchResult<ObjectType>,
        to toResult: PHFetchResult<ObjectType>,
        changedObjects: [ObjectType]
    ) {
        self.init(
            from: fromResult,
            to: toResult,
            steps: ResultComparison(fromResult, toResult, changed: changedObjects).steps
        )
    }

    init(
        from before: PHFetchResult<ObjectType>,
        to after: PHFetchResult<ObjectType>,
        steps: ListSteps?
    ) {
        self.before = before
        self.after = after
        self.steps = steps
        model = nil
        super.init()
    }

    /// Creates change details by converting `model` to another element type.
    init(
        before: PHFetchResult<ObjectType>,
        like model: PHFetchResultChangeDetails<PHObject>
    ) {
        self.before = before
        after = model.fetchResultAfterChanges.converted()
        steps = model.steps
        // A subclass can override any method, so its own answers are used.
        self.model = type(of: model) == PHFetchResultChangeDetails<PHObject>.self ? nil : model
        super.init()
    }

    // MARK: - Results

    /// The result for which details were requested.
    open var fetchResultBeforeChanges: PHFetchResult<ObjectType> { before }

    /// The fetch result with the changes applied; pass it when requesting the details of the next
    /// change.
    open var fetchResultAfterChanges: PHFetchResult<ObjectType> { after }

    /// Indicates whether incremental steps are available.
    ///
    /// They are not available if too much changed, if the fetch options did not request them, or if
    /// the library's history does not go back far enough. In that case, reload everything: all
    /// index sets are nil, the lists of objects are empty, and there are no moves.
    open var hasIncrementalChanges: Bool { model?.hasIncrementalChanges ?? (steps != nil) }

    // MARK: - Steps

    /// The indexes of removed objects, in the result before the changes.
    open var removedIndexes: IndexSet? {
        if let model { return model.removedIndexes }
        return (steps?.removed).map { IndexSet($0) }
    }

    /// The removed objects, as they were before the changes.
    open var removedObjects: [ObjectType] {
        if let model { return model.removedObjects.compactMap { $0 as? ObjectType } }
        return objects(of: before, at: steps?.removed)
    }

    /// The indexes at which objects are inserted, after the removals and before the moves.
    ///
    /// Insert the objects in ascending order of the indexes.
    open var insertedIndexes: IndexSet? {
        if let model { return model.insertedIndexes }
        return (steps?.inserted).map { IndexSet($0) }
    }

    /// The inserted objects, in the order of their indexes.
    open var insertedObjects: [ObjectType] {
        if let model { return model.insertedObjects.compactMap { $0 as? ObjectType } }
        return objects(of: after, at: steps?.insertedPlaces)
    }

    /// The indexes of changed objects in the result after the changes.
    ///
    /// Only objects that were also in the result before the changes are included.
    open var changedIndexes: IndexSet? {
        if let model { return model.changedIndexes }
        return (steps?.changed).map { IndexSet($0) }
    }

    /// The changed objects, as they are after the changes.
    open var changedObjects: [ObjectType] {
        if let model { return model.changedObjects.compactMap { $0 as? ObjectType } }
        return objects(of: after, at: steps?.changed)
    }

    /// Calls a block with the source index and then the target index of each object that moves.
    ///
    /// The indexes of each move refer to the list after the previous move, and those of the first
    /// move to the list after removing and inserting.
    open func enumerateMoves(_ handler: @escaping (Int, Int) -> Void) {
        if let model { return model.enumerateMoves(handler) }
        for move in steps?.moves ?? [] { handler(move.source, move.target) }
    }

    /// Indicates whether any object moves.
    open var hasMoves: Bool { model?.hasMoves ?? !(steps?.moves ?? []).isEmpty }

    private func objects(of result: PHFetchResult<ObjectType>, at indexes: [Int]?) -> [ObjectType] {
        (indexes ?? []).map { result.object(at: $0) }
    }

    /// The class and the number of steps, for debugging.
    open override var description: String {
        guard hasIncrementalChanges else { return "<\(type(of: self)) reload>" }
        let counts = [removedIndexes, insertedIndexes, changedIndexes].map { $0?.count ?? 0 }
        return "<\(type(of: self)) removed=\(counts[0]) inserted=\(counts[1]) "
            + "changed=\(counts[2]) moves=\(hasMoves)>"
    }
}
