package import CloudSync

extension KeyObject {
    private var binding: Binding { Binding(library: library, epoch: epoch, root: root) }

    /// Decrypts the keys with a passphrase; success also proves that ``root`` is authentic.
    ///
    /// - Throws: ``CloudKeyError``: `wrongPassphrase`; `noWrap` if the object has none for a
    ///   passphrase; `damaged`.
    package func open(with passphrase: Passphrase) throws(CloudKeyError) -> EpochKeyring {
        guard let wrap = passphraseWrap, let cost = wrap.cost else {
            throw CloudKeyError(
                .noWrap,
                "The cloud library has no passphrase.",
                recovery: "Use the recovery code."
            )
        }
        let secret = try passphrase.secret(salt: wrap.salt, cost: cost)
        guard let bytes = wrap.open(with: secret, context: binding.passphrase(cost)) else {
            throw .wrongPassphrase
        }
        return try keyring(bytes)
    }

    /// Decrypts the keys with the recovery code; success also proves that ``root`` is authentic.
    ///
    /// - Throws: ``CloudKeyError``: `wrongRecoveryCode` or `damaged`.
    package func open(with code: RecoveryCode) throws(CloudKeyError) -> EpochKeyring {
        let secret = code.secret(salt: recoveryWrap.salt)
        guard let bytes = recoveryWrap.open(with: secret, context: binding.recoveryCode) else {
            throw .wrongRecoveryCode
        }
        return try keyring(bytes)
    }

    /// Decrypts the keys with the secret keys of a member device.
    ///
    /// Anybody who knows the device's public key can encrypt for it, so the signature of the object
    /// is verified first.
    ///
    /// - Throws: ``CloudKeyError``: `noWrap` for a removed device; `unknownSigner`,
    ///   `wrongSignature`, `otherLibrary` or `damaged`.
    package func open(
        as device: CloudID,
        keys: DeviceKeys,
        members: MemberDirectory
    ) throws(CloudKeyError) -> EpochKeyring {
        try verify(with: members)
        guard let entry = entries[device], let wrap = entry.wrap else {
            throw CloudKeyError(
                .noWrap,
                "The keys of epoch \(epoch.hexadecimal) are not encrypted for this device.",
                recovery: "It was removed from the cloud library, or joined later; join it again"
                    + " with the passphrase or the recovery code."
            )
        }
        let context = binding.member(device, entry.fingerprint)
        guard let bytes = wrap.open(with: keys.agreement, context: context) else {
            throw .damaged(Self.objectName(name), "The key for this device does not open.")
        }
        return try keyring(bytes)
    }

    /// Decrypts the keys of former epochs with this epoch's key, which `keyring` must contain.
    ///
    /// - Throws: ``CloudKeyError``: `unknownEpoch` or `damaged`.
    package func open(with keyring: EpochKeyring) throws(CloudKeyError) -> EpochKeyring {
        try self.keyring(try key(in: keyring).bytes)
    }

    /// Returns this epoch's key from a keyring, after checking it against the object's commitment.
    func key(in keyring: EpochKeyring) throws(CloudKeyError) -> EpochKey {
        let object = Self.objectName(name)
        guard let key = keyring[epoch] else { throw .unknownEpoch(object, epoch) }
        guard isEqualInConstantTime(key.commitment, commitment) else {
            throw .damaged(object, "It commits to another key than the epoch's.")
        }
        return key
    }

    /// Returns whether the object states that it belongs to the cloud library of a directory.
    ///
    /// A store can also contain objects of a cloud library whose creation failed.
    package func belongs(to members: MemberDirectory) -> Bool {
        library == members.library && root == members.root
    }

    /// Checks that the object belongs to this cloud library and was signed by a member that is not
    /// removed.
    package func verify(with members: MemberDirectory) throws(CloudKeyError) {
        try verifySignature(with: members)
        guard !members.removed.contains(signer) else {
            throw .unknownSigner(Self.objectName(name), signer)
        }
    }

    /// Checks that the object belongs to this cloud library and was signed by a device whose
    /// certificate is accepted.
    ///
    /// The device may have been removed, so the keys in the object must not be accepted.
    package func verifySignature(with members: MemberDirectory) throws(CloudKeyError) {
        guard belongs(to: members) else { throw .otherLibrary(Self.objectName(name)) }
        try signed.verify(signer: signer, members: members)
    }

    /// Verifies a decrypted key against the object's commitment, and decrypts the keys of former
    /// epochs.
    ///
    /// The commitment is the same for all parties, so all of them get the same key.
    private func keyring(_ bytes: [UInt8]) throws(CloudKeyError) -> EpochKeyring {
        let object = Self.objectName(name)
        guard let key = EpochKey(library: library, id: epoch, bytes: bytes),
            isEqualInConstantTime(key.commitment, commitment)
        else { throw .damaged(object, "It contains another key than it commits to.") }
        var keyring = EpochKeyring(key)
        let (content, _) = try SealedObject.open(
            former,
            named: object,
            purpose: .former,
            keys: keyring
        )
        guard let former = EpochKeyring.keys(of: library, in: content) else {
            throw .damaged(object, "Its list of former keys is incomplete.")
        }
        for key in former { try keyring.insert(key) }
        return keyring
    }
}
