/// A TIFF directory, parsed without Exiv2 and with bounds checks.
///
/// Used for Apple's MakerNote, multi-picture indexes, thumbnails, and the detection of RAW formats.
package struct TagDirectory {
    /// The maximum number of entries; cameras write tens of entries, so a larger number indicates
    /// damage or an attack.
    private static let maximumEntries = 4096
    /// The maximum length of a value in bytes.
    private static let maximumLength = 1 << 20

    private var values: [Int: TagValue] = [:]
    /// The offset of the next directory.
    package private(set) var next: Int?

    package subscript(tag: Int) -> TagValue? { values[tag] }

    /// All values, by tag number.
    var all: [Int: TagValue] { values }

    /// Reads the directory at `offset`; the offsets in the directory are relative to the start of
    /// `base`.
    package init?(in base: ByteView, at offset: Int, isBigEndian: Bool) {
        guard let declared = base.integer16(at: offset, isBigEndian: isBigEndian),
            declared > 0, declared <= Self.maximumEntries
        else { return nil }
        var position = offset + 2
        for _ in 0..<declared {
            guard let tag = base.integer16(at: position, isBigEndian: isBigEndian),
                let type = base.integer16(at: position + 2, isBigEndian: isBigEndian),
                let count = base.integer32(at: position + 4, isBigEndian: isBigEndian),
                base.part(at: position, length: 12) != nil
            else { break }
            defer { position += 12 }
            guard let size = TagValue.size(ofType: type), count <= Self.maximumLength / size else {
                continue
            }
            let length = count * size
            let start =
                length <= 4
                ? position + 8 : base.integer32(at: position + 8, isBigEndian: isBigEndian) ?? -1
            guard let part = base.part(at: start, length: length), values[tag] == nil else {
                continue
            }
            values[tag] = TagValue(
                type: type,
                count: count,
                bytes: Array(part.bytes),
                isBigEndian: isBigEndian
            )
        }
        if let offset = base.integer32(at: position, isBigEndian: isBigEndian), offset > 0 {
            next = offset
        }
    }

    /// Returns whether a TIFF structure is big-endian; nil for bytes that are not a TIFF structure.
    package static func isBigEndian(_ tiff: ByteView) -> Bool? {
        if tiff.starts(with: "II") { return false }
        if tiff.starts(with: "MM") { return true }
        return nil
    }

    /// Returns the first directory of a TIFF structure.
    package static func first(ofTIFF tiff: ByteView) -> TagDirectory? {
        guard let order = isBigEndian(tiff), let offset = tiff.integer32(at: 4, isBigEndian: order)
        else { return nil }
        return TagDirectory(in: tiff, at: offset, isBigEndian: order)
    }

    /// Returns the second directory, which describes the thumbnail.
    package static func second(ofTIFF tiff: ByteView) -> TagDirectory? {
        guard let order = isBigEndian(tiff), let next = first(ofTIFF: tiff)?.next else {
            return nil
        }
        return TagDirectory(in: tiff, at: next, isBigEndian: order)
    }
}
