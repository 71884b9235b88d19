package import FoundationEssentials

/// The tags to write to an image file, grouped as TIFF directories.
///
/// Numbers are stored big-endian.
package struct TagDirectories: Codable, Hashable, Sendable {
    /// The data type of a value, with TIFF's numbers as raw values.
    package enum ValueType: Int, Codable, Hashable, Sendable {
        case byte = 1
        case text = 2
        case short = 3
        case long = 4
        case rational = 5
        case undefined = 7
        case signedLong = 9
        case signedRational = 10

        var size: Int {
            switch self {
            case .byte, .text, .undefined: 1
            case .short: 2
            case .long, .signedLong: 4
            case .rational, .signedRational: 8
            }
        }
    }

    /// A tag entry.
    package struct Entry: Codable, Hashable, Sendable {
        package var number: Int
        package var type: ValueType
        package var bytes: Data

        var count: Int { bytes.count / type.size }
    }

    /// The tags of the image itself.
    package var image: [Entry] = []
    /// The tags of the capture (EXIF).
    package var photo: [Entry] = []
    /// The tags of the location (GPS).
    package var gps: [Entry] = []

    package init() {}

    package var isEmpty: Bool { image.isEmpty && photo.isEmpty && gps.isEmpty }

    // MARK: - Layout

    private static let exifPointer = 0x8769
    private static let gpsPointer = 0x8825
    private static let header: [UInt8] = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8]

    /// The directories as embedded EXIF data, which have the structure of a TIFF file.
    package var block: [UInt8] { Self.header + laidOut(at: 8, adding: []) }

    /// Returns the beginning of a TIFF file: the header and the directories, without the pixels
    /// that follow.
    ///
    /// - Parameters:
    ///   - pixelPlace: The tag that holds the offset of the pixels.
    ///   - structure: Tags that describe the pixel layout; they take precedence over other tags.
    /// - Returns: The bytes before the pixels.
    package func head(pixelPlace: Int, structure: [Entry]) -> [UInt8] {
        let draft = laidOut(at: 8, adding: structure + [.long(pixelPlace, 0)])
        let start = Self.header.count + draft.count
        return Self.header + laidOut(at: 8, adding: structure + [.long(pixelPlace, start)])
    }

    /// Returns the main directory, followed by the other directories and all values that do not fit
    /// into entries.
    private func laidOut(at start: Int, adding structure: [Entry]) -> [UInt8] {
        let numbers = Set(structure.map(\.number))
        var main = image.filter { !numbers.contains($0.number) } + structure
        // Placeholders of the final length.
        if !photo.isEmpty { main.append(.long(Self.exifPointer, 0)) }
        if !gps.isEmpty { main.append(.long(Self.gpsPointer, 0)) }
        let photoStart = start + Self.length(of: main)
        let gpsStart = photoStart + (photo.isEmpty ? 0 : Self.length(of: photo))
        main = main.map { entry in
            switch entry.number {
            case Self.exifPointer: .long(entry.number, photoStart)
            case Self.gpsPointer: .long(entry.number, gpsStart)
            default: entry
            }
        }
        return Self.directory(main, at: start)
            + (photo.isEmpty ? [] : Self.directory(photo, at: photoStart))
            + (gps.isEmpty ? [] : Self.directory(gps, at: gpsStart))
    }

    private static func length(of entries: [Entry]) -> Int {
        6 + entries.count * 12 + entries.reduce(0) { $0 + outerLength(of: $1) }
    }

    /// Returns the length of a value that is stored after its directory, rounded up to an even
    /// number.
    ///
    /// The length is 0 for a value that is stored in its entry.
    private static func outerLength(of entry: Entry) -> Int {
        entry.bytes.count > 4 ? (entry.bytes.count + 1) / 2 * 2 : 0
    }

    /// Returns one directory, with its values and no link to a next directory.
    package static func directory(_ entries: [Entry], at start: Int) -> [UInt8] {
        var directory = Entry.big16(entries.count)
        var values: [UInt8] = []
        let valueStart = start + 6 + entries.count * 12
        for entry in entries.sorted(by: { $0.number < $1.number }) {
            directory += Entry.big16(entry.number) + Entry.big16(entry.type.rawValue)
            directory += Entry.big32(entry.count)
            if outerLength(of: entry) == 0 {
                directory += entry.bytes + [UInt8](repeating: 0, count: 4 - entry.bytes.count)
            } else {
                directory += Entry.big32(valueStart + values.count)
                values += entry.bytes
                if values.count % 2 == 1 { values.append(0) }
            }
        }
        return directory + [0, 0, 0, 0] + values
    }
}

