/// The beginning of an MPEG-2 transport stream, for the sniffer and the date reader.
package struct TransportStream {
    private static let mark: UInt8 = 0x47
    private static let payloadLength = 188
    /// The number of consecutive packets that must begin with the sync byte.
    private static let proof = 5
    /// The maximum number of packets to search for the date.
    ///
    /// Cameras write the date into the first picture.
    private static let maximumPackets = 20_000
    private static let maximumStreamLength = 4 << 20

    /// Indicates whether each packet is preceded by a four-byte timestamp, as in AVCHD and Blu-ray.
    package let hasTimes: Bool
    private let bytes: ByteView

    /// Creates a transport stream; returns nil for bytes that are not transport packets.
    package init?(_ bytes: ByteView) {
        func isStream(from start: Int, every length: Int) -> Bool {
            bytes.count >= start + (Self.proof - 1) * length + Self.payloadLength
                && (0..<Self.proof).allSatisfy { bytes.byte(at: start + $0 * length) == Self.mark }
        }
        if isStream(from: 0, every: Self.payloadLength) {
            hasTimes = false
        } else if isStream(from: 4, every: Self.payloadLength + 4) {
            hasTimes = true
        } else {
            return nil
        }
        self.bytes = bytes
    }

    // MARK: - Recording date

    /// The recording date as `YYYY:MM:DD HH:MM:SS`, with the UTC offset if the camera states it
    /// unambiguously.
    package var recordingDate: (text: String, offset: String?)? {
        for stream in streams() {
            let found = stream.withUnsafeBytes { RecordingData.date(in: ByteView($0)) }
            if let found { return found }
        }
        return nil
    }

    /// Returns the joined payloads of the file's first packets, one array for each packet
    /// identifier (PID).
    private func streams() -> [[UInt8]] {
        let step = Self.payloadLength + (hasTimes ? 4 : 0)
        var found: [Int: [UInt8]] = [:]
        var position = hasTimes ? 4 : 0
        for _ in 0..<Self.maximumPackets {
            guard let packet = bytes.part(at: position, length: Self.payloadLength),
                packet.byte(at: 0) == Self.mark, let header = packet.integer16(at: 1),
                let flags = packet.byte(at: 3)
            else { break }
            position += step
            var start = 4
            // An adaptation field starts with its length.
            if flags & 0x20 != 0 { start += 1 + Int(packet.byte(at: 4) ?? 0) }
            let stream = header & 0x1fff
            guard flags & 0x10 != 0, stream != 0x1fff,
                found[stream, default: []].count < Self.maximumStreamLength
            else { continue }
            found[stream, default: []].append(contentsOf: packet.available(at: start).bytes)
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }
}

/// The “modified digital video pack metadata” that camcorders write into H.264 streams.
enum RecordingData {
    private static let name: [UInt8] = [
        0x17, 0xee, 0x8c, 0x60, 0xf8, 0x4d, 0x11, 0xd9, 0x8c, 0xd6, 0x08, 0x00, 0x20, 0x0c, 0x9a,
        0x66, 0x4d, 0x44, 0x50, 0x4d,
    ]

    /// The maximum number of metadata blocks of a stream that are examined.
    ///
    /// Cameras write one into each picture.
    private static let maximumBlocks = 64

    /// The earliest possible year; a clock that was never set may have the year 0000.
    private static let earliestYear = 1900

    /// Returns the recording date in the first metadata block of a stream that has a valid one; nil
    /// if there is none.
    static func date(in stream: ByteView) -> (text: String, offset: String?)? {
        var rest = stream
        for _ in 0..<maximumBlocks {
            guard let start = rest.index(of: name) else { return nil }
            rest = rest.available(at: start + name.count)
            if let found = date(inBlock: rest.available(at: 0, length: 1024)) { return found }
        }
        return nil
    }

    /// Returns the recording date in a metadata block, given the bytes after its name; nil if the
    /// block has no date or an impossible one.
    private static func date(inBlock block: ByteView) -> (text: String, offset: String?)? {
        let packs = unescaped(block)
        guard let count = packs.first else { return nil }
        var byTag: [UInt8: ArraySlice<UInt8>] = [:]
        for index in 0..<Int(count) where (index + 1) * 5 < packs.count {
            let pack = packs[(index * 5 + 1)...(index * 5 + 5)]
            if let tag = pack.first { byTag[tag] = pack.dropFirst() }
        }
        // Time zone, century, year and month, then day, hour, minute and second, in BCD.
        guard let month = byTag[0x18].map(Array.init), let day = byTag[0x19].map(Array.init) else {
            return nil
        }
        let digits = (month.dropFirst() + day).map { ($0 >> 4, $0 & 15) }
        guard digits.allSatisfy({ $0.0 < 10 && $0.1 < 10 }) else { return nil }
        let text = digits.map { "\($0.0)\($0.1)" }
        let numbers = digits.map { Int($0.0) * 10 + Int($0.1) }
        let year = numbers[0] * 100 + numbers[1]
        guard year >= earliestYear, 1...12 ~= numbers[2],
            1...days(inMonth: numbers[2], year: year) ~= numbers[3], numbers[4] < 24,
            numbers[5] < 60, numbers[6] < 60
        else { return nil }
        return (
            "\(text[0])\(text[1]):\(text[2]):\(text[3]) \(text[4]):\(text[5]):\(text[6])",
            offset(month[0])
        )
    }

    /// Returns the number of days of a month from 1 to 12.
    private static func days(inMonth month: Int, year: Int) -> Int {
        switch month {
        case 2:
            year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
                ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Decodes a time zone byte, which has a sign and a number of half hours.
    ///
    /// Returns nil if the byte marks daylight saving time, because cameras disagree on the mark's
    /// meaning.
    private static func offset(_ zone: UInt8) -> String? {
        let hours = zone >> 1 & 15
        guard zone & 0xc0 == 0, hours <= 14 else { return nil }
        let sign = zone & 0x20 != 0 ? "-" : "+"
        return "\(sign)\(hours < 10 ? "0" : "")\(hours):\(zone & 1 != 0 ? "30" : "00")"
    }

    /// Returns the bytes without H.264's emulation prevention bytes.
    private static func unescaped(_ view: ByteView) -> [UInt8] {
        var result: [UInt8] = []
        var zeros = 0
        for byte in view.bytes {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
        }
        return result
    }
}
