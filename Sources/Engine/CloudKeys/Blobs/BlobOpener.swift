package import CloudSync
internal import Crypto
package import Foundation

/// A decryptor for individual frames of a blob.
package struct BlobOpener: Sendable {
    private let name: BlobName
    private let record: BlobRecord
    private let cipher: ObjectCipher

    /// Creates an opener from a blob's record and the first bytes of its object.
    ///
    /// - Throws: ``CloudKeyError``: `laterVersion` for another format.
    package init(
        _ name: BlobName,
        record: BlobRecord,
        header: some Collection<UInt8>
    ) throws(CloudKeyError) {
        let header = Array(header.prefix(BlobLayout.headerSize))
        guard header.count == BlobLayout.headerSize, header.starts(with: BlobSealer.magic),
            let cipher = ObjectCipher(rawValue: header[4])
        else { throw .laterVersion(ObjectName.blob(name).description) }
        self.name = name
        self.record = record
        self.cipher = cipher
    }

    private var object: String { ObjectName.blob(name).description }

    private var frames: BlobFrames {
        BlobFrames(name: name, key: record.key, layout: record.layout, cipher: cipher)
    }

    /// Decrypts one frame.
    ///
    /// `bytes` are those of the object in the range `record.layout.sealedRange(of:)`.
    ///
    /// - Throws: ``CloudKeyError``: `damaged` if the bytes are not this frame of this blob.
    package func open(
        _ bytes: some DataProtocol,
        frame number: Int64
    ) throws(CloudKeyError) -> Data {
        guard 0..<record.layout.frameCount ~= number,
            bytes.count == record.layout.sealedRange(of: number).count,
            let plain = frames.open(bytes, number)
        else {
            throw .damaged(object, "Its frame \(number) was altered, moved or cut.")
        }
        return plain
    }

    /// Decrypts one frame for a receiver of the same blob, as `open(_:frame:)` does.
    package func frame(
        _ number: Int64,
        from bytes: some DataProtocol
    ) throws(CloudKeyError) -> BlobFrame {
        BlobFrame(number: number, bytes: try open(bytes, frame: number))
    }

    /// Checks the size and the SHA-256 of a file that was assembled from decrypted frames.
    ///
    /// - Throws: ``CloudKeyError``: `wrongContent` or `inputOutput`.
    package func verify(_ file: Int32, content: ContentID) throws(CloudKeyError) {
        let source = BlobFile(descriptor: file, label: "a decrypted file")
        guard try source.size == record.layout.size else { throw .wrongContent(object) }
        var hash = SHA256()
        for number in 0..<record.layout.frameCount {
            hash.update(data: try source.read(record.layout.plainRange(of: number)))
        }
        guard Array(hash.finalize()) == content.bytes else { throw .wrongContent(object) }
    }
}

/// A frame that an opener has checked and decrypted.
package struct BlobFrame: Sendable {
    let number: Int64
    let bytes: Data

    fileprivate init(number: Int64, bytes: Data) {
        self.number = number
        self.bytes = bytes
    }
}

extension CloudKeyError {
    static func wrongContent(_ object: String) -> CloudKeyError {
        CloudKeyError(
            .wrongContent,
            "The file in \(object) does not have the promised SHA-256.",
            recovery: "It is not used. The device that stored it may have a failing disk; run"
                + " photos verify --full there."
        )
    }
}
