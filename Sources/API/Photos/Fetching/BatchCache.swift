internal import Synchronization

/// A cache of the most recently used batches of a fetch result's objects.
///
/// Objects are loaded in batches, and only a few batches are kept, so iterating over a million
/// objects does not fill memory. While a batch is cached, each index returns the same object.
final class BatchCache<Object: PHObject>: Sendable {
    /// The maximum number of cached batches: enough for a screenful of a grid and its surroundings.
    private let limit = 8

    private struct State {
        var batches: [Int: [Object]] = [:]
        /// The batch numbers in order of use, the most recently used last.
        var order: [Int] = []
    }

    // The lock is never held while objects are loaded or client code runs.
    private let state = Mutex(State())

    init() {}

    /// Returns the object at an index from the cache, and loads the object's batch if necessary.
    ///
    /// - Parameters:
    ///   - index: An index within the bounds.
    ///   - count: The number of objects in the fetch result.
    ///   - load: Loads the objects in a range and returns one object per index.
    /// - Returns: The same object for the same index as long as its batch is cached.
    func object(at index: Int, of count: Int, load: (Range<Int>) -> [Object]) -> Object {
        let size = FetchedAssets.batchSize
        let batch = index / size
        let offset = index % size
        let cached = state.withLock { state -> Object? in
            guard let objects = state.batches[batch] else { return nil }
            if state.order.last != batch, let place = state.order.firstIndex(of: batch) {
                state.order.remove(at: place)
                state.order.append(batch)
            }
            return objects[offset]
        }
        if let cached { return cached }
        let start = batch * size
        let loaded = load(start..<min(start + size, count))
        return state.withLock { state in
            // Another thread may have loaded the batch first.
            if let objects = state.batches[batch] { return objects[offset] }
            if state.order.count >= limit {
                state.batches[state.order.removeFirst()] = nil
            }
            state.batches[batch] = loaded
            state.order.append(batch)
            return loaded[offset]
        }
    }
}
