package import WorkerProtocol

/// A file of a Google Takeout export.
package struct TakeoutFile: Hashable, Sendable {
    /// The location of a file's bytes.
    package enum Place: Hashable, Sendable {
        /// A file in a source that is a folder; the value is the file's path relative to that
        /// folder.
        case folder(String)
        case archive(ArchiveEntry)
    }

    /// What the listing of a file's source tells about the file's bytes.
    package enum Integrity: Hashable, Sendable {
        /// Nothing speaks against the bytes.
        ///
        /// This is so in a folder, in a ZIP archive, whose checksums are verified as files are
        /// extracted, and in a tape archive whose checksum is right.
        case sound
        /// The tape archive ends before the checksum that covers the bytes, or cannot be read up to
        /// it.
        case unverified
        /// The tape archive has wrong bytes, and these may be among them; `reason` is text for
        /// users.
        case damaged(reason: String)
    }

    /// The index of the source that contains the file.
    package var source: Int
    /// The path in the source.
    package var path: String
    package var size: Int64
    /// The modification time in nanoseconds since 1970.
    package var modificationTime: Int64
    package var place: Place
    /// The parsed content of a JSON file; nil for other files.
    package var reading: TakeoutReading?
    package var integrity: Integrity = .sound

    package init(
        source: Int,
        path: String,
        size: Int64,
        modificationTime: Int64 = 0,
        place: Place,
        reading: TakeoutReading? = nil
    ) {
        self.source = source
        self.path = path
        self.size = size
        self.modificationTime = modificationTime
        self.place = place
        self.reading = reading
    }

    /// The path without a leading `Takeout` folder, so that paths in all sources of an export can
    /// be compared.
    ///
    /// Parts that were extracted one after another have folders such as `Takeout 2`.
    package var commonPath: String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard parts.count > 1, let first = parts.first, Self.isTakeout(String(first)) else {
            return parts.joined(separator: "/")
        }
        return parts.dropFirst().joined(separator: "/")
    }

    package static func isTakeout(_ name: String) -> Bool {
        let lowercased = name.lowercased()
        guard lowercased.hasPrefix("takeout") else { return false }
        return lowercased.dropFirst(7).allSatisfy { " -_()0123456789".contains($0) }
    }

    /// The value by which a later import recognizes the file.
    ///
    /// It consists of the size and of the checksum or, if there is none, the modification time.
    package var fingerprint: [UInt8] {
        func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: value.bigEndian) { Array($0) }
        }
        if case .archive(let entry) = place, let crc = entry.crc { return bytes(size) + bytes(crc) }
        return bytes(size) + bytes(modificationTime)
    }

    /// The fingerprint with which the file is recorded if its bytes are not verified.
    ///
    /// It equals no file's fingerprint, so each later import reads the file and compares the
    /// content.
    package var unverifiedFingerprint: [UInt8] { Array(fingerprint.prefix(Self.sizeLength)) }

    /// Indicates whether a fingerprint was recorded for a file whose bytes were not verified.
    package static func isUnverified(_ fingerprint: [UInt8]) -> Bool {
        fingerprint.count == sizeLength
    }

    /// The length of the size with which a fingerprint begins.
    private static let sizeLength = 8

    /// Indicates whether a fingerprint may describe this file.
    ///
    /// If both contain a checksum, the fingerprints must be equal. Otherwise only the sizes are
    /// compared, since a checksum and a time cannot be compared, and times change with every copy.
    package func mayEqual(_ other: [UInt8]) -> Bool {
        let own = fingerprint
        let checksumLength = 4
        if own.count == Self.sizeLength + checksumLength, other.count == own.count {
            return own == other
        }
        return own.prefix(Self.sizeLength) == other.prefix(Self.sizeLength)
    }
}
