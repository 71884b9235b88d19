internal import LibraryService

/// A weak reference to an observer of a library.
final class ObserverReference: @unchecked Sendable {
    // Unchecked because observers need not be Sendable: they are called on the library's queue, as
    // their protocols specify. The reference itself is only read.

    let name: ObjectIdentifier
    private(set) weak var observer: AnyObject?

    init(_ observer: AnyObject) {
        name = ObjectIdentifier(observer)
        self.observer = observer
    }
}

/// The observers of one library, in order of registration.
///
/// Observers are referenced weakly, and each is in the list at most once per purpose.
struct ObserverList {
    /// The kind of event that an observer is notified of.
    enum Purpose {
        case changes, availability, history
    }

    private struct Entry {
        let purpose: Purpose
        let reference: ObserverReference
        /// The state at registration, after which changes are reported; nil if the library was
        /// unavailable.
        let since: LibrarySnapshot?

        var isAlive: Bool { reference.observer != nil }
    }

    private var entries: [Entry] = []

    /// Adds an observer, which must not be in the list yet.
    mutating func add(
        _ reference: ObserverReference,
        for purpose: Purpose,
        since: LibrarySnapshot?
    ) {
        entries.append(Entry(purpose: purpose, reference: reference, since: since))
    }

    /// Removes an observer if it is in the list.
    mutating func remove(_ name: ObjectIdentifier, for purpose: Purpose) {
        entries.removeAll { $0.purpose == purpose && $0.reference.name == name }
    }

    func contains(_ name: ObjectIdentifier, for purpose: Purpose) -> Bool {
        // A name is an address, which may be reused from a released object.
        entries.contains { $0.purpose == purpose && $0.reference.name == name && $0.isAlive }
    }

    /// Returns the observers that registered for `purpose` before the library reached the given
    /// state.
    ///
    /// If the state is nil, all observers of the purpose are returned. An observer that registered
    /// while the library was unavailable is always included.
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

    /// Removes the entries of observers that have been deallocated.
    mutating func removeDead() {
        entries.removeAll { !$0.isAlive }
    }

    var isEmpty: Bool { entries.isEmpty }
}
