internal import CloudKeys
internal import CloudSync
internal import Logging
internal import ObjectStorage
internal import PhotoLibrary
internal import PhotoModel
internal import RemoteLibrary

/// The management of a cloud library's epochs and the secrets that decrypt their keys.
///
///     former ──object stored──▶ both ──beginning committed──▶ new ──former objects removed──▶ new
///
/// 1. The object with the new keys is stored before the epoch begins, and the former objects are
///    removed last. A crash in between leaves at least one passphrase that opens the keys.
/// 2. An epoch whose object is stored and that did not begin is begun by the next device that
///    reads it, unless a later epoch has its key.
/// 3. Of two epochs that began at once, the register's is the current one. Its object gets the
///    keys of the other one, so that whoever opens it reads everything. No object gets the keys of
///    an epoch that followed its own.
/// 4. A former object is removed only by the device that signed one of the current epoch with all
///    of its keys and devices, once every member knows that device: it can then open that one.
extension SyncHost {
    /// The outcome of changing the passphrase and the recovery code.
    struct NewSecrets: Sendable {
        var recoveryCode: RecoveryCode
        /// Indicates whether the change is published and readable by the other devices.
        ///
        /// If it is not, the next session publishes it.
        var isPublished = false
        /// Indicates whether all key objects that can be decrypted with the former secrets were
        /// removed from the store.
        var areFormerRemoved = false
    }

    /// Sets a new passphrase, creates a new recovery code, and begins an epoch that only the new
    /// secrets open.
    ///
    /// - Throws: Why nothing was changed, unless the outcome of a request is not known.
    func changePassphrase(_ text: String) async throws(LibraryError) -> NewSecrets {
        let passphrase = try keys { () throws(CloudKeyError) in try Passphrase(text) }
        _ = try await session()
        return try await changeSecrets(removing: [], passphrase)
    }

    /// Begins an epoch with a new recovery code.
    ///
    /// - Parameters:
    ///   - devices: The devices that do not get its key.
    ///   - passphrase: The passphrase that opens it; nil for none.
    /// - Returns: The recovery code, which is stored nowhere, and what became of the change.
    /// - Throws: An error until the new keys are stored, and none from then on.
    func changeSecrets(
        removing devices: Set<CloudID>,
        _ passphrase: Passphrase?
    ) async throws(LibraryError) -> NewSecrets {
        let (change, code) = try await storeKeys(removing: devices, passphrase)
        var secrets = NewSecrets(recoveryCode: code)
        do throws(LibraryError) {
            try await begin(change.object, change.operations)
            _ = try await session()
            secrets.isPublished = true
            secrets.areFormerRemoved = try await removeFormerKeys()
        } catch {
            configuration.logger.warning(
                "A new epoch of a cloud library is not published yet; the next session does it.",
                metadata: ["cloud.error": configuration.logger.detail("\(error)")]
            )
        }
        return secrets
    }

    // MARK: - Steps

    /// Creates an epoch and stores its keys, without beginning the epoch.
    func storeKeys(
        removing devices: Set<CloudID>,
        _ passphrase: Passphrase?
    ) async throws(LibraryError) -> (change: EpochChange, code: RecoveryCode) {
        var generator = SystemRandomNumberGenerator()
        let code = RecoveryCode(using: &generator)
        let change: EpochChange
        do throws(CloudKeyError) {
            change = try EpochChange(
                removing: devices,
                from: identity.members,
                keyring: identity.secrets.keyring,
                passphrase: passphrase,
                recoveryCode: code,
                signer: identity.signer,
                using: &generator
            )
            for key in change.keyring.all { try identity.secrets.keyring.insert(key) }
        } catch {
            throw LibraryError(error)
        }
        try identity.save()
        do throws(LibraryError) {
            try await store(change.object)
        } catch {
            throw LibraryError(
                error.code,
                error.message,
                reason: error.reason,
                recovery: "Try again. Until that succeeds, it is not known whether the former"
                    + " passphrase or the new one counts."
            )
        }
        return (change, code)
    }

    private func store(_ object: KeyObject) async throws(LibraryError) {
        try await CloudObjectReader(store)
            .put(object.encoded, as: KeyObject.objectName(object.name))
    }

    /// Begins an epoch whose keys are already stored.
    private func begin(
        _ object: KeyObject,
        _ operations: [CloudOperation]
    ) async throws(LibraryError) {
        for device in object.removed { identity.members.remove(device) }
        // A device that joins reads the keys after it has written its certificate, so at least one
        // of the two sees the other.
        try await refreshIdentity()
        if !Set(identity.members.certificates.keys).isSubset(of: object.listed.keys) {
            try await extend(object)
        }
        try await complete(.commit(operations, adding: []))
        try await followEpoch()
    }

