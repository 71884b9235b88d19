internal import PhotoModel

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
        self = try reader.transaction()
        guard reader.remaining == 0 else { throw reader.error("bytes follow its end") }
    }
}

extension SegmentWriter {
    mutating func append(_ transaction: CloudTransaction) {
        append(transaction.time.rawValue)
        append(transaction.author)
        append(UInt32(clamping: transaction.operations.count))
        for operation in transaction.operations {
            // Each operation has a length, so that a version that does not know its kind can keep
            // its bytes.
            let (kind, body) = operation.encoded
            append(kind)
            append(counted: body)
        }
    }
}

extension SegmentReader {
    mutating func transaction() throws(CloudFormatError) -> CloudTransaction {
        let time = HybridTime(rawValue: try uint64())
        guard time.rawValue < HybridTime.limit else { throw error("a time is too high") }
        let author = try id()
        var operations: [CloudOperation] = []
        for _ in 0..<(try count(ofAtLeast: 5)) {
            operations.append(try CloudOperation(kind: try byte(), body: try counted()))
        }
        return CloudTransaction(time: time, author: author, operations: operations)
    }
}
