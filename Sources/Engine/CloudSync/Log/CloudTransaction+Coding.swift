extension CloudTransaction {
    /// The encoding of the transaction, as in a segment.
    package var encoded: [UInt8] {
        var writer = SegmentWriter()
        writer.append(self)
        return writer.bytes
    }

    /// Decodes one transaction; throws an error if bytes remain after the transaction.
    package init(decoding bytes: [UInt8]) throws(CloudFormatError) {
        var reader = SegmentReader(bytes)
        try self.init(from: &reader)
        try reader.finish()
    }
}
