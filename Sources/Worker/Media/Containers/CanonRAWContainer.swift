/// A reader for the metadata of Canon's CR3: separate TIFF directories in a box of the movie
/// header.
package enum CanonRAWContainer {
    private static let canonIdentifier: [UInt8] = [
        0x85, 0xc0, 0xb6, 0x87, 0x82, 0x0f, 0x11, 0xe0, 0x81, 0x11, 0xf4, 0xce, 0x46, 0x2b, 0x6a,
        0x48,
    ]
    private static let xmpIdentifier: [UInt8] = [
        0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf,
        0xac,
    ]

    /// Adds the file's metadata to `metadata`.
    package static func read(_ bytes: ByteView, into metadata: inout RawMetadata) {
        for box in ISOBox.boxes(in: bytes) {
            if box.type == "moov" {
                for inner in ISOBox.boxes(in: box.body) where inner.type == "uuid" {
                    guard starts(inner.body, with: canonIdentifier) else { continue }
                    readDirectories(inner.body.available(at: 16), into: &metadata)
                }
            } else if box.type == "uuid", starts(box.body, with: xmpIdentifier) {
                metadata.readXMP(box.body.available(at: 16, length: 16 << 20))
            }
        }
    }

    private static func readDirectories(_ bytes: ByteView, into metadata: inout RawMetadata) {
        for box in ISOBox.boxes(in: bytes) {
            let kind: RawMetadata.Directory? =
                switch box.type {
                case "CMT1": .image
                case "CMT2": .photo
                case "CMT4": .gps
                default: nil
                }
            guard let kind, let directory = TagDirectory.first(ofTIFF: box.body) else { continue }
            metadata.add(directory, as: kind)
        }
    }

    private static func starts(_ view: ByteView, with identifier: [UInt8]) -> Bool {
        view.available(at: 0, length: identifier.count).bytes.elementsEqual(identifier)
    }
}
