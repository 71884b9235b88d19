/// The storage behind a fetch result.
///
/// The fetch result checks indexes. Methods may be called from any thread.
protocol FetchedObjects: Sendable {
    /// The query that produced the objects, or nil if they were not produced by a query.
    var track: FetchTrack? { get }

    /// Returns the storage for the result of the same query at a later library state, as given by
    /// `answer`.
    func successor(with answer: FetchTrack.Answer) -> any FetchedObjects

    /// The number of objects, which never changes.
    var count: Int { get }

    /// Returns the object at an index within the bounds.
    func object(at index: Int) -> PHObject

    /// Returns the index of an object that is equal to `object`, or nil if there is none in the
    /// range.
    ///
    /// The range must be within the bounds.
    func index(of object: PHObject, in range: Range<Int>) -> Int?

    /// Returns the number of assets of a media type.
    func countOfAssets(with mediaType: PHAssetMediaType) -> Int
}

/// A fetch result of any element type, as an argument of `IN %@` in a predicate.
///
/// The predicate reads the local identifiers of the result's objects.
protocol FetchResultIdentifiers {
    var localIdentifiers: [String] { get }
}
