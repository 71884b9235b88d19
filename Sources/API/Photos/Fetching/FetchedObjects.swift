/// The storage behind a fetch result.
///
/// The fetch result checks indexes. Methods may be called from any thread.
protocol FetchedObjects: Sendable {
    /// The query that produced the objects, or nil for a list that no query produced.
    var track: FetchTrack? { get }

    /// Returns the storage for the result of the same query at a later library state, as given by
    /// `answer`.
    func successor(with answer: FetchTrack.Answer) -> any FetchedObjects

    /// The number of objects, which never changes.
    var count: Int { get }

    /// Returns the object at an index within the bounds.
    func object(at index: Int) -> PHObject

    /// Returns the index of an equal object in a range within the bounds, or nil if there is none.
    func index(of object: PHObject, in range: Range<Int>) -> Int?

    /// Returns the number of assets of a media type.
    func countOfAssets(with mediaType: PHAssetMediaType) -> Int
}

/// A protocol for fetch results of any element type, used to read the local identifiers of a result
/// that is passed as the argument of `IN %@` in a predicate.
protocol FetchResultIdentifiers {
    var localIdentifiers: [String] { get }
}
