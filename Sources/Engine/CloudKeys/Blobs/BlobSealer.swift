package import CloudSync
internal import Crypto
internal import Foundation

/// Encrypts files as blobs, a frame at a time.
package enum BlobSealer {
    static let magic = Array("spb1".utf8)

    /// Encrypts a file into another file, with a new random key.
    ///
    /// A retry of an upload uses `sealAgain`, which yields the same bytes or none: if the original
    /// had changed meanwhile, two contents would share a key and nonces.
    ///
    /// `source` is a descriptor of the original, open for reading. `destination` is one of an empty
    /// file, open for writing, which is empty again after an error. `content` is the SHA-256 that
    /// the original must have.
    ///
    /// - Throws: ``CloudKeyError``: `wrongContent` if the original changed, `unreadableOriginal` if
    ///   its volume fails to read it, `inputOutput`.
    package static func seal(
        _ source: Int32,
        to destination: Int32,
        as name: BlobName,
        content: ContentID,
        cipher: ObjectCipher = .preferred,
        using generator: inout some RandomNumberGenerator
    ) throws(CloudKeyError) -> BlobRecord {
        let key = generator.bytes(BlobRecord.keySize)
        let original = BlobFile(descriptor: source, label: "an original to encrypt")
        let target = BlobFile(descriptor: destination, label: "an encrypted file")
        do throws(CloudKeyError) {
            return try seal(original, to: target, name, content, cipher, key)
        } catch {
            target.truncate()
            throw error
        }
    }

    /// Encrypts a file to the same bytes as an earlier object, to replace a damaged object.
    ///
    /// If the result differs from the object that `record` describes, the destination is emptied.
    /// So nothing else that the key encrypts leaves this call. All ciphers are tried, since the
    /// cipher of the first encryption depended on its computer.
    ///
    /// - Parameters:
    ///   - source: A descriptor of the original, open for reading.
    ///   - destination: A descriptor of an empty file, open for writing, which nobody else reads.
    ///   - name: The name of the blob.
    ///   - content: The SHA-256 that the original must have.
    ///   - record: The key of the blob, and the SHA-256 of its object.
    /// - Throws: ``CloudKeyError``: `wrongContent` if the original changed; `irreproducible` if it
    ///   does not yield the object; `unreadableOriginal` if its volume fails to read it;
    ///   `inputOutput`.
    package static func sealAgain(
        _ source: Int32,
        to destination: Int32,
        as name: BlobName,
        content: ContentID,
        _ record: BlobRecord
    ) throws(CloudKeyError) {
        let original = BlobFile(descriptor: source, label: "an original to encrypt")
        let target = BlobFile(descriptor: destination, label: "an encrypted file")
        guard try original.size == record.layout.size else { throw .changedOriginal(content) }
        let others = ObjectCipher.allCases.filter { $0 != .preferred }
        for cipher in [ObjectCipher.preferred] + others {
            do throws(CloudKeyError) {
                if try seal(original, to: target, name, content, cipher, record.key) == record {
                    return
                }
            } catch {
                target.truncate()
                throw error
            }
            target.truncate()
        }
        throw CloudKeyError(
            .irreproducible,
            "The object \(ObjectName.blob(name).description) cannot be made again.",
            reason: "Its key or its checksum is not that of the file that was stored.",
            recovery: "Bring its former version back, from the store or a backup of it."
        )
    }

    private static func seal(
        _ source: BlobFile,
        to target: BlobFile,
        _ name: BlobName,
        _ content: ContentID,
        _ cipher: ObjectCipher,
        _ key: [UInt8]
    ) throws(CloudKeyError) -> BlobRecord {
        let size = try source.size
        guard let layout = BlobLayout(size: size) else {
            throw .outOfBounds(ObjectName.blob(name).description, "The file has \(size) bytes.")
        }
        let frames = BlobFrames(name: name, key: key, layout: layout, cipher: cipher)
        var plain = SHA256()
        var sealed = SHA256()
        sealed.update(data: frames.header)
        try target.write(Data(frames.header), at: 0)
        // Used again and again: the pages of a new one cost as much as the encryption.
        var buffer = Data()
        for number in 0..<layout.frameCount {
            let range = layout.plainRange(of: number)
            let bytes: Data
            do throws(CloudKeyError) { bytes = try source.read(range, into: &buffer) } catch {
                throw error.ofOriginal
            }
            guard bytes.count == range.count else { throw .changedOriginal(content) }
            plain.update(data: bytes)
            let frame = try frames.seal(bytes, number)
            sealed.update(data: frame)
            try target.write(frame, at: layout.sealedRange(of: number).lowerBound)
        }
        guard Array(plain.finalize()) == content.bytes else { throw .changedOriginal(content) }
        return BlobRecord(key: key, layout: layout, objectHash: Array(sealed.finalize()))
    }
}

/// The encryption and decryption of a blob's frames.
struct BlobFrames {
    let layout: BlobLayout
    let cipher: ObjectCipher
    let header: [UInt8]
    private let key: SymmetricKey
    private let context: [UInt8]

    init(name: BlobName, key: [UInt8], layout: BlobLayout, cipher: ObjectCipher) {
        self.layout = layout
        self.cipher = cipher
        self.key = SymmetricKey(data: key)
        header = BlobSealer.magic + [cipher.rawValue]
        context =
            Context("blob").appending(ObjectName.blob(name).description).appending(header).bytes
    }

    /// Returns the nonce of a frame, which contains its number and whether it is the last frame.
    private func nonce(_ number: Int64) -> [UInt8] {
        var writer = SegmentWriter()
        writer.append(UInt16(0))
        writer.append(UInt8(0))
        writer.append(UInt64(number))
        writer.append(layout.isLast(number) ? UInt8(1) : 0)
        return writer.bytes
    }

    func seal(_ bytes: Data, _ number: Int64) throws(CloudKeyError) -> Data {
        try cipher.seal(bytes, key: key, nonce: nonce(number), authenticating: context)
    }

    func open(_ bytes: some DataProtocol, _ number: Int64) -> Data? {
        cipher.open(bytes, key: key, nonce: nonce(number), authenticating: context)
    }
}

extension CloudKeyError {
    fileprivate static func changedOriginal(_ content: ContentID) -> CloudKeyError {
        CloudKeyError(
            .wrongContent,
            "The file to encrypt no longer has the SHA-256"
                + " \(content.first.hexadecimal)\(content.second.hexadecimal).",
            recovery: "Run photos verify --full; the original was altered or its disk is failing."
        )
    }

    /// The error with the code `unreadableOriginal`, for a failure to read the original rather than
    /// a failure of the encryption.
    fileprivate var ofOriginal: CloudKeyError {
        CloudKeyError(
            .unreadableOriginal,
            message,
            reason: reason,
            recovery: "Run photos verify --full, which names the file; its disk is failing."
        )
    }
}
