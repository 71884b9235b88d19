/// What a fetch result stands on.
///
/// Indexes are checked by the result. Calls may come from any thread.
protocol FetchedObjects: Sendable {
    /// What they are the answer to; nil for objects that no fetch can bring up to date.
    var track: FetchTrack? { get }

    /// The objects of a later answer to the same fetch.
    func successor(with answer: FetchTrack.Answer) -> any FetchedObjects

    /// How many objects there are; never changes.
    var count: Int { get }

    /// The object at an index within the bounds.
    func object(at index: Int) -> PHObject

    /// Where an object equal to this one is, within a range within the bounds.
    func index(of object: PHObject, in range: Range<Int>) -> Int?

    /// How many of them are assets of a media type.
    func countOfAssets(with mediaType: PHAssetMediaType) -> Int
}

/// A fetch result as a list of identifiers, whatever it holds: what `IN %@` compares with.
protocol FetchResultIdentifiers {
    var localIdentifiers: [String] { get }
}
