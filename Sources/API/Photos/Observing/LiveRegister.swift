internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// A register of the live objects and fetch results that a program holds from one library.
///
/// All references are weak. Released entries are removed whenever the list has doubled, so
/// iterating over a million objects leaves no lasting cost. Of released results, the register keeps
/// the queries of the most recent ones.
package final class LiveRegister: Sendable {
    private struct WeakList<Element: AnyObject> {
        private struct Entry {
            weak var element: Element?
        }

        private var entries: [Entry] = []
        private var limit = 64

        mutating func add(_ element: Element) {
            if entries.count >= limit {
                entries.removeAll { $0.element == nil }
                limit = max(64, entries.count * 2)
            }
            entries.append(Entry(element: element))
        }

        var elements: [Element] { entries.compactMap(\.element) }
    }

    private struct State {
        var tracks = WeakList<FetchTrack>()
        var batches = WeakList<ObjectBatch>()
        var openFetches = OpenFetchList()
    }

    // Guards the lists. No other lock is acquired while it is held.
    private let state = Mutex(State())

    init() {}

    func add(_ track: FetchTrack) {
        let fetch = OpenFetch(track.own)
        state.withLock { state in
            state.tracks.add(track)
            if let fetch { state.openFetches.add(fetch) }
        }
    }

    func add(_ batch: ObjectBatch) {
        state.withLock { $0.batches.add(batch) }
    }

    /// The most recent fetches whose results new objects can enter, whether or not the program
    /// still holds the results.
    var openFetches: [OpenFetch] { state.withLock(\.openFetches.fetches) }

    /// Considers the objects that a change touched for all open fetches.
    func consider(_ touched: TouchedReply) {
        state.withLock { $0.openFetches.consider(touched) }
    }

    /// The tracks of the fetch results that the program holds.
    package var tracks: [FetchTrack] { state.withLock(\.tracks.elements) }

    /// The batches whose objects the program holds.
    package var batches: [ObjectBatch] { state.withLock(\.batches.elements) }
}

extension RowIDBuffer {
    /// Returns whether the buffer, which must be in ascending order, contains a row id.
    func holds(_ id: Int64) -> Bool {
        let place = ids.indexPast({ $0 < id })
        return place < count && self[place] == id
    }
}
