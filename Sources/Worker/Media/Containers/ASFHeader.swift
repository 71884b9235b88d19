internal import Glibc

/// The header of an Advanced Systems Format (ASF) file, the container of Windows Media.
package enum ASFHeader {
    private static let header: [UInt8] = [
        0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11, 0xa6, 0xd9, 0x00, 0xaa, 0x00, 0x62, 0xce,
        0x6c,
    ]
    private static let properties: [UInt8] = [
        0xa1, 0xdc, 0xab, 0x8c, 0x47, 0xa9, 0xcf, 0x11, 0x8e, 0xe4, 0x00, 0xc0, 0x0c, 0x20, 0x53,
        0x65,
    ]
    /// The number of seconds from the start of 1601 to the start of 1970.
    private static let secondsTo1970 = 11_644_473_600

    package static func isASF(_ bytes: ByteView) -> Bool {
        bytes.available(at: 0, length: header.count).bytes.elementsEqual(header)
    }

    /// Returns the creation date in UTC as `YYYY:MM:DD HH:MM:SS`; nil if the file has none.
    package static func creationDate(in bytes: ByteView) -> String? {
        // The object's identifier and length, and the file's identifier and length, precede the
        // date.
        let head = bytes.available(at: 0, length: 1 << 16)
        guard let start = head.index(of: properties),
            let ticks = head.number(at: start + 48, length: 8, isBigEndian: false)
        else { return nil }
        var seconds = Int(ticks / 10_000_000) - secondsTo1970
        var fields = tm()
        // Windows Media did not exist before 1990.
        guard seconds > 631_152_000, gmtime_r(&seconds, &fields) != nil, fields.tm_year < 8000
        else { return nil }
        func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(fields.tm_year + 1900):\(padded(fields.tm_mon + 1)):\(padded(fields.tm_mday))"
        let time = "\(padded(fields.tm_hour)):\(padded(fields.tm_min)):\(padded(fields.tm_sec))"
        return "\(day) \(time)"
    }
}
