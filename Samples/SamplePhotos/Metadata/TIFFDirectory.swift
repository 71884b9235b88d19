import Foundation

/// A TIFF directory, the structure of EXIF, Apple's MakerNote and DNG.
///
/// Directories refer to others by value; the writer lays them out and fills in the offsets.
struct TIFFDirectory {
    /// A value with its TIFF type.
    enum Value {
        case bytes([UInt8])
        case ascii(String)
        case shorts([UInt16])
        case longs([UInt32])
        case rationals([(UInt32, UInt32)])
        case signedLongs([Int32])
        case signedRationals([(Int32, Int32)])
        case undefined(Data)
        /// The offset of another directory.
        case directory(TIFFDirectory)
        /// The offset of bytes elsewhere in the file, as a LONG.
        case data(Data)
    }

    private(set) var entries: [(tag: UInt16, value: Value)] = []

    init(_ entries: [(tag: UInt16, value: Value)] = []) { self.entries = entries }

    mutating func set(_ tag: UInt16, _ value: Value) {
        entries.removeAll { $0.tag == tag }
        entries.append((tag, value))
    }

    /// Returns a rational with the precision that places and exposures need.
    static func rational(_ value: Double) -> (UInt32, UInt32) {
        let scale: Double = value >= 4_000 ? 100 : value >= 40 ? 10_000 : 1_000_000
        return (UInt32((max(value, 0) * scale).rounded()), UInt32(scale))
    }
}

/// Lays out directories one after another, each followed by the values that do not fit into its
/// entries.
struct TIFFWriter {
    private var writer: ByteWriter
    /// The number that is added to a position to make an offset.
    private let base: Int

    /// Returns a whole TIFF stream: the header, then a chain of directories.
    static func file(_ chain: [TIFFDirectory], bigEndian: Bool) -> Data {
        var tiff = TIFFWriter(writer: ByteWriter(bigEndian: bigEndian), base: 0)
        tiff.writer.append(ascii: bigEndian ? "MM" : "II")
        tiff.writer.append(UInt16(42))
        tiff.writer.append(UInt32(8))
        tiff.append(chain)
        return tiff.writer.data
    }

    /// Returns one directory with offsets that count from `base` bytes before it.
    static func directory(_ directory: TIFFDirectory, base: Int, bigEndian: Bool) -> Data {
        var tiff = TIFFWriter(writer: ByteWriter(bigEndian: bigEndian), base: base)
        tiff.append([directory])
        return tiff.writer.data
    }

    private mutating func append(_ chain: [TIFFDirectory]) {
        for (index, directory) in chain.enumerated() {
            append(directory, hasNext: index + 1 < chain.count)
        }
    }

    private mutating func append(_ directory: TIFFDirectory, hasNext: Bool) {
        let entries = directory.entries.sorted { $0.tag < $1.tag }
        let start = base + writer.count
        let end = start + 2 + entries.count * 12 + 4
        var rest = ByteWriter(bigEndian: writer.isBigEndian)
        writer.append(UInt16(entries.count))
        for (tag, value) in entries {
            let field = encode(value, at: end + rest.count)
            writer.append(tag)
            writer.append(field.type)
            writer.append(UInt32(field.count))
            if let elsewhere = field.elsewhere {
                writer.append(UInt32(end + rest.count))
                rest.append(elsewhere)
                rest.align(to: 2)
            } else {
                writer.append(field.bytes)
                writer.append([UInt8](repeating: 0, count: 4 - field.bytes.count))
            }
        }
        writer.append(UInt32(hasNext ? end + rest.count : 0))
        writer.append(rest.data)
    }

    private struct Field {
        var type: UInt16
        var count: Int
        /// At most four bytes, or the whole value if it is stored elsewhere.
        var bytes = Data()
        var elsewhere: Data?
    }

    private func encode(_ value: TIFFDirectory.Value, at offset: Int) -> Field {
        var out = ByteWriter(bigEndian: writer.isBigEndian)
        var field: Field
        switch value {
        case .bytes(let bytes):
            out.append(bytes)
            field = Field(type: 1, count: bytes.count)
        case .ascii(let text):
            out.append(text.utf8)
            out.append(UInt8(0))
            field = Field(type: 2, count: out.count)
        case .shorts(let values):
            for value in values { out.append(value) }
            field = Field(type: 3, count: values.count)
        case .longs(let values):
            for value in values { out.append(value) }
            field = Field(type: 4, count: values.count)
        case .rationals(let values):
            for (over, under) in values {
                out.append(over)
                out.append(under)
            }
            field = Field(type: 5, count: values.count)
        case .undefined(let data):
            out.append(data)
            field = Field(type: 7, count: data.count)
        case .signedLongs(let values):
            for value in values { out.append(value) }
            field = Field(type: 9, count: values.count)
        case .signedRationals(let values):
            for (over, under) in values {
                out.append(over)
                out.append(under)
            }
            field = Field(type: 10, count: values.count)
        case .directory(let directory):
            let child = TIFFWriter.directory(
                directory,
                base: offset,
                bigEndian: writer.isBigEndian
            )
            return Field(type: 4, count: 1, elsewhere: child)
        case .data(let data):
            return Field(type: 4, count: 1, elsewhere: data)
        }
        if out.count > 4 { field.elsewhere = out.data } else { field.bytes = out.data }
        return field
    }
}
