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
        /// It hears of what was committed after this version.
        let since: Int64

        var isAlive: Bool { reference.observer != nil }
    }

    private var entries: [Entry] = []

    /// Adds an observer that is not there.
    mutating func add(_ reference: ObserverReference, for purpose: Purpose, since: Int64) {
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

    /// Those that have to hear of a version.
    func observers(for purpose: Purpose, at version: Int64) -> [ObserverReference] {
        entries.filter { $0.purpose == purpose && $0.since < version && $0.isAlive }
            .map(\.reference)
    }

    /// Forgets those that are gone.
    mutating func removeDead() {
        entries.removeAll { !$0.isAlive }
    }

    var isEmpty: Bool { entries.isEmpty }
}
