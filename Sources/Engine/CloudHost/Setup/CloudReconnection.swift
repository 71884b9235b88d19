internal import CloudKeys
internal import CloudSync
internal import EmbeddedLibrary
internal import ObjectStorage
internal import PhotoModel
internal import RemoteLibrary

/// The replacement of the credentials or the address with which a library connects to its store.
///
/// Before the stored settings are replaced, the store is checked with the new settings. It must be
/// this cloud library with this device as a member, contain everything that this device has seen of
/// it, and be writable. After a failure, the former settings remain.
struct CloudReconnection {
    let engine: LibraryEngine
    let secrets: any SecretStore
    let opener: StoreOpener

    /// Replaces the credentials of the bucket.
    ///
    /// - Returns: The result of the probe of the store.
    /// - Throws: `changeNotSupported` for a folder, which has no credentials; otherwise as
    ///   `move(to:)`.
    func replace(_ credentials: StoreCredentials) async throws(LibraryError) -> ProbeResult {
        let (_, stored) = try CloudIdentity.stored(of: engine, in: secrets)
        guard case .bucket = stored.store.address else {
            throw LibraryError(
                .changeNotSupported,
                "The cloud library at \(stored.store.address.text) has no credentials.",
                reason: "It is in a folder.",
                recovery: "If the folder has moved, use photos cloud move."
            )
        }
        return try await move(
            to: StoreSettings(address: stored.store.address, credentials: credentials)
        )
    }

    /// Changes the address at which the library reaches the same cloud library.
    ///
    /// - Returns: The result of the probe of the store.
    /// - Throws: The error of the store; `volumeMissing` if this cloud library is not there;
    ///   `networkError` if an older copy of it is there.
    func move(to settings: StoreSettings) async throws(LibraryError) -> ProbeResult {
        var (identity, stored) = try CloudIdentity.stored(of: engine, in: secrets)
        stored.marker = try await opener.reading(settings) { objects throws(LibraryError) in
            try await check(objects, &identity, settings.address)
        }
        let store = try opener.open(settings, stored.marker)
        do throws(LibraryError) {
            let probe = try await opener.probe(store, settings, marker: stored.marker)
            await store.close()
            stored.store = settings
            stored.isBackupOnly = probe.capability != .full
            try StoredSettings(of: engine.libraryIdentifier(), in: secrets).write(stored)
            return probe
        } catch {
            await store.close()
            throw error
        }
    }

    /// Checks that a store contains this cloud library, including everything in it that this device
    /// has seen.
    ///
    /// - Returns: The configuration of the cloud library.
    private func check(
        _ objects: CloudObjectReader,
        _ identity: inout CloudIdentity,
        _ address: StoreAddress
    ) async throws(LibraryError) -> ObjectKey? {
        let configurations = try await objects.configurations()
        guard !configurations.isEmpty else {
            throw Self.absence(address, "Its configuration is missing.")
        }
        _ = try await identity.refresh(from: objects)
        guard
            let newest = LibraryConfiguration.newest(of: configurations, members: identity.members)
        else { throw Self.absence(address, "Another cloud library is there.") }
        try identity.checkMembership()
        guard identity.members.certificates[identity.secrets.device] != nil else {
            throw Self.absence(address, "The certificate of this computer is missing.")
        }
        if let error = identity.loss(in: try await objects.logs(), devices: [:]) { throw error }
        return newest.key
    }

    private static func absence(_ address: StoreAddress, _ reason: String) -> LibraryError {
        LibraryError(
            .volumeMissing,
            "The cloud library is not at \(address.text).",
            reason: reason,
            recovery: "Correct the address, or mount the share. The former settings are still used."
        )
    }
}
