internal import LibraryService

/// An observer of a library, not kept alive.
final class ObserverReference: @unchecked Sendable {
    // Unchecked because observers need not be Sendable: they are called on the library's queue, as
    // their protocols say. The reference itself is only read.

    let name: ObjectIdentifier
    private(set) weak var observer: AnyObject?

    init(_ observer: AnyObject) {
        name = ObjectIdentifier(observer)
        self.observer = observer
    }
}

/// The observers of one library, in the order in which they came.
///
/// None is kept alive, and none is there twice for the same purpose.
struct ObserverList {
    /// What an observer wants to hear of.
    enum Purpose {
        case changes, availability, history
    }

    private struct Entry {
        let purpose: Purpose
        let reference: ObserverReference
        /// It hears of what came after this state; nil when the library was not there.
        let since: LibrarySnapshot?

        var isAlive: Bool { reference.observer != nil }
    }

    private var entries: [Entry] = []

    /// Adds an observer that is not there.
    mutating func add(
        _ reference: ObserverReference,
        for purpose: Purpose,
        since: LibrarySnapshot?
    ) {
        entries.append(Entry(purpose: purpose, reference: reference, since: since))
    }

    /// Removes an observer, if it is there.
    mutating func remove(_ name: ObjectIdentifier, for purpose: Purpose) {
        entries.removeAll { $0.purpose == purpose && $0.reference.name == name }
    }

    func contains(_ name: ObjectIdentifier, for purpose: Purpose) -> Bool {
        // A name is an address, which may be that of another object that was there before.
        entries.contains { $0.purpose == purpose && $0.reference.name == name && $0.isAlive }
    }

    /// Those that have to hear of a state; of no state in particular when that is nil.
    func observers(
        for purpose: Purpose,
        at snapshot: LibrarySnapshot?
    ) -> [ObserverReference] {
        entries.filter { entry in
            guard entry.purpose == purpose, entry.isAlive else { return false }
            guard let snapshot, let since = entry.since else { return true }
            return snapshot.isLater(than: since)
        }.map(\.reference)
    }

    /// Forgets those that are gone.
    mutating func removeDead() {
        entries.removeAll { !$0.isAlive }
    }

    var isEmpty: Bool { entries.isEmpty }
}
