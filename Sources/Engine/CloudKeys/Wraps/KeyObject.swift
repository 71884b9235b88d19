package import CloudSync

/// A store object that contains an epoch's key, encrypted separately for each authorized party.
///
///     "spk1" ‖ fields ‖ signature
///
/// It also contains the keys of former epochs, encrypted with this epoch's key. So a party that
/// opens it can read all earlier objects, and a removed device can read no later ones.
package struct KeyObject: Hashable, Sendable {
    /// A device's entry in the list of a key object.
    package struct Entry: Hashable, Sendable {
        package var fingerprint: Fingerprint
        /// The epoch's key, encrypted for the device; nil for a removed device.
        var wrap: MemberWrap?
    }

    package let name: CloudID
    package let library: CloudID
    package let epoch: CloudID
    /// The fingerprint of the first device's certificate, which is authenticated with each
    /// encrypted key.
    package let root: Fingerprint
    package let signer: CloudID
    /// The previous epoch, which this object's epoch was created to replace.
    ///
    /// It is nil for the first epoch, and in objects of earlier versions.
    package let predecessor: CloudID?
    package let entries: [CloudID: Entry]
    let commitment: [UInt8]
    let passphraseWrap: SecretWrap?
    let recoveryWrap: SecretWrap
    let former: [UInt8]
    let signed: SignedFields

    enum Tag {
        static let library: UInt16 = 1
        static let epoch: UInt16 = 2
        static let root: UInt16 = 3
        static let commitment: UInt16 = 4
        static let passphrase: UInt16 = 5
        static let recovery: UInt16 = 6
        static let entries: UInt16 = 7
        static let former: UInt16 = 8
        static let signer: UInt16 = 9
        static let predecessor: UInt16 = 10
    }

    /// Decodes a key object.
    ///
    /// Its content is not authenticated until the object is opened or verified.
    package init(decoding bytes: [UInt8], named name: CloudID) throws(CloudKeyError) {
        let object = Self.objectName(name)
        try self.init(SignedFields(decoding: bytes, as: .keys, named: object), name)
    }

    init(_ signed: SignedFields, _ name: CloudID) throws(CloudKeyError) {
        let object = Self.objectName(name)
        let fields = signed.fields
        guard let library = fields[id: Tag.library], let epoch = fields[id: Tag.epoch],
            let root = fields[Tag.root].flatMap(Fingerprint.init(bytes:)),
            let signer = fields[id: Tag.signer],
            let commitment = fields.bytes(Tag.commitment, count: 32),
            let recovery = fields[Tag.recovery], let list = fields[Tag.entries],
            let former = fields[Tag.former]
        else { throw .damaged(object, "A field is missing or invalid.") }
        self.signed = signed
        self.name = name
        self.library = library
        self.epoch = epoch
        self.root = root
        self.signer = signer
        predecessor = fields[id: Tag.predecessor]
        self.commitment = commitment
        self.former = former
        if let bytes = fields[Tag.passphrase] {
            passphraseWrap = try SecretWrap(decoding: bytes, hasCost: true, of: object)
        } else {
            passphraseWrap = nil
        }
        recoveryWrap = try SecretWrap(decoding: recovery, hasCost: false, of: object)
        entries = try Self.entries(decoding: list, of: object)
    }

    package var encoded: [UInt8] { signed.encoded }

    package static func objectName(_ name: CloudID) -> String { "keys/\(name.hexadecimal)" }

    /// Indicates whether the epoch's key is also encrypted with a passphrase.
    package var hasPassphrase: Bool { passphraseWrap != nil }

    /// The fingerprints of the certificates that the object's signer had accepted, by device.
    package var listed: [CloudID: Fingerprint] { entries.mapValues(\.fingerprint) }

    /// The listed devices for which the key is not encrypted because they were removed.
    package var removed: Set<CloudID> {
        Set(entries.filter { $0.value.wrap == nil }.keys)
    }

    // MARK: - Coding

    static func encode(_ entries: [CloudID: Entry]) -> [UInt8] {
        var writer = SegmentWriter()
        writer.append(UInt32(clamping: entries.count))
        for (device, entry) in entries.sorted(by: { $0.key < $1.key }) {
            writer.append(device)
            writer.append(counted: entry.fingerprint.bytes)
            writer.append(counted: entry.wrap?.encoded ?? [])
        }
        return writer.bytes
    }

    private static func entries(
        decoding bytes: [UInt8],
        of object: String
    ) throws(CloudKeyError) -> [CloudID: Entry] {
        var parts: [(device: CloudID, fingerprint: [UInt8], wrap: [UInt8])] = []
        do throws(CloudFormatError) {
            var reader = SegmentReader(bytes)
            for _ in 0..<(try reader.count(ofAtLeast: 24)) {
                parts.append((try reader.id(), try reader.counted(), try reader.counted()))
            }
            guard reader.remaining == 0 else { throw reader.error("bytes follow its end") }
        } catch {
            let place = "In its list of devices at byte \(error.offset)"
            throw .damaged(object, "\(place) \(error.reason).")
        }
        var entries: [CloudID: Entry] = [:]
        for part in parts {
            guard let fingerprint = Fingerprint(bytes: part.fingerprint),
                entries[part.device] == nil
            else { throw .damaged(object, "The list of devices is invalid.") }
            let wrap =
                part.wrap.isEmpty ? nil : try MemberWrap(decoding: part.wrap, of: object)
            entries[part.device] = Entry(fingerprint: fingerprint, wrap: wrap)
        }
        return entries
    }
}
