internal import Synchronization

/// The objects around the places of a fetch result that were last looked at.
///
/// Objects are loaded by the batch and only a few batches are kept, so going through a million objects
/// does not fill the memory. While a batch is kept, each place has one object.
final class BatchCache<Object: PHObject>: Sendable {
    /// How many batches are kept: enough for a screen of a grid and the places around it.
    private let limit = 8

    private struct State {
        var batches: [Int: [Object]] = [:]
        /// The batch used last is at the end.
        var order: [Int] = []
    }

    // Never held while objects are loaded, nor while client code runs.
    private let state = Mutex(State())

    init() {}

    /// The object at an index.
    ///
    /// - Parameters:
    ///   - index: Within the bounds.
    ///   - count: How many objects there are.
    ///   - load: Loads the objects in a range: as many as there are places in it.
    /// - Returns: The same object for the same index as long as its batch is kept.
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
            // Another thread may have been quicker.
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
