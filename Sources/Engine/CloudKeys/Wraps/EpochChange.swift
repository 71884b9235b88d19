package import CloudSync

/// A change to a new encryption epoch: its keyring, the object with its wrapped keys, and the
/// operations to publish.
///
/// Neither removed devices nor the former passphrase and recovery code can read what is written in
/// the new epoch. The caller stores ``object`` first, then publishes the operations, and uses the
/// keyring for new objects. If a device is removed, the credentials of the store must be changed
/// before.
package struct EpochChange: Sendable {
    /// The keyring with the new key as its current key.
    package let keyring: EpochKeyring
    /// The key object, which must be stored before the operations are published.
    package let object: KeyObject
    /// The operations that retire devices and then begin the new epoch.
    package let operations: [CloudOperation]

    /// Creates the change that begins an epoch and removes devices, if any are given.
    ///
    /// The passphrase and the recovery code are not stored anywhere. So the user enters a
    /// passphrase again, or a new one, and receives a new recovery code. The former secrets open
    /// the former epochs only.
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