    /// Stores another key object for the same epoch, with all known keys encrypted for all members.
    ///
    /// The secrets of the epoch open all these keys. So nothing is stored if one of the keys may be
    /// that of a later epoch.
    private func extend(_ object: KeyObject) async throws(LibraryError) {
        guard !hasSuccessor(object.epoch) else { return }
        var generator = SystemRandomNumberGenerator()
        let extended: KeyObject
        do throws(CloudKeyError) {
            extended = try object.extended(
                with: identity.secrets.keyring,
                to: identity.members,
                signer: identity.signer,
                using: &generator
            )
        } catch {
            throw LibraryError(error)
        }
        try await store(extended)
        try await refreshIdentity()
    }

    // MARK: - In sessions

    /// Completes key changes that were interrupted by a crash or made by another device at the same
    /// time.
    func completeKeys() async throws(LibraryError) {
        if interruptedKeys != nil {
            // An object that this device has not read yet may belong to a later epoch.
            try await refreshIdentity()
        }
        if let object = interruptedKeys?.object {
            let removed = object.removed.subtracting(machine.state.retired).sorted()
            try await begin(object, removed.map(CloudOperation.retire) + [.epoch(object.epoch)])
        }
        let epochs = Set(
            identity.keyObjects.values.filter { !$0.epochs.isEmpty }.map(\.object.epoch)
        )
        guard let best = currentKeys, !epochs.isSubset(of: best.epochs) else { return }
        try await extend(best.object)
    }

    /// Removes the key objects of former epochs that can be removed safely.
    ///
    /// - Returns: Whether none is left, nor an object that cannot be decoded and may be one.
    func removeFormerKeys() async throws(LibraryError) -> Bool {
        let current = identity.secrets.keyring.current.id
        let all = Array(identity.keyObjects.values) + Array(identity.refusedKeys.values)
        let former = all.filter { $0.object.epoch != current }
        guard !former.isEmpty else { return !identity.hasUndecodableKeys }
        guard canDelete, machine.mayEvict, let own = currentKeys,
            own.object.signer == identity.secrets.device
        else { return false }
        var areRemoved = !identity.hasUndecodableKeys
        for keys in former {
            guard Self.covers(own, keys) else {
                areRemoved = false
                continue
            }
            try await CloudObjectReader.request { () throws(ObjectStoreError) in
                _ = try await store.delete(
                    try ObjectKey(KeyObject.objectName(keys.object.name)),
                    timeout: CloudObjectReader.timeout
                )
            }
            identity.forgetKeys(keys.object.name)
        }
        return areRemoved
    }

    /// The key object of an epoch that was created to succeed the current epoch but has not begun;
    /// nil if there is none.
    private var interruptedKeys: KnownKeys? {
        let current = identity.secrets.keyring.current.id
        let all = identity.keyObjects.values
        return Self.best(
            all.filter { keys in
                keys.object.predecessor == current && keys.epochs.contains(current)
                    && !hasSuccessor(keys.object.epoch)
            }
        )
    }

    /// Returns whether a key object shows that a later epoch began after the given epoch.
    ///
    /// Key objects contain the keys of all earlier epochs.
    private func hasSuccessor(_ epoch: CloudID) -> Bool {
        identity.keyObjects.values.contains {
            $0.object.epoch != epoch
                && ($0.object.predecessor == epoch || $0.epochs.contains(epoch))
        }
    }

    /// The current epoch's key object that contains the most keys; nil if no key object of the
    /// epoch is known.
    ///
    /// Among objects with equally many keys, one that this device signed is preferred.
    private var currentKeys: KnownKeys? {
        let current = identity.secrets.keyring.current.id
        return Self.best(identity.keyObjects.values.filter { $0.object.epoch == current }) {
            $0.object.signer == identity.secrets.device
        }
    }

    /// Returns the key object that contains the most keys; nil if there are no candidates.
    ///
    /// Among objects with equally many keys, one for which `isPreferred` returns true is chosen.
    private static func best(
        _ candidates: [KnownKeys],
        _ isPreferred: (KnownKeys) -> Bool = { _ in false }
    ) -> KnownKeys? {
        candidates.max {
            ($0.epochs.count, isPreferred($0) ? 1 : 0, $0.object.name)
                < ($1.epochs.count, isPreferred($1) ? 1 : 0, $1.object.name)
        }
    }

    /// Returns whether a new key object contains all keys and lists all devices of a former key
    /// object.
    private static func covers(_ new: KnownKeys, _ former: KnownKeys) -> Bool {
        !former.epochs.isEmpty && former.epochs.isSubset(of: new.epochs)
            && former.object.listed.allSatisfy { new.object.listed[$0.key] == $0.value }
            && former.object.removed.isSubset(of: new.object.removed)
    }
}
