extension Segment {
    /// The first bytes of each segment: the format and its version.
    private static let magic: [UInt8] = [0x73, 0x70, 0x73, 0x31]

    /// The maximum size of an encoded segment, in bytes; larger ones are not decoded.
    package static let maximumSize = 16 << 20

    /// Encodes the segment; equal segments have equal bytes.
    package func encoded() -> [UInt8] {
        var writer = SegmentWriter()
        for byte in Self.magic { writer.append(byte) }
        write(to: &writer)
        return writer.bytes
    }

    /// Decodes a segment from bytes that another device wrote.
    ///
    /// - Throws: ``CloudFormatError`` for anything but exactly one segment.
    package init(decoding bytes: [UInt8]) throws(CloudFormatError) {
        var reader = SegmentReader(bytes)
        guard bytes.count <= Self.maximumSize else { throw reader.error("it is too large") }
        for byte in Self.magic where try reader.byte() != byte {
            throw reader.error("it is no segment of a known format")
        }
        try self.init(from: &reader)
        try reader.finish()
    }
}

extension Segment: SegmentCodable {
    static var minimumSize: Int { 48 }

    func write(to writer: inout SegmentWriter) {
        writer.append(device)
        writer.append(sequence)
        writer.append(previous)
        writer.append(vector)
        writer.append(transactions)
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        let device = try reader.id()
        let sequence = try reader.number()
        let previous = try reader.id()
        guard sequence > 0, (sequence == 1) == (previous == Self.origin) else {
            throw reader.error("its number does not fit the previous segment")
        }
        let vector: VersionVector = try reader.dictionary()
        self.init(
            device: device,
            sequence: sequence,
            previous: previous,
            vector: vector,
            transactions: try reader.list()
        )
    }
}
