public import Foundation
internal import PhotoModel

/// How the objects of a fetch result became others, in steps that a list can follow.
///
/// Applied in this order to what was there before, they give what is there after: take out the objects
/// at ``removedIndexes``, all at once; put in those at ``insertedIndexes``, in ascending order; then
/// follow ``enumerateMoves(_:)``. At each step every index exists. ``changedIndexes`` count in the
/// result.
///
/// A removed object is never also inserted or changed. One that no longer matches the predicate counts
/// as removed, one that begins to match as inserted.
open class PHFetchResultChangeDetails<ObjectType: PHObject>: NSObject, @unchecked Sendable {
    // Unchecked because the class is open; every stored property is immutable and Sendable.

    private let before: PHFetchResult<ObjectType>
    private let after: PHFetchResult<ObjectType>
    private let steps: ListSteps?
    /// Details of the same change that somebody else made: they say everything.
    private let model: PHFetchResultChangeDetails<PHObject>?

    /// Details of two empty results.
    ///
    /// Programs subclass the class as a test double.
    public override init() {
        before = PHFetchResult()
        after = PHFetchResult()
        steps = ListSteps()
        model = nil
        super.init()
    }

    /// The details that lead from one result to another one.
    ///
    /// Both may be of any fetch. Costs one pass over both.
    ///
    /// - Parameters:
    ///   - fromResult: What was there before.
    ///   - toResult: What is there now.
    ///   - changedObjects: Objects that changed; those in both results count.
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

    /// The same details for a result of another type.
    init(
        before: PHFetchResult<ObjectType>,
        like model: PHFetchResultChangeDetails<PHObject>
    ) {
        self.before = before
        after = model.fetchResultAfterChanges.converted()
        steps = model.steps
        // Of a subclass nothing is known but what it answers.
        self.model = type(of: model) == PHFetchResultChangeDetails<PHObject>.self ? nil : model
        super.init()
    }

    // MARK: - Results

    /// The result that the change was asked about.
    open var fetchResultBeforeChanges: PHFetchResult<ObjectType> { before }

    /// What the same fetch gives now; details of the next change start here.
    open var fetchResultAfterChanges: PHFetchResult<ObjectType> { after }

    /// Whether the single steps are known.
    ///
    /// They are not when too much changed, when the options of the fetch did not want them, or when
    /// the library's history does not reach back to the result. Then reload everything: all index
    /// sets are nil, the lists of objects empty, and there are no moves.
    open var hasIncrementalChanges: Bool { model?.hasIncrementalChanges ?? (steps != nil) }

    // MARK: - Steps

    /// Where objects were taken out, in the result before.
    open var removedIndexes: IndexSet? {
        if let model { return model.removedIndexes }
        return (steps?.removed).map { IndexSet($0) }
    }

    /// The objects that were taken out, as they were.
    open var removedObjects: [ObjectType] {
        if let model { return model.removedObjects.compactMap { $0 as? ObjectType } }
        return objects(of: before, at: steps?.removed)
    }

    /// Where objects were put in, in the result before without those that were removed.
    open var insertedIndexes: IndexSet? {
        if let model { return model.insertedIndexes }
        return (steps?.inserted).map { IndexSet($0) }
    }

    /// The objects that were put in, in the order of their indexes.
    open var insertedObjects: [ObjectType] {
        if let model { return model.insertedObjects.compactMap { $0 as? ObjectType } }
        return objects(of: after, at: steps?.insertedPlaces)
    }

    /// Where objects changed that were there before, in the result after.
    open var changedIndexes: IndexSet? {
        if let model { return model.changedIndexes }
        return (steps?.changed).map { IndexSet($0) }
    }

    /// The objects that changed, as they are now.
    open var changedObjects: [ObjectType] {
        if let model { return model.changedObjects.compactMap { $0 as? ObjectType } }
        return objects(of: after, at: steps?.changed)
    }

    /// Calls a block with each object that changes its place: first where it is taken out, then where
    /// it is put in.
    ///
    /// Each pair counts in the list that the one before left, the first in the list after removing
    /// and inserting.
    open func enumerateMoves(_ handler: @escaping (Int, Int) -> Void) {
        if let model { return model.enumerateMoves(handler) }
        for move in steps?.moves ?? [] { handler(move.source, move.target) }
    }

    /// Whether any object changes its place.
    open var hasMoves: Bool { model?.hasMoves ?? !(steps?.moves ?? []).isEmpty }

    private func objects(of result: PHFetchResult<ObjectType>, at indexes: [Int]?) -> [ObjectType] {
        (indexes ?? []).map { result.object(at: $0) }
    }

    /// The class and the steps, for a person.
    open override var description: String {
        guard hasIncrementalChanges else { return "<\(type(of: self)) reload>" }
        let counts = [removedIndexes, insertedIndexes, changedIndexes].map { $0?.count ?? 0 }
        return "<\(type(of: self)) removed=\(counts[0]) inserted=\(counts[1]) "
            + "changed=\(counts[2]) moves=\(hasMoves)>"
    }
}
