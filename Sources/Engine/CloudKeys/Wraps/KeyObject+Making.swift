package import CloudSync

extension KeyObject {
    /// The parties for whom an epoch's key is encrypted.
    package struct Recipients: Sendable {
        /// The certificates of the members.
        package var members: [DeviceCertificate]
        /// The certificates of removed devices, which the key object lists without an encrypted
        /// key.
        ///
        /// By this list, members can still verify the segments that these devices wrote.
        package var removed: [DeviceCertificate] = []
        package var passphrase: Passphrase?
        package var recoveryCode: RecoveryCode
        package var cost = ScryptCost.standard

        package init(
            members: [DeviceCertificate],
            removed: [DeviceCertificate] = [],
            passphrase: Passphrase?,
            recoveryCode: RecoveryCode,
            cost: ScryptCost = .standard
        ) {
            self.members = members
            self.removed = removed
            self.passphrase = passphrase
            self.recoveryCode = recoveryCode
            self.cost = cost
        }
    }

    /// The identifier and the keys of a device that signs a key object.
    package struct Signer: Sendable {
        package var device: CloudID
        package var keys: DeviceKeys

        package init(device: CloudID, keys: DeviceKeys) {
            self.device = device
            self.keys = keys
        }
    }

    /// Creates a key object for the epoch of a keyring's current key.
    ///
    /// It contains the current key and, encrypted with that key, the other keys. It is used both
    /// for a new cloud library and for a new epoch.
    package init(
        of keyring: EpochKeyring,
        root: Fingerprint,
        for recipients: Recipients,
        after predecessor: CloudID? = nil,
        signer: Signer,
        using generator: inout some RandomNumberGenerator
    ) throws(CloudKeyError) {
        let key = keyring.current
        let binding = Binding(library: key.library, epoch: key.id, root: root)
        var passphrase: SecretWrap?
        if let text = recipients.passphrase {
            let salt = generator.bytes(SecretWrap.saltSize)
            let cost = recipients.cost
            passphrase = try SecretWrap(
                key,
                salt: salt,
                cost: cost,
                secret: text.secret(salt: salt, cost: cost),
                context: binding.passphrase(cost)
            )
        }
        let salt = generator.bytes(SecretWrap.saltSize)
        let recoveryCode = try SecretWrap(
            key,
            salt: salt,
            cost: nil,
            secret: recipients.recoveryCode.secret(salt: salt),
            context: binding.recoveryCode
        )
        try self.init(
            of: key,
            with: keyring,
            binding,
            Wraps(passphrase: passphrase, recoveryCode: recoveryCode, predecessor: predecessor),
            members: recipients.members,
            removed: recipients.removed,
            signer: signer,
            using: &generator
        )
    }

    /// Creates another key object of the same epoch, for all members and with all keys of
    /// `keyring`.
    ///
    /// The passphrase and the recovery code stay valid: their encrypted keys are copied, so nobody
    /// has to enter them. This is needed if a device joined, or another epoch began, at the same
    /// time.
    ///
    /// - Throws: ``CloudKeyError``: `unknownEpoch` if the ring lacks the epoch's key, `damaged` if
    ///   it has another one.
    package func extended(
        with keyring: EpochKeyring,
        to members: MemberDirectory,
        signer: Signer,
        using generator: inout some RandomNumberGenerator
    ) throws(CloudKeyError) -> KeyObject {
        let key = try key(in: keyring)
        let certificates = members.certificates.values
        return try KeyObject(
            of: key,
            with: keyring,
            Binding(library: library, epoch: epoch, root: root),
            Wraps(
                passphrase: passphraseWrap,
                recoveryCode: recoveryWrap,
                predecessor: predecessor
            ),
            members: certificates.filter { !members.removed.contains($0.device) },
            removed: certificates.filter { members.removed.contains($0.device) },
            signer: signer,
            using: &generator
        )
    }

    /// The parts of a key object that are copied into further objects of its epoch.
    private struct Wraps {
        var passphrase: SecretWrap?
        var recoveryCode: SecretWrap
        var predecessor: CloudID?
    }

    private init(
        of key: EpochKey,
        with keyring: EpochKeyring,
        _ binding: Binding,
        _ wraps: Wraps,
        members: [DeviceCertificate],
        removed: [DeviceCertificate],
        signer: Signer,
        using generator: inout some RandomNumberGenerator
    ) throws(CloudKeyError) {
        let name = CloudID(using: &generator)
        var fields = TaggedFields()
        fields[id: Tag.library] = key.library
        fields[id: Tag.epoch] = key.id
        fields[Tag.root] = binding.root.bytes
        fields[Tag.commitment] = key.commitment
        fields[Tag.passphrase] = wraps.passphrase?.encoded
        fields[Tag.recovery] = wraps.recoveryCode.encoded
        var entries: [CloudID: Entry] = [:]
        for member in members {
            let context = binding.member(member.device, member.fingerprint)
            let wrap = try MemberWrap(key, for: member.memberKey, context: context)
            entries[member.device] = Entry(fingerprint: member.fingerprint, wrap: wrap)
        }
        for device in removed {
            entries[device.device] = Entry(fingerprint: device.fingerprint, wrap: nil)
        }
        fields[Tag.entries] = Self.encode(entries)
        fields[Tag.former] = try SealedObject.seal(
            EpochKeyring.list(keyring.all.filter { $0.id != key.id }),
            named: Self.objectName(name),
            purpose: .former,
            epoch: key
        )
        fields[id: Tag.signer] = signer.device
        fields[id: Tag.predecessor] = wraps.predecessor
        let object = Self.objectName(name)
        try self.init(
            SignedFields(signing: fields, as: .keys, named: object, keys: signer.keys),
            name
        )
    }
}

/// The values that are authenticated with each encrypted key of a key object.
struct Binding {
    var library: CloudID
    var epoch: CloudID
    var root: Fingerprint

    private func context(_ kind: String) -> Context {
        Context("swift-photos cloud 1 wrap").appending(kind).appending(library.bytes)
            .appending(epoch.bytes).appending(root.bytes)
    }

    func passphrase(_ cost: ScryptCost) -> Context {
        context("passphrase").appending([cost.exponent, cost.blockSize, cost.parallelism])
    }

    var recoveryCode: Context { context("recovery code") }

    func member(_ device: CloudID, _ fingerprint: Fingerprint) -> Context {
        context("member").appending(device.bytes).appending(fingerprint.bytes)
    }
}
