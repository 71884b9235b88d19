internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// What a program has of a library: its fetch results and the objects that it loaded.
///
/// All weakly; what is gone is forgotten when the list has doubled, so that going through a million
/// objects costs nothing that stays.
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
    }

    // Guards the lists; no other lock is taken while it is held.
    private let state = Mutex(State())

    init() {}

    func add(_ track: FetchTrack) {
        state.withLock { $0.tracks.add(track) }
    }

    func add(_ batch: ObjectBatch) {
        state.withLock { $0.batches.add(batch) }
    }

    /// The results that a program has.
    package var tracks: [FetchTrack] { state.withLock(\.tracks.elements) }

    /// The batches of which a program has objects.
    package var batches: [ObjectBatch] { state.withLock(\.batches.elements) }
}

extension RowIDBuffer {
    /// Whether an ascending list has an id.
    func holds(_ id: Int64) -> Bool {
        let place = ids.indexPast({ $0 < id })
        return place < count && self[place] == id
    }
}
