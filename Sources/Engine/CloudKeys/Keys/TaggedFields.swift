internal import CloudSync

/// The fields of an object, identified by numeric tags and encoded in ascending tag order.
///
/// Fields that a later version added are kept, so that an object that is written again loses
/// nothing. Equal fields have equal bytes.
struct TaggedFields: Hashable, Sendable {
    private var fields: [UInt16: [UInt8]] = [:]

    init() {}

    subscript(tag: UInt16) -> [UInt8]? {
        get { fields[tag] }
        set { fields[tag] = newValue }
    }

    subscript(id tag: UInt16) -> CloudID? {
        get {
            guard let bytes = fields[tag], bytes.count == 16 else { return nil }
            var reader = SegmentReader(bytes)
            return try? reader.id()
        }
        set { fields[tag] = newValue.map(\.bytes) }
    }

    subscript(number tag: UInt16) -> UInt64? {
        get {
            guard let bytes = fields[tag], bytes.count == 8 else { return nil }
            return bytes.reduce(0) { $0 << 8 | UInt64($1) }
        }
        set {
            fields[tag] = newValue.map { value in
                (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) }
            }
        }
    }

    /// Returns the bytes of a field; nil if it is absent or does not have `count` bytes.
    func bytes(_ tag: UInt16, count: Int) -> [UInt8]? {
        fields[tag].flatMap { $0.count == count ? $0 : nil }
    }

    var encoded: [UInt8] {
        var writer = SegmentWriter()
        writer.append(UInt16(clamping: fields.count))
        for (tag, bytes) in fields.sorted(by: { $0.key < $1.key }) {
            writer.append(tag)
            writer.append(counted: bytes)
        }
        return writer.bytes
    }

    /// Decodes fields; throws an error if their tags are not strictly ascending.
    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        var last = -1
        for _ in 0..<(try reader.uint16()) {
            let tag = try reader.uint16()
            guard Int(tag) > last else { throw reader.error("its fields are not in order") }
            last = Int(tag)
            fields[tag] = try reader.counted()
        }
    }

    /// Decodes fields from bytes; throws an error if bytes remain after the last field.
    init(decoding bytes: [UInt8], of object: String) throws(CloudKeyError) {
        do throws(CloudFormatError) {
            var reader = SegmentReader(bytes)
            try self.init(from: &reader)
            guard reader.remaining == 0 else { throw reader.error("bytes follow its end") }
        } catch {
            throw .malformed(object, error)
        }
    }
}

extension RandomNumberGenerator {
    /// Returns `count` random bytes.
    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
