internal import PhotoModel

/// A value with a canonical encoding for segments, snapshots, checkpoints and input journals.
///
/// Equal values have equal bytes: sets and dictionaries are written in ascending order, and are
/// read in that order only.
protocol SegmentCodable {
    /// The minimum encoded size of a value, in bytes.
    ///
    /// A reader uses it to reject a number of entries that the remaining bytes cannot contain.
    static var minimumSize: Int { get }

    func write(to writer: inout SegmentWriter)

    init(from reader: inout SegmentReader) throws(CloudFormatError)
}

extension SegmentWriter {
    mutating func append(_ value: some SegmentCodable) {
        value.write(to: &self)
    }

    mutating func append(magic: String) {
        for byte in magic.utf8 { append(byte) }
    }

    mutating func append(_ value: (some SegmentCodable)?) {
        append(value != nil)
        if let value { append(value) }
    }

    mutating func append(_ values: [some SegmentCodable]) {
        append(UInt32(clamping: values.count))
        for value in values { append(value) }
    }

    mutating func append<Key: SegmentCodable & Comparable>(
        _ entries: [Key: some SegmentCodable]
    ) {
        append(UInt32(clamping: entries.count))
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
            append(key)
            append(value)
        }
    }
}

extension Set: SegmentCodable where Element: SegmentCodable & Comparable {
    static var minimumSize: Int { 4 }

    func write(to writer: inout SegmentWriter) { writer.append(sorted()) }

    init(from reader: inout SegmentReader) throws(CloudFormatError) { self = try reader.set() }
}

/// The encoding of a queue, which equals that of an array with the same values.
extension Queue: SegmentCodable where Element: SegmentCodable {
    static var minimumSize: Int { 4 }

    func write(to writer: inout SegmentWriter) {
        writer.append(UInt32(clamping: count))
        for value in self { writer.append(value) }
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        self.init(try reader.list())
    }
}

extension SegmentReader {
    /// Reads the magic bytes, which name the format and its version; throws if the bytes differ.
    mutating func magic(_ magic: String, of name: String) throws(CloudFormatError) {
        for byte in magic.utf8 where try self.byte() != byte {
            throw error("it is no \(name) of a known format")
        }
    }

    mutating func optional<Value: SegmentCodable>() throws(CloudFormatError) -> Value? {
        try flag() ? try Value(from: &self) : nil
    }

    mutating func list<Value: SegmentCodable>() throws(CloudFormatError) -> [Value] {
        let count = try count(ofAtLeast: Value.minimumSize)
        var values: [Value] = []
        values.reserveCapacity(count)
        for _ in 0..<count { values.append(try Value(from: &self)) }
        return values
    }

    mutating func set<Value: SegmentCodable & Hashable & Comparable>()
        throws(CloudFormatError) -> Set<Value>
    {
        let count = try count(ofAtLeast: Value.minimumSize)
        var values = Set<Value>(minimumCapacity: count)
        var last: Value?
        for _ in 0..<count {
            let value = try Value(from: &self)
            if let last, last >= value { throw error("the entries of a set are in no order") }
            last = value
            values.insert(value)
        }
        return values
    }

    mutating func dictionary<Key: SegmentCodable & Hashable & Comparable, Value: SegmentCodable>()
        throws(CloudFormatError) -> [Key: Value]
    {
        let count = try count(ofAtLeast: Key.minimumSize + Value.minimumSize)
        var entries = [Key: Value](minimumCapacity: count)
        var last: Key?
        for _ in 0..<count {
            let key = try Key(from: &self)
            if let last, last >= key { throw error("entries are in no order") }
            last = key
            guard entries.updateValue(try Value(from: &self), forKey: key) == nil else {
                throw error("an entry is there twice")
            }
        }
        return entries
    }

    /// Reads the number of a segment or a request; throws if it is too high to be incremented
    /// safely.
    mutating func number() throws(CloudFormatError) -> UInt64 {
        let value = try uint64()
        guard value < 1 << 62 else { throw error("a number is too high") }
        return value
    }

    mutating func time() throws(CloudFormatError) -> HybridTime {
        let time = HybridTime(rawValue: try uint64())
        guard time.rawValue < HybridTime.limit else { throw error("a time is too high") }
        return time
    }
}
