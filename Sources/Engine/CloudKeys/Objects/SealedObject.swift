internal import CloudSync
internal import Crypto
internal import Foundation

/// The encryption of a whole object with a key of an epoch.
///
///     "spe1" ‖ cipher ‖ epoch, 16 ‖ code, 32 ‖ ciphertext and tag
///
/// The code is a keyed hash of the name and the content. It takes the place of a nonce: each object
/// is encrypted with a key of its own, which is derived from the code. So sealing needs no random
/// numbers, two computers with one state make the same object, and no key and nonce are ever used
/// for two contents. The code is also compared after decryption, which commits to the key.
///
/// A name that contains a part of the code, as a segment's does, is given without that part for the
/// code, and as a whole for the encryption.
package enum SealedObject {
    static let magic = Array("spe1".utf8)
    static let headerSize = 4 + 1 + 16 + 32

    /// The maximum size in bytes of an object that is read.
    package static let maximumSize = PaddedBody.paddedSize(PaddedBody.maximumSize) + (1 << 10)

    /// Returns the authentication code of an object, a keyed hash of its name and content.
    static func code(
        of content: [UInt8],
        named name: String,
        purpose: KeyPurpose,
        epoch: EpochKey
    ) -> [UInt8] {
        authenticationCode(
            of: Context("content").appending(name).appending(content).bytes,
            with: epoch.key(for: purpose, part: " code")
        )
    }

    /// Encrypts content and binds it to the name of its object.
    package static func seal(
        _ content: [UInt8],
        named name: String,
        purpose: KeyPurpose,
        epoch: EpochKey,
        cipher: ObjectCipher = .preferred
    ) throws(CloudKeyError) -> [UInt8] {
        try seal(
            content,
            code: code(of: content, named: name, purpose: purpose, epoch: epoch),
            named: name,
            purpose: purpose,
            epoch: epoch,
            cipher: cipher
        )
    }

    static func seal(
        _ content: [UInt8],
        code: [UInt8],
        named name: String,
        purpose: KeyPurpose,
        epoch: EpochKey,
        cipher: ObjectCipher
    ) throws(CloudKeyError) -> [UInt8] {
        guard content.count <= PaddedBody.maximumSize else {
            throw .outOfBounds(name, "Its content has \(content.count) bytes.")
        }
        let header = magic + [cipher.rawValue] + epoch.id.bytes + code
        let sealed = try cipher.seal(
            PaddedBody.encode(content),
            key: key(code, purpose, epoch),
            nonce: [UInt8](repeating: 0, count: 12),
            authenticating: context(name, header)
        )
        return header + sealed
    }

    /// Decrypts an object and verifies its name.
    ///
    /// `codeName` is the name without the part that contains the code; nil if the name has no such
    /// part.
    ///
    /// - Throws: ``CloudKeyError``: `unknownEpoch`, `laterVersion`, or `damaged` for bytes that
    ///   were not written under exactly this name.
    package static func open(
        _ bytes: [UInt8],
        named name: String,
        codeName: String? = nil,
        purpose: KeyPurpose,
        keys: EpochKeyring
    ) throws(CloudKeyError) -> (content: [UInt8], code: [UInt8]) {
        guard bytes.count <= maximumSize else {
            throw .outOfBounds(name, "It has \(bytes.count) bytes.")
        }
        guard bytes.count >= headerSize + ObjectCipher.tagSize else {
            throw .damaged(name, "It ends early.")
        }
        guard bytes.starts(with: magic), let cipher = ObjectCipher(rawValue: bytes[4]),
            let id = CloudID(bytes: bytes[5..<21])
        else { throw .laterVersion(name) }
        guard let epoch = keys[id] else { throw .unknownEpoch(name, id) }
        let header = Array(bytes[..<headerSize])
        let code = Array(header[21...])
        let body = cipher.open(
            Data(bytes[headerSize...]),
            key: key(code, purpose, epoch),
            nonce: [UInt8](repeating: 0, count: 12),
            authenticating: context(name, header)
        )
        guard let body else {
            throw .damaged(name, "It was altered, or written under another name.")
        }
        let content = try PaddedBody.decode(Array(body), of: name)
        let expected = Self.code(
            of: content,
            named: codeName ?? name,
            purpose: purpose,
            epoch: epoch
        )
        guard isEqualInConstantTime(code, expected) else {
            throw .damaged(name, "Its code does not fit its content.")
        }
        return (content, code)
    }

    private static func key(
        _ code: [UInt8],
        _ purpose: KeyPurpose,
        _ epoch: EpochKey
    ) -> SymmetricKey {
        HKDF<SHA256>.expand(
            pseudoRandomKey: epoch.key(for: purpose),
            info: Context("object").appending(code).bytes,
            outputByteCount: 32
        )
    }

    private static func context(_ name: String, _ header: [UInt8]) -> [UInt8] {
        Context("object").appending(name).appending(header).bytes
    }
}

extension CloudKeyError {
    static func unknownEpoch(_ object: String, _ id: CloudID) -> CloudKeyError {
        CloudKeyError(
            .unknownEpoch,
            "The object \(object) is encrypted with the key of epoch \(id.hexadecimal), which is"
                + " not known here.",
            recovery: "Sync again, so that the keys are read. If this device was removed from the"
                + " cloud library, join it again."
        )
    }
}
