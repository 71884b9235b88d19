internal import Synchronization

/// A cache of the most recently used batches of a fetch result's objects.
///
/// Objects are loaded in batches, and only a few batches are kept, so iterating over a million
/// objects does not fill memory. While a batch is cached, each index returns the same object.
///
/// A batch that could not be loaded is cached for a second, and then loaded again when it is used.
/// Until then, its objects cost no attempts, each of which may wait for a lost connection.
final class BatchCache<Object: PHObject>: Sendable {
    /// The maximum number of cached batches: enough for a screenful of a grid and its surroundings.
    private let limit = 8
    /// The time for which a batch that could not be loaded is cached.
    private let failureLifetime = Duration.seconds(1)

    /// The result of loading a batch.
    struct Batch {
        /// One object per index.
        var objects: [Object]
        /// Indicates whether the objects could be loaded; otherwise, they have no values.
        var isLoaded: Bool
        /// The time at which a cached batch that could not be loaded is removed.
        fileprivate var expiry: ContinuousClock.Instant?

        init(objects: [Object], isLoaded: Bool) {
            self.objects = objects
            self.isLoaded = isLoaded
        }
    }

    private struct State {
        var batches: [Int: Batch] = [:]
        /// The batch numbers in order of use, the most recently used last.
        var order: [Int] = []

        mutating func remove(_ batch: Int) {
            batches[batch] = nil
            order.removeAll { $0 == batch }
        }
    }

    // The lock is never held while objects are loaded or client code runs.
    private let state = Mutex(State())

    init() {}

    /// Returns the object at an index from the cache, and loads the object's batch if necessary.
    ///
    /// - Parameters:
    ///   - index: An index within the bounds.
    ///   - count: The number of objects in the fetch result.
    ///   - load: Loads the objects in a range.
    /// - Returns: The same object for the same index as long as its batch is cached.
    func object(at index: Int, of count: Int, load: (Range<Int>) -> Batch) -> Object {
        let size = FetchedAssets.batchSize
        let batch = index / size
        let offset = index % size
        let cached = state.withLock { state -> Object? in
            if let expiry = state.batches[batch]?.expiry, expiry <= .now { state.remove(batch) }
            guard let objects = state.batches[batch]?.objects else { return nil }
            if state.order.last != batch, let place = state.order.firstIndex(of: batch) {
                state.order.remove(at: place)
                state.order.append(batch)
            }
            return objects[offset]
        }
        if let cached { return cached }
        let start = batch * size
        var loaded = load(start..<min(start + size, count))
        if !loaded.isLoaded { loaded.expiry = .now + failureLifetime }
        return state.withLock { state in
            // Another thread may have loaded the batch first.
            if let known = state.batches[batch], known.isLoaded || !loaded.isLoaded {
                return known.objects[offset]
            }
            state.remove(batch)
            if state.order.count >= limit { state.remove(state.order[0]) }
            state.batches[batch] = loaded
            state.order.append(batch)
            return loaded.objects[offset]
        }
    }
}
