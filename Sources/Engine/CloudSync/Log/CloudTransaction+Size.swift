extension CloudTransaction {
    /// The maximum size in bytes of a transaction's stamp and operation count.
    private static let headerSize = 32
    /// The maximum size in bytes of a `stored` operation, which announces the upload of a content.
    private static let announcementSize = 256

    /// The maximum size in bytes of the transaction in a segment, including announcements of all
    /// its contents.
    package var maximumSize: Int { operations.reduce(Self.headerSize) { $0 + Self.size(of: $1) } }

    /// Divides the transaction into consecutive transactions with a maximum size of `limit` each.
    ///
    /// They have the same stamp. A larger operation has a transaction of its own.
    ///
    /// - Parameter limit: The maximum size of a transaction, in bytes, including announcements.
    /// - Returns: At least one transaction.
    func divided(limit: Int) -> [CloudTransaction] {
        var parts: [CloudTransaction] = []
        var part = CloudTransaction(time: time, author: author, operations: [])
        var size = Self.headerSize
        for operation in operations {
            let length = Self.size(of: operation)
            if size + length > limit, !part.operations.isEmpty {
                parts.append(part)
                part.operations = []
                size = Self.headerSize
            }
            part.operations.append(operation)
            size += length
        }
        return parts + [part]
    }

    private static func size(of operation: CloudOperation) -> Int {
        let size = SegmentWriter.measure { $0.append(operation) }
        return size + announcementSize * operation.contents.count
    }
}
