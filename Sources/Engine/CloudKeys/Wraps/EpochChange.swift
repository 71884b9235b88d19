package import CloudSync

/// The objects and operations that begin a new epoch, after which neither removed devices nor the
/// former passphrase and recovery code read what is written.
///
/// The caller stores ``object`` first, then publishes the operations, and uses the ring for new
/// objects. To remove a device, the store's credentials are changed before that.
package struct EpochChange: Sendable {
    /// The ring with the new key, which is the current one.
    package let keyring: EpochKeyring
    /// The object to store before the operations are published.
    package let object: KeyObject
    /// The retirements, and then the new epoch.
    package let operations: [CloudOperation]

    /// Removes devices, which may be none, and begins an epoch.
    ///
    /// The passphrase and the recovery code are not stored anywhere, so a person types a passphrase
    /// again, or a new one, and gets a new code. The former ones open the former epochs only.
    ///
    /// - Throws: ``CloudKeyError``: `notAdmitted` if a device is no member, or the signer itself.
    package init(
        removing devices: Set<CloudID>,
        from members: MemberDirectory,
        keyring: EpochKeyring,
        passphrase: Passphrase?,
        recoveryCode: RecoveryCode,
        cost: ScryptCost = .standard,
        signer: KeyObject.Signer,
        using generator: inout some RandomNumberGenerator
    ) throws(CloudKeyError) {
        let current = Set(members.members.map(\.device))
        for device in devices.sorted() where !current.contains(device) || device == signer.device {
            throw CloudKeyError(
                .notAdmitted,
                "The device \(device.hexadecimal) cannot be removed.",
                reason: device == signer.device
                    ? "It is this device." : "It is no member of the cloud library.",
                recovery: "See photos cloud devices; use photos cloud leave for this device."
            )
        }
        let key = EpochKey(library: keyring.library, using: &generator)
        var ring = keyring
        try ring.begin(key)
        let gone = members.removed.union(devices)
        let certificates = members.certificates.values
        object = try KeyObject(
            of: ring,
            root: members.root,
            for: KeyObject.Recipients(
                members: certificates.filter { !gone.contains($0.device) },
                removed: certificates.filter { gone.contains($0.device) },
                passphrase: passphrase,
                recoveryCode: recoveryCode,
                cost: cost
            ),
            after: keyring.current.id,
            signer: signer,
            using: &generator
        )
        self.keyring = ring
        operations = devices.sorted().map(CloudOperation.retire) + [.epoch(key.id)]
    }
}