// MARK: - Values

extension TagDirectories.Entry {
    /// Creates a text entry, with a terminating zero.
    package static func text(_ number: Int, _ text: String) -> Self {
        Self(number: number, type: .text, bytes: Data(text.utf8.filter { $0 != 0 } + [0]))
    }

    package static func bytes(_ number: Int, _ values: [UInt8]) -> Self {
        Self(number: number, type: .byte, bytes: Data(values))
    }

    package static func undefined(_ number: Int, _ values: [UInt8]) -> Self {
        Self(number: number, type: .undefined, bytes: Data(values))
    }

    /// Creates an entry of 16-bit unsigned integers; values outside the 16-bit range are clamped.
    package static func shorts(_ number: Int, _ values: [Int]) -> Self {
        let bytes = values.flatMap { big16(min(max($0, 0), 0xffff)) }
        return Self(number: number, type: .short, bytes: Data(bytes))
    }

    package static func long(_ number: Int, _ value: Int) -> Self {
        Self(number: number, type: .long, bytes: Data(big32(min(max(value, 0), 0xffff_ffff))))
    }

    package static func signedLong(_ number: Int, _ value: Int) -> Self {
        let bytes = big32(Int(Int32(clamping: value)))
        return Self(number: number, type: .signedLong, bytes: Data(bytes))
    }

    /// Creates an entry of fractions that approximate numbers; negative numbers become 0.
    package static func rationals(_ number: Int, _ values: [Double]) -> Self {
        let bytes = values.flatMap { fraction(max(0, $0), limit: Double(UInt32.max)) }
        return Self(number: number, type: .rational, bytes: Data(bytes))
    }

    package static func signedRationals(_ number: Int, _ values: [Double]) -> Self {
        let bytes = values.flatMap { fraction($0, limit: Double(Int32.max)) }
        return Self(number: number, type: .signedRational, bytes: Data(bytes))
    }

    static func big16(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    }

    static func big32(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// Returns the simplest fraction that equals a number in double precision, as its numerator and
    /// denominator.
    private static func fraction(_ value: Double, limit: Double) -> [UInt8] {
        guard value.isFinite, abs(value) <= limit else {
            let bound = value < 0 ? -limit : value.isNaN ? 0 : limit
            return big32(Int(bound)) + big32(1)
        }
        let size = abs(value)
        // A continued fraction: each step is the best approximation for its size of denominator.
        var (above, formerAbove) = (1.0, 0.0)
        var (below, formerBelow) = (0.0, 1.0)
        var rest = size
        for _ in 0..<40 {
            let whole = rest.rounded(.down)
            let nextAbove = whole * above + formerAbove
            let nextBelow = whole * below + formerBelow
            guard nextAbove <= limit, nextBelow <= limit else { break }
            (formerAbove, above) = (above, nextAbove)
            (formerBelow, below) = (below, nextBelow)
            if abs(above / below - size) <= size * 1e-13 || rest == whole { break }
            rest = 1 / (rest - whole)
        }
        if below == 0 { (above, below) = (0, 1) }
        return big32(Int(value < 0 ? -above : above)) + big32(Int(below))
    }
}
