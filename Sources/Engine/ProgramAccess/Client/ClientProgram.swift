package import LibraryService
package import PhotoModel
internal import Synchronization

/// A program that uses libraries, with the permissions that its user granted.
///
/// Every result reflects the choices that are stored at the time of the call. Thread-safe.
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

    /// The program that this process runs.
    package static let current = ClientProgram(
        ProgramIdentity.current,
        override: AccessOverride.current
    )

    /// Returns the access choice for the program, made by the user, the administrator or
    /// `PHOTOS_ACCESS`.
    ///
    /// - Throws: When the choices cannot be read.
    package func choice() throws(LibraryError) -> AccessChoice {
        if let override { return override.choice }
        return try store.choice(of: identity.identifier)
    }

    /// Returns the program's status for an access level; `notDetermined` if the choices cannot be
    /// read.
    package func status(for level: AccessLevel) -> AccessStatus {
        (try? choice())?.status(for: level) ?? .notDetermined
    }

    /// A counter that increases when any program's choice or the policy has changed since this
    /// property was last read.
    ///
    /// Values that were cached when the number was lower must be refreshed.
    package var generation: Int { seen.count(to: store.stamp) }

    // MARK: - Access to one library

    /// Returns the program's current permissions for a library.
    package func grant(for library: String) -> ClientGrant {
        do throws(LibraryError) {
            return grant(for: library, by: try choice())
        } catch {
            return ClientGrant(access: .none, mayCreate: false, refusal: error)
        }
    }

    /// Returns a closure that reads the program's current permissions for a library.
    ///
    /// The closure returns nil if no stored choice and no policy has changed since its last call.
    package func grants(for library: String) -> @Sendable () -> ClientGrant? {
        let last = LastStamp()
        return {
            // The environment of a process does not change.
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

    /// Adds assets to those that the program may see in a library.
    ///
    /// Does nothing unless the program's access is limited.
    ///
    /// - Returns: The UUIDs that the program could not see before.
    @discardableResult
    package func select(
        _ uuids: some Collection<String>,
        in library: String
    ) throws(LibraryError) -> Set<String> {
        guard override == nil else { return [] }
        let uuids = Set(uuids)
        return try store.change(identity.identifier) { choice -> Set<String> in
            guard choice.readWrite == .limited else { return [] }
            let added = uuids.subtracting(choice.selections[library] ?? [])
            choice.selections[library, default: []].formUnion(added)
            return added
        }
    }

    /// Removes assets from those that the program may see in a library.
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

/// Records the last stamp of the access choices, and counts its changes.
private final class LastStamp: Sendable {
    private let last = Mutex<AccessStore.Stamp?>(nil)
    private let changes = Mutex(0)

    var isNoted: Bool { last.withLock { $0 != nil } }

    /// Records the current stamp, and returns how many changes have been seen.
    func count(to stamp: AccessStore.Stamp) -> Int {
        changes.withLock { changes in
            if record(stamp) { changes += 1 }
            return changes
        }
    }

    /// Records the current stamp, and returns whether it differs from the previous one.
    func record(_ stamp: AccessStore.Stamp) -> Bool {
        last.withLock { last in
            defer { last = stamp }
            return last != stamp
        }
    }
}
