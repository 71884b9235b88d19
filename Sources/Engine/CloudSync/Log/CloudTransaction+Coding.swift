extension CloudTransaction {
    /// The transaction as it is in a segment.
    package var encoded: [UInt8] {
        var writer = SegmentWriter()
        writer.append(self)
        return writer.bytes
    }

    /// Decodes exactly one transaction.
    package init(decoding bytes: [UInt8]) throws(CloudFormatError) {
        var reader = SegmentReader(bytes)
        try self.init(from: &reader)
        try reader.finish()
    }
}
