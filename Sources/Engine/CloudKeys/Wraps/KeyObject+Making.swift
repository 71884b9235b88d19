package import CloudSync

extension KeyObject {
    /// The parties for whom an epoch's key is encrypted.
    package struct Recipients: Sendable {
        /// The certificates of the members.
        package var members: [DeviceCertificate]
        /// The certificates of removed devices, whose old segments remain readable.
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

    /// A device that signs an object.
    package struct Signer: Sendable {
        package var device: CloudID
        package var keys: DeviceKeys

        package init(device: CloudID, keys: DeviceKeys) {
            self.device = device
            self.keys = keys
        }
    }

    /// Encrypts the current key of a ring, and with it the others.
    ///
    /// The same call serves a new cloud library, a new passphrase and a new epoch.
    package init(
        of keyring: EpochKeyring,
        root: Fingerprint,
        for recipients: Recipients,
        signer: Signer,
        using generator: inout some RandomNumberGenerator
    ) throws(CloudKeyError) {
        let name = CloudID(using: &generator)
        let key = keyring.current
        let binding = Binding(library: key.library, epoch: key.id, root: root)
        var fields = TaggedFields()
        fields[id: Tag.library] = key.library
        fields[id: Tag.epoch] = key.id
        fields[Tag.root] = root.bytes
        fields[Tag.commitment] = key.commitment
        if let passphrase = recipients.passphrase {
            let salt = generator.bytes(SecretWrap.saltSize)
            let cost = recipients.cost
            fields[Tag.passphrase] = try SecretWrap(
                key,
                salt: salt,
                cost: cost,
                secret: passphrase.secret(salt: salt, cost: cost),
                context: binding.passphrase(cost)
            ).encoded
        }
        let salt = generator.bytes(SecretWrap.saltSize)
        fields[Tag.recovery] = try SecretWrap(
            key,
            salt: salt,
            cost: nil,
            secret: recipients.recoveryCode.secret(salt: salt),
            context: binding.recoveryCode
        ).encoded
        var entries: [CloudID: Entry] = [:]
        for member in recipients.members {
            let context = binding.member(member.device, member.fingerprint)
            let wrap = try MemberWrap(key, for: member.memberKey, context: context)
            entries[member.device] = Entry(fingerprint: member.fingerprint, wrap: wrap)
        }
        for device in recipients.removed {
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
        let object = Self.objectName(name)
        try self.init(
            SignedFields(signing: fields, as: .keys, named: object, keys: signer.keys),
            name
        )
    }
}

/// The values that each wrap of a key object authenticates.
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
