internal import FoundationEssentials

/// A flat buffer of row ids, 8 bytes each.
///
/// It is encoded as raw little-endian bytes rather than as a list of numbers.
package struct RowIDBuffer: Hashable, Sendable, RandomAccessCollection {
    package var ids: ContiguousArray<Int64>

    package init(_ ids: ContiguousArray<Int64> = []) {
        self.ids = ids
    }

    package init(_ ids: some Sequence<Int64>) {
        self.ids = ContiguousArray(ids)
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { ids.count }
    package subscript(position: Int) -> Int64 { ids[position] }
}

extension RowIDBuffer: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let data = try container.decode(Data.self)
        guard data.count.isMultiple(of: 8) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\(data.count) bytes are not a whole number of row ids"
            )
        }
        ids = ContiguousArray(unsafeUninitializedCapacity: data.count / 8) { buffer, count in
            _ = data.copyBytes(to: UnsafeMutableRawBufferPointer(buffer))
            for index in buffer.indices.prefix(data.count / 8) {
                buffer[index] = Int64(littleEndian: buffer[index])
            }
            count = data.count / 8
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let bytes = ids.map(\.littleEndian).withUnsafeBytes { Data($0) }
        try container.encode(bytes)
    }
}
