package import CloudSync

/// An encrypter and signer of this device's segments.
///
///     sealed object (`SealedObject`) ‖ signature of the name and the sealed object
///
/// A segment's hash is the beginning of the object's code: a keyed hash of its place and content.
/// So the hash is known before the encryption, and the whole name is authenticated by it. A hash of
/// the encrypted bytes could not be a part of what they authenticate. Whether a later version pads
/// or compresses in another way makes no difference to the name.
package struct SegmentSealer: SegmentHashing {
    private let keyring: EpochKeyring
    private let keys: DeviceKeys
    private let cipher: ObjectCipher

    package init(keyring: EpochKeyring, keys: DeviceKeys, cipher: ObjectCipher = .preferred) {
        self.keyring = keyring
        self.keys = keys
        self.cipher = cipher
    }

    package func hash(of segment: Segment) -> CloudID {
        Self.hash(Self.code(of: segment.encoded(), segment, keyring.current))
    }

    package func isHash(_ hash: CloudID, of segment: Segment) -> Bool {
        origin(of: hash, segment.encoded(), segment) != nil
    }

    /// Encrypts and signs a segment, and returns the bytes of its object, which are equal for equal
    /// segments.
    ///
    /// A segment that was built before the epoch changed is encrypted with the key of its own
    /// epoch.
    ///
    /// - Throws: ``CloudKeyError``: `unknownEpoch` if its hash was made with no key of the ring.
    package func seal(_ sealed: SealedSegment) throws(CloudKeyError) -> [UInt8] {
        let segment = sealed.segment
        let name = ObjectName.segment(segment.device, sealed.position).description
        let content = segment.encoded()
        guard content.count <= Segment.maximumSize else {
            throw .outOfBounds(name, "It has \(content.count) bytes.")
        }
        guard let (epoch, code) = origin(of: sealed.hash, content, segment) else {
            throw CloudKeyError(
                .unknownEpoch,
                "The hash of the segment \(name) was not made with a key that is known here.",
                recovery: "Sync again, so that the keys are read."
            )
        }
        let object = try SealedObject.seal(
            content,
            code: code,
            named: name,
            purpose: .log,
            epoch: epoch,
            cipher: cipher
        )
        let message = Context(name).appending(object).bytes
        return object + (try keys.signing.sign(message, label: "segment"))
    }

    /// Returns the epoch key that yields a segment's hash, and the full authentication code; nil if
    /// no key matches.
    ///
    /// The hash is the beginning of the code.
    private func origin(
        of hash: CloudID,
        _ content: [UInt8],
        _ segment: Segment
    ) -> (epoch: EpochKey, code: [UInt8])? {
        let others = keyring.all.filter { $0.id != keyring.current.id }
        return ([keyring.current] + others).lazy
            .map { ($0, Self.code(of: content, segment, $0)) }
            .first { Self.hash($0.1) == hash }
    }

    private static func code(
        of content: [UInt8],
        _ segment: Segment,
        _ epoch: EpochKey
    ) -> [UInt8] {
        SealedObject.code(
            of: content,
            named: place(segment.device, segment.sequence),
            purpose: .log,
            epoch: epoch
        )
    }

    static func hash(_ code: [UInt8]) -> CloudID {
        CloudID(bytes: code.prefix(16)) ?? Segment.origin
    }

    /// Returns the part of a segment's object name before the hash.
    static func place(_ device: CloudID, _ sequence: UInt64) -> String {
        let position = LogPosition(sequence: sequence, hash: Segment.origin)
        let name = ObjectName.segment(device, position).description
        return String(name.dropLast(1 + 32))
    }
}

/// A verifier and decrypter of other devices' segments.
package struct SegmentOpener: Sendable {
    private let keyring: EpochKeyring
    private let members: MemberDirectory

    /// The maximum size of a segment's object in bytes.
    package static let maximumSize =
        SealedObject.headerSize + ObjectCipher.tagSize + VerificationKey.signatureSize
        + PaddedBody.paddedSize(Segment.maximumSize + 5)

    package init(keyring: EpochKeyring, members: MemberDirectory) {
        self.keyring = keyring
        self.members = members
    }

    /// Verifies and decrypts the bytes that a store returned for the name of a segment.
    ///
    /// The signature is checked first. The caller decides what happens to a segment that fails.
    ///
    /// - Throws: ``CloudKeyError``: `unknownSigner`, `wrongSignature`, `unknownEpoch`,
    ///   `laterVersion`, `outOfBounds`, or `damaged` for bytes that were not written under exactly
    ///   this name.
    package func open(_ bytes: [UInt8], as name: ObjectName) throws(CloudKeyError) -> SealedSegment
    {
        let text = name.description
        guard case .segment(let device, let position) = name else {
            throw .damaged(text, "It is not the name of a segment.")
        }
        guard bytes.count <= Self.maximumSize else {
            throw .outOfBounds(text, "It has \(bytes.count) bytes.")
        }
        let key = try members.verificationKey(of: device, for: text)
        let object = Array(bytes.dropLast(VerificationKey.signatureSize))
        let signature = bytes.suffix(VerificationKey.signatureSize)
        let message = Context(text).appending(object).bytes
        guard key.isValid(signature, over: message, label: "segment") else {
            throw .wrongSignature(text, of: "the device \(device.hexadecimal)")
        }
        let (content, code) = try SealedObject.open(
            object,
            named: text,
            codeName: SegmentSealer.place(device, position.sequence),
            purpose: .log,
            keys: keyring
        )
        guard SegmentSealer.hash(code) == position.hash else {
            throw .damaged(text, "Its hash is not the one of its name.")
        }
        let segment: Segment
        do throws(CloudFormatError) {
            segment = try Segment(decoding: content)
        } catch {
            throw .malformed(text, error)
        }
        guard segment.device == device, segment.sequence == position.sequence else {
            throw .damaged(text, "Its content names another place.")
        }
        return SealedSegment(segment: segment, hash: position.hash)
    }
}
