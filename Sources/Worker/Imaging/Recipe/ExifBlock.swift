package import PhotoModel

/// The EXIF data of an image, edited to describe a derived image.
///
/// The bytes are untrusted: invalid parts are left unchanged, or the block is not used.
package struct ExifBlock {
    private static let orientation = 0x0112
    private static let exifDirectory = 0x8769
    private static let colorSpace = 0xa001
    private static let width = 0xa002
    private static let height = 0xa003
    private static let previewStart = 0x0201
    private static let previewLength = 0x0202
    /// The maximum length of the EXIF data in a JPEG segment, without the segment's length field
    /// and identifier.
    package static let maximumLength = 65_533 - 6

    /// The TIFF structure, without the identifier that precedes it in files.
    package private(set) var bytes: [UInt8]
    private let isLittleEndian: Bool

    /// Parses a block; returns nil if it is not a TIFF structure.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 14 else { return nil }
        switch (bytes[0], bytes[1]) {
        case (0x49, 0x49): isLittleEndian = true
        case (0x4d, 0x4d): isLittleEndian = false
        default: return nil
        }
        self.bytes = bytes
        guard integer16(2) == 42, let first = integer32(4), directory(at: first) != nil else {
            return nil
        }
    }

    /// Creates a block that contains only an orientation.
    init?(_ orientation: Orientation) {
        var tags = TagDirectories()
        tags.image = [.shorts(Self.orientation, [orientation.rawValue])]
        self.init(tags.block)
    }

    /// Updates the orientation, the size and the color space to describe an image, and removes the
    /// thumbnail.
    ///
    /// A missing orientation is added if the image is not upright.
    ///
    /// - Parameters:
    ///   - orientation: The orientation of the image's pixels.
    ///   - size: The size in pixels.
    ///   - isSRGB: Whether the colors are sRGB.
    package mutating func describe(
        orientation: Orientation,
        size: PixelSize,
        isSRGB: Bool
    ) {
        guard let first = integer32(4), let main = directory(at: first) else { return }
        set(Self.orientation, in: main, to: orientation.rawValue)
        if let place = integer32(value(Self.exifDirectory, in: main) ?? -1),
            let exif = directory(at: place)
        {
            set(Self.width, in: exif, to: size.width)
            set(Self.height, in: exif, to: size.height)
            set(Self.colorSpace, in: exif, to: isSRGB ? 1 : 0xffff)
        }
        removePreview(after: main)
        if orientation != .up { addIfMissing(orientation) }
    }

    // MARK: - Directories

    private struct Directory {
        var entries: Range<Int>
        var count: Int
        /// The position of the field that contains the next directory's offset.
        var next: Int
    }

    private func directory(at place: Int) -> Directory? {
        guard place >= 8, let count = integer16(place) else { return nil }
        let start = place + 2
        let end = start + count * 12
        guard end + 4 <= bytes.count else { return nil }
        return Directory(entries: start..<end, count: count, next: end)
    }

    private func entry(_ tag: Int, in directory: Directory) -> Int? {
        stride(from: directory.entries.lowerBound, to: directory.entries.upperBound, by: 12)
            .first { integer16($0) == tag }
    }

    /// Returns the position of the value field in a tag's directory entry; nil if the tag is
    /// missing.
    private func value(_ tag: Int, in directory: Directory) -> Int? {
        entry(tag, in: directory).map { $0 + 8 }
    }

    /// Overwrites the value of a numeric tag; has no effect if the tag is missing.
    private mutating func set(_ tag: Int, in directory: Directory, to number: Int) {
        guard let entry = entry(tag, in: directory), integer32(entry + 4) == 1 else { return }
        if number > 0xffff {
            write(4, bytes: 2, at: entry + 2)
            write(number, bytes: 4, at: entry + 8)
        } else if integer16(entry + 2) == 4 {
            write(number, bytes: 4, at: entry + 8)
        } else if integer16(entry + 2) == 3 {
            write(number, bytes: 2, at: entry + 8)
        }
    }

    /// Adds an orientation to the main directory if it has none.
    ///
    /// The longer directory is placed after the other data, so that all offsets remain valid.
    private mutating func addIfMissing(_ orientation: Orientation) {
        guard let first = integer32(4), let main = directory(at: first), main.count < 0xffff,
            entry(Self.orientation, in: main) == nil
        else { return }
        let start = main.entries.lowerBound
        let former = Array(bytes[start..<main.next + 4])
        // Entries are in ascending order.
        let split =
            stride(from: 0, to: main.count * 12, by: 12)
            .first { (integer16(start + $0) ?? 0) > Self.orientation } ?? main.count * 12
        if bytes.count % 2 == 1 { bytes.append(0) }
        let place = bytes.count
        let added = place + 2 + split
        bytes += [0, 0]
        bytes += former[..<split]
        bytes += [UInt8](repeating: 0, count: 12)
        bytes += former[split...]
        write(main.count + 1, bytes: 2, at: place)
        write(Self.orientation, bytes: 2, at: added)
        write(3, bytes: 2, at: added + 2)
        write(1, bytes: 4, at: added + 4)
        write(orientation.rawValue, bytes: 2, at: added + 8)
        write(place, bytes: 4, at: 4)
    }

    /// Removes the thumbnail, because it shows the image before the edit.
    private mutating func removePreview(after directory: Directory) {
        guard let place = integer32(directory.next), let second = self.directory(at: place) else {
            return
        }
        if let start = value(Self.previewStart, in: second).flatMap(integer32),
            let length = value(Self.previewLength, in: second).flatMap(integer32),
            start >= 8, length > 0, start + length <= bytes.count
        {
            if start + length == bytes.count, second.next + 4 <= start {
                bytes.removeLast(length)
            } else if second.next + 4 <= start || start + length <= place {
                for index in start..<start + length { bytes[index] = 0 }
            }
        }
        write(0, bytes: 4, at: directory.next)
    }

    // MARK: - Numbers

    private func integer16(_ place: Int) -> Int? { integer(place, 2) }

    private func integer32(_ place: Int) -> Int? { integer(place, 4) }

    private func integer(_ place: Int, _ count: Int) -> Int? {
        guard place >= 0, place + count <= bytes.count else { return nil }
        let part = bytes[place..<place + count]
        return isLittleEndian
            ? part.reversed().reduce(0) { $0 << 8 | Int($1) }
            : part.reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func write(_ number: Int, bytes count: Int, at place: Int) {
        guard place >= 0, place + count <= bytes.count else { return }
        for index in 0..<count {
            let shift = isLittleEndian ? index * 8 : (count - 1 - index) * 8
            bytes[place + index] = UInt8(truncatingIfNeeded: number >> shift)
        }
    }
}
