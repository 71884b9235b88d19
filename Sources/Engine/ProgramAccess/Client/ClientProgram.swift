package import LibraryService
package import PhotoModel
internal import Synchronization

/// A program as a client of libraries: what it may do, as its user chose.
///
/// Every question is answered from the present choices. Thread-safe.
package final class ClientProgram: Sendable {
    package let identity: ProgramIdentity
    package let store: AccessStore
    package let override: AccessOverride?
    private let seen = LastStamp()

    package init(
        _ identity: ProgramIdentity,
        store: AccessStore = .standard,
        override: AccessOverride? = nil
    ) {
        self.identity = identity
        self.store = store
        self.override = override
    }

    /// The program of this process.
    package static let current = ClientProgram(
        ProgramIdentity.current,
        override: AccessOverride.current
    )

    /// What was chosen.
    ///
    /// - Throws: When the choices cannot be read.
    package func choice() throws(LibraryError) -> AccessChoice {
        if let override { return override.choice }
        return try store.choice(of: identity.identifier)
    }

    /// What holds at a level; nothing is determined while the choices cannot be read.
    package func status(for level: AccessLevel) -> AccessStatus {
        (try? choice())?.status(for: level) ?? .notDetermined
    }

    /// Grows whenever something was chosen, for whichever program: what is remembered from before has
    /// to be asked for again.
    package var generation: Int { seen.count(to: store.stamp) }

    // MARK: - As the client of one library

    /// What it may do with a library at present.
    package func grant(for library: String) -> ClientGrant {
        do throws(LibraryError) {
            return grant(for: library, by: try choice())
        } catch {
            return ClientGrant(access: .none, mayCreate: false, refusal: error)
        }
    }

    /// A question for what it may do with a library, which answers nil while that is unchanged.
    package func grants(for library: String) -> @Sendable () -> ClientGrant? {
        let last = LastStamp()
        return {
            // The environment of a process stays as it is.
            if self.override != nil, last.isNoted { return nil }
            return last.record(self.store.stamp) ? self.grant(for: library) : nil
        }
    }

    private func grant(for library: String, by choice: AccessChoice) -> ClientGrant {
        switch choice.readWrite {
        case .authorized:
            ClientGrant(
                access: choice.includesHidden ? .full : .unhidden,
                mayCreate: true,
                refusal: choice.includesHidden ? nil : refusalOfHidden,
                hiddenRefusal: choice.includesHidden ? nil : refusalOfHidden
            )
        case .limited:
            ClientGrant(
                access: LibraryAccess(
                    .some(choice.selections[library] ?? []),
                    includesHidden: choice.includesHidden
                ),
                mayCreate: true,
                refusal: refusal(of: .limited),
                hiddenRefusal: choice.includesHidden ? nil : refusalOfHidden
            )
        case .notDetermined, .restricted, .denied:
            ClientGrant(
                access: .none,
                mayCreate: choice.addOnly == .authorized,
                refusal: choice.addOnly == .authorized
                    ? refusalOfReading : refusal(of: choice.readWrite)
            )
        }
    }

    /// Adds assets to what it may see of a library, while it is limited.
    package func select(_ uuids: some Collection<String>, in library: String) throws(LibraryError) {
        guard override == nil else { return }
        let uuids = Set(uuids)
        try store.change(identity.identifier) { choice in
            guard choice.readWrite == .limited else { return }
            choice.selections[library, default: []].formUnion(uuids)
        }
    }

    /// Takes assets out of what it may see of a library.
    package func deselect(_ uuids: some Collection<String>, in library: String)
        throws(LibraryError)
    {
        guard override == nil else { return }
        let uuids = Set(uuids)
        try store.change(identity.identifier) { choice in
            _ = choice.selections[library]?.subtract(uuids)
        }
    }
}

/// The state of the choices that the last answer was given from.
private final class LastStamp: Sendable {
    private let last = Mutex<AccessStore.Stamp?>(nil)
    private let changes = Mutex(0)

    var isNoted: Bool { last.withLock { $0 != nil } }

    /// Notes a state, and tells how many there were.
    func count(to stamp: AccessStore.Stamp) -> Int {
        changes.withLock { changes in
            if record(stamp) { changes += 1 }
            return changes
        }
    }

    /// Notes a state, and tells whether it is another one.
    func record(_ stamp: AccessStore.Stamp) -> Bool {
        last.withLock { last in
            defer { last = stamp }
            return last != stamp
        }
    }
}
