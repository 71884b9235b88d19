package import FoundationEssentials

/// A position in a compressed stream from which decompression can continue.
///
/// A request contains its position, so a worker keeps no state between requests, and a worker that
/// was lost can be replaced by another.
package struct InflatePosition: Codable, Hashable, Sendable {
    /// The offset of the next byte to read in the archive.
    package var input: Int64
    /// The number of unread bits, 0...7, in the byte before `input`.
    package var bits: Int
    /// The number of bytes decompressed before this position.
    package var output: Int64
    /// The last decompressed bytes, at most 32,768.
    package var window: Data
    /// The CRC-32 of the bytes decompressed so far; in a gzip file, only of the current member's
    /// bytes.
    package var crc: UInt32
    /// The number of bytes of a gzip file's current member that were decompressed so far.
    package var memberOutput: Int64
    /// Indicates whether the next bytes to read are a gzip header.
    package var isAtHeader: Bool

    package init(input: Int64, isAtHeader: Bool = false) {
        self.input = input
        self.isAtHeader = isAtHeader
        bits = 0
        output = 0
        window = Data()
        crc = 0
        memberOutput = 0
    }
}

/// The location of an entry's bytes in an archive.
package enum ArchivePlace: Codable, Hashable, Sendable {
    /// The offset of an entry's header in a ZIP archive, and the length of its stored bytes.
    case zip(header: Int64, length: Int64, isDeflated: Bool)
    /// The offset of the entry's bytes in the decompressed archive.
    case tar(offset: Int64)
}

/// A file in an archive.
package struct ArchiveEntry: Codable, Hashable, Sendable {
    /// The maximum length of a name in UTF-8 bytes.
    package static let maximumNameLength = 4096

    /// The path in the archive, relative and without `..`.
    package var name: String
    /// The size in bytes, as stated in the archive.
    package var size: Int64
    /// The CRC-32, as stated in the archive; nil for formats without checksums.
    package var crc: UInt32?
    /// The modification time in seconds since 1970; nil if unknown.
    package var modificationTime: Int64?
    package var place: ArchivePlace

    package init(
        name: String,
        size: Int64,
        crc: UInt32?,
        modificationTime: Int64?,
        place: ArchivePlace
    ) {
        self.name = name
        self.size = size
        self.crc = crc
        self.modificationTime = modificationTime
        self.place = place
    }

    /// Indicates whether a checksum covers the entry's bytes.
    ///
    /// Entries of ZIP archives have checksums of their own, which their extraction verifies.
    ///
    /// - Parameter verified: For a tape archive, the number of decompressed bytes with right
    ///   checksums.
    /// - Returns: False for an entry of a tape archive that ends after these bytes.
    package func isVerified(by verified: Int64) -> Bool {
        guard case .tar(let offset) = place else { return true }
        let (end, overflow) = offset.addingReportingOverflow(size)
        return !overflow && end <= verified
    }
}

/// An item of an archive's listing.
package enum ArchiveItem: Codable, Hashable, Sendable {
    /// A file; `reading` is the content of a JSON file.
    case file(ArchiveEntry, reading: TakeoutReading?)
    /// An entry that cannot be used; `reason` is text for users.
    case refused(name: String, reason: String)
}

/// The position in an archive at which a page of its listing begins.
package enum ArchiveCursor: Codable, Hashable, Sendable {
    /// The beginning of an archive of any format.
    case start
    /// The position of the next entry in a ZIP archive's central directory.
    ///
    /// `end` is the offset after the directory, and `base` is the number of bytes that precede the
    /// archive in the file. `remaining` is the number of entries that the archive states, less
    /// those before the position. It may be negative: an archive without the records of ZIP64
    /// counts its entries modulo 65,536.
    case directory(offset: Int64, end: Int64, base: Int64, remaining: Int64)
    /// The position of the next local header in a ZIP archive without a central directory.
    case headers(offset: Int64)
    /// A position in a compressed tar archive at which decompression can continue, and the offset
    /// of the next entry's header in the decompressed archive.
    case tar(InflatePosition, header: Int64)
    /// A position in a compressed tar archive after its last entry, at which decompression
    /// continues only to verify the checksum.
    case tarEnd(InflatePosition)
}

/// A page of an archive's listing.
package struct ArchivePage: Codable, Hashable, Sendable {
    package var items: [ArchiveItem]
    /// The position at which the next page begins; nil after the last page.
    package var next: ArchiveCursor?
    /// The reason why the listing is incomplete, as text for users; nil for a complete listing.
    package var problem: String?
    /// The number of a tape archive's decompressed bytes whose checksums were read and are right;
    /// nil for archives of other formats.
    ///
    /// A gzip file has a checksum at the end of each member, and no other ones. So this is the
    /// beginning of the member that the page did not finish.
    package var verified: Int64?
    /// Indicates whether the problem proves that bytes after `verified` are wrong.
    ///
    /// The bytes of an archive that only ends too early may all be right.
    package var isDamaged: Bool

    package init(
        items: [ArchiveItem] = [],
        next: ArchiveCursor? = nil,
        problem: String? = nil,
        verified: Int64? = nil,
        isDamaged: Bool = false
    ) {
        self.items = items
        self.next = next
        self.problem = problem
        self.verified = verified
        self.isDamaged = isDamaged
    }
}

/// A request to extract bytes of an entry into a file.
package struct ArchiveExtraction: Codable, Hashable, Sendable {
    /// The maximum number of bytes that one request writes.
    package static let maximumStep: Int64 = 128 << 20

    package var entry: ArchiveEntry
    /// The position at which to continue; nil to start at the beginning of a ZIP archive's entry.
    package var position: InflatePosition?
    /// The number of the entry's bytes that earlier requests have written.
    package var done: Int64

    package init(entry: ArchiveEntry, position: InflatePosition?, done: Int64) {
        self.entry = entry
        self.position = position
        self.done = done
    }
}

/// The result of an extraction step.
package struct ArchiveProgress: Codable, Hashable, Sendable {
    /// The number of the entry's bytes that have been written so far.
    package var done: Int64
    /// The position from which the next request can continue; nil for stored bytes.
    package var position: InflatePosition?

    package init(done: Int64, position: InflatePosition?) {
        self.done = done
        self.position = position
    }
}
