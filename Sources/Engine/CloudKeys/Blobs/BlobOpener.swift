package import CloudSync
internal import Crypto
package import Foundation

/// Decrypts a blob, whole or by frames.
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

    /// Decrypts one frame, the bytes of the object in `record.layout.sealedRange(of:)`.
    ///
    /// - Throws: ``CloudKeyError``: `damaged` if the bytes are not this frame of this blob.
    package func open(_ bytes: Data, frame number: Int64) throws(CloudKeyError) -> Data {
        guard 0..<record.layout.frameCount ~= number,
            bytes.count == record.layout.sealedRange(of: number).count,
            let plain = frames.open(bytes, number)
        else {
            throw .damaged(object, "Its frame \(number) was altered, moved or cut.")
        }
        return plain
    }

    /// Decrypts a downloaded object into a file.
    ///
    /// The object's size, each frame and the SHA-256 of the result are checked. `source` is a
    /// descriptor of the object, open for reading, and `destination` one of an empty file, open for
    /// writing. After an error that file is empty again, so no altered byte remains.
    ///
    /// - Throws: ``CloudKeyError``: `damaged`, `wrongContent`, `inputOutput`, `laterVersion`.
    package static func open(
        _ source: Int32,
        to destination: Int32,
        as name: BlobName,
        record: BlobRecord,
        content: ContentID
    ) throws(CloudKeyError) {
        let sealed = BlobFile(descriptor: source, label: "an encrypted file")
        let target = BlobFile(descriptor: destination, label: "a decrypted file")
        do throws(CloudKeyError) {
            try open(sealed, to: target, name, record, content)
        } catch {
            target.truncate()
            throw error
        }
    }

    private static func open(
        _ source: BlobFile,
        to target: BlobFile,
        _ name: BlobName,
        _ record: BlobRecord,
        _ content: ContentID
    ) throws(CloudKeyError) {
        let layout = record.layout
        let object = ObjectName.blob(name).description
        let size = try source.size
        guard size == layout.sealedSize else {
            throw .damaged(object, "It has \(size) bytes instead of \(layout.sealedSize).")
        }
        let header = try source.read(0..<Int64(BlobLayout.headerSize))
        let opener = try BlobOpener(name, record: record, header: header)
        var hash = SHA256()
        for number in 0..<layout.frameCount {
            let sealed = try source.read(layout.sealedRange(of: number))
            let plain = try opener.open(sealed, frame: number)
            hash.update(data: plain)
            try target.write(plain, at: layout.plainRange(of: number).lowerBound)
        }
        guard Array(hash.finalize()) == content.bytes else { throw .wrongContent(object) }
    }

    /// Checks that a file that was assembled from frames is the promised one.
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
