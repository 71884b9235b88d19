/// One field of an IPTC block (IIM 4), as it is written.
struct IPTCDataSet {
    /// A value longer than this holds no words.
    private static let longestValue = 256 * 1024
    private static let marker: UInt8 = 0x1c

    /// The record's number in the upper 16 bits, the data set's in the lower.
    var key: Int
    var bytes: ByteView

    /// Calls `body` with the data sets of a block, in order, up to the first one that is cut short.
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
                // The field says how many bytes the length has.
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
