package import CloudSync
internal import Crypto
internal import Foundation

/// The record of a blob: its key, the size of its file and the SHA-256 of its encrypted object.
///
/// The sync operation `stored` contains this record.
package struct BlobRecord: Hashable, Sendable {
    package static let keySize = 32

    package let key: [UInt8]
    /// The layout of the blob, which is determined by the size of the file.
    package let layout: BlobLayout
    /// The SHA-256 of the encrypted object, with which the object can be verified without the key.
    package let objectHash: [UInt8]

    private static let version: UInt8 = 1

    init(key: [UInt8], layout: BlobLayout, objectHash: [UInt8]) {
        self.key = key
        self.layout = layout
        self.objectHash = objectHash
    }

    package var encoded: [UInt8] {
        var writer = SegmentWriter()
        writer.append(Self.version)
        writer.append(UInt64(layout.size))
        return writer.bytes + key + objectHash
    }

    package init(decoding bytes: [UInt8], of blob: BlobName) throws(CloudKeyError) {
        let object = ObjectName.blob(blob).description
        guard bytes.first == Self.version else { throw .laterVersion(object) }
        let size = bytes.dropFirst().prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard bytes.count == 1 + 8 + Self.keySize + SHA256.byteCount,
            let layout = BlobLayout(size: Int64(clamping: size))
        else { throw .damaged(object, "The record of its key is invalid.") }
        self.layout = layout
        key = Array(bytes[9..<9 + Self.keySize])
        objectHash = Array(bytes.suffix(SHA256.byteCount))
    }
}
