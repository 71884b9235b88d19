/// A raw data set of an IPTC block (IIM 4).
struct IPTCDataSet {
    /// The maximum length of a value in bytes; longer values are skipped because they are not text.
    private static let longestValue = 256 * 1024
    private static let marker: UInt8 = 0x1c

    /// The record number in the upper 16 bits, and the data set number in the lower 16.
    var key: Int
    var bytes: ByteView

    /// Calls `body` with the data sets of a block, in order, up to the first truncated one.
    ///
    /// Bytes between data sets are skipped.
    static func read(_ block: ByteView, _ body: (IPTCDataSet) -> Void) {
        var position = 0
        while let start = block.index(of: marker, from: position) {
            guard let record = block.byte(at: start + 1), let number = block.byte(at: start + 2),
                let field = block.integer16(at: start + 3)
            else { return }
            var value = start + 5
            var length = field
            if field & 0x8000 != 0 {
                // The field contains the number of length bytes.
                let size = field & 0x7fff
                guard size <= 4, let extended = block.number(at: value, length: size) else {
                    return
                }
                value += size
                length = Int(extended)
            }
            guard let bytes = block.part(at: value, length: length) else { return }
            if !bytes.isEmpty, length <= longestValue {
                body(IPTCDataSet(key: Int(record) << 16 | Int(number), bytes: bytes))
            }
            position = value + length
        }
    }
}
