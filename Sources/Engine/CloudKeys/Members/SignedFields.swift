internal import CloudSync

/// The fields of an object, with a device's signature over the fields and the object's name.
///
///     format, 4 bytes ‖ fields ‖ signature
struct SignedFields: Hashable, Sendable {
    /// The kinds of signed objects.
    enum Kind: String, Sendable {
        case keys
        case configuration

        var magic: [UInt8] { Array((self == .keys ? "spk1" : "spc1").utf8) }
        var maximumSize: Int { self == .keys ? 4 << 20 : 64 << 10 }
    }

    let fields: TaggedFields
    private let kind: Kind
    private let object: String
    private let body: [UInt8]
    private let signature: [UInt8]

    init(
        signing fields: TaggedFields,
        as kind: Kind,
        named object: String,
        keys: DeviceKeys
    ) throws(CloudKeyError) {
        self.fields = fields
        self.kind = kind
        self.object = object
        body = fields.encoded
        let message = Context(object).appending(body).bytes
        signature = try keys.signing.sign(message, label: kind.rawValue)
    }

    /// Decodes fields without verifying the signature.
    init(decoding bytes: [UInt8], as kind: Kind, named object: String) throws(CloudKeyError) {
        guard bytes.count <= kind.maximumSize else {
            throw .outOfBounds(object, "It has \(bytes.count) bytes.")
        }
        guard bytes.starts(with: kind.magic) else { throw .laterVersion(object) }
        let rest = bytes.dropFirst(kind.magic.count)
        guard rest.count >= VerificationKey.signatureSize else {
            throw .damaged(object, "It ends early.")
        }
        self.kind = kind
        self.object = object
        body = Array(rest.dropLast(VerificationKey.signatureSize))
        signature = Array(rest.suffix(VerificationKey.signatureSize))
        fields = try TaggedFields(decoding: body, of: object)
    }

    var encoded: [UInt8] { kind.magic + body + signature }

    /// Verifies the signature, and that the signer has an accepted certificate.
    func verify(signer: CloudID, members: MemberDirectory) throws(CloudKeyError) {
        let key = try members.verificationKey(of: signer, for: object)
        let message = Context(object).appending(body).bytes
        guard key.isValid(signature, over: message, label: kind.rawValue) else {
            throw .wrongSignature(object, of: "the device \(signer.hexadecimal)")
        }
    }
}
