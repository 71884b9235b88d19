import Foundation

/// Appends numbers and text to bytes, in one byte order.
struct ByteWriter {
    private(set) var data = Data()
    let isBigEndian: Bool

    init(bigEndian: Bool = true) { isBigEndian = bigEndian }

    var count: Int { data.count }

    mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: isBigEndian ? value.bigEndian : value.littleEndian) {
            data.append(contentsOf: $0)
        }
    }

    mutating func append(_ bytes: some Sequence<UInt8>) { data.append(contentsOf: bytes) }

    mutating func append(ascii text: String) { data.append(contentsOf: text.utf8) }

    /// Appends zero bytes up to the next multiple of `boundary`.
    mutating func align(to boundary: Int) {
        while data.count % boundary != 0 { data.append(0) }
    }
}
