import Media
import Testing

/// Transport streams, with the dates that camcorders write into the picture's stream.
@Suite(.timeLimit(.minutes(1))) struct TransportStreamTests {
    private static let name: [UInt8] = [
        0x17, 0xee, 0x8c, 0x60, 0xf8, 0x4d, 0x11, 0xd9, 0x8c, 0xd6, 0x08, 0x00, 0x20, 0x0c, 0x9a,
        0x66, 0x4d, 0x44, 0x50, 0x4d,
    ]

    /// Returns the packs of a date: 2009-08-15 12:34:56.
    private static func packs(
        zone: UInt8 = 0x02,
        year: (UInt8, UInt8) = (0x20, 0x09),
        month: UInt8 = 0x08,
        day: UInt8 = 0x15
    ) -> [UInt8] {
        [2, 0x18, zone, year.0, year.1, month, 0x19, day, 0x12, 0x34, 0x56]
    }

    /// Returns packets of one stream, padded with an adaptation field.
    private static func packets(_ payload: [UInt8], hasTimes: Bool = false, stream: Int = 0x1011)
        -> [UInt8]
    {
        var rest = payload[...]
        var bytes: [UInt8] = []
        var count = 0
        while !rest.isEmpty || count < 6 {
            let part = rest.prefix(100)
            rest = rest.dropFirst(100)
            let padding = 184 - part.count - 1
            if hasTimes { bytes += [0, 0, 0, 1] }
            bytes += [0x47, UInt8(stream >> 8), UInt8(stream & 0xff), 0x30, UInt8(padding)]
            bytes += [UInt8](repeating: 0xff, count: padding) + part
            count += 1
        }
        return bytes
    }

    private static func date(_ bytes: [UInt8]) -> [String?]? {
        bytes.withUnsafeBytes { raw in
            TransportStream(ByteView(raw))?.recordingDate.map { [$0.text, $0.offset] }
        }
    }

    @Test(arguments: [false, true]) func theDateOfACamcorderIsRead(hasTimes: Bool) throws {
        let payload = [UInt8](repeating: 9, count: 90) + Self.name + Self.packs()
        let bytes = Self.packets(payload, hasTimes: hasTimes)
        let isTimed = try bytes.withUnsafeBytes {
            try #require(TransportStream(ByteView($0))).hasTimes
        }
        #expect(isTimed == hasTimes)
        #expect(Self.date(bytes) == ["2009:08:15 12:34:56", "+01:00"])
    }

    /// The offset counts half hours, with a sign; with daylight saving time it is not known.
    @Test(
        arguments: [
            (0x00, "+00:00"), (0x0b, "+05:30"), (0x30, "-08:00"), (0x1c, "+14:00"), (0x1e, nil),
            (0x42, nil), (0xff, nil),
        ] as [(UInt8, String?)]
    )
    func theZoneIsRead(_ zone: UInt8, _ offset: String?) {
        let bytes = Self.packets(Self.name + Self.packs(zone: zone))
        #expect(Self.date(bytes) == ["2009:08:15 12:34:56", offset])
    }

    /// H.264 inserts a 3 behind two zeros.
    @Test func insertedBytesAreRemoved() {
        let packs: [UInt8] = [3, 0x10, 0, 0, 3, 0, 0] + Self.packs().dropFirst()
        #expect(Self.date(Self.packets(Self.name + packs)) == ["2009:08:15 12:34:56", "+01:00"])
    }

    @Test func impossibleDatesAreNone() {
        #expect(Self.date(Self.packets(Self.name + Self.packs(month: 0x0a))) == nil)
        #expect(Self.date(Self.packets(Self.name + [1] + Self.packs().dropFirst())) == nil)
        #expect(Self.date(Self.packets(Self.name)) == nil)
        #expect(Self.date(Self.packets([1, 2, 3])) == nil)
    }

    /// The days of each month, among them the 29th of February of leap years.
    @Test(
        arguments: [
            (0x20, 0x09, 0x01, 0x31, true), (0x20, 0x09, 0x02, 0x28, true),
            (0x20, 0x09, 0x02, 0x29, false), (0x20, 0x12, 0x02, 0x29, true),
            (0x20, 0x00, 0x02, 0x29, true), (0x21, 0x00, 0x02, 0x29, false),
            (0x20, 0x12, 0x02, 0x30, false), (0x20, 0x09, 0x04, 0x30, true),
            (0x20, 0x09, 0x04, 0x31, false), (0x20, 0x09, 0x12, 0x31, true),
            (0x20, 0x09, 0x12, 0x32, false), (0x20, 0x09, 0x08, 0x00, false),
            (0x00, 0x00, 0x08, 0x15, false), (0x00, 0x09, 0x08, 0x15, false),
        ] as [(UInt8, UInt8, UInt8, UInt8, Bool)]
    )
    func theDayIsOneOfItsMonth(
        _ century: UInt8,
        _ year: UInt8,
        _ month: UInt8,
        _ day: UInt8,
        _ isPossible: Bool
    ) {
        let packs = Self.packs(year: (century, year), month: month, day: day)
        #expect((Self.date(Self.packets(Self.name + packs)) != nil) == isPossible)
    }

    /// Returns the payload of metadata blocks, with other bytes between them.
    private static func blocks(_ contents: [[UInt8]]) -> [UInt8] {
        contents.flatMap { Self.name + $0 + [UInt8](repeating: 0x55, count: 40) }
    }

    /// Cameras repeat the date; a block without one, or with an impossible one, is passed over.
    @Test func theFirstValidBlockCounts() {
        let withoutDay: [UInt8] = [1] + Self.packs().dropFirst()
        let invalid: [[UInt8]] = [
            [0], withoutDay, Self.packs(month: 0x0a), Self.packs(month: 0x00),
            Self.packs(month: 0x13), Self.packs(month: 0x02, day: 0x30), Self.packs(year: (0, 0)),
        ]
        for block in invalid {
            let payload = Self.blocks([block, Self.packs(), Self.packs(month: 0x09)])
            #expect(Self.date(Self.packets(payload)) == ["2009:08:15 12:34:56", "+01:00"])
        }
        let payload = Self.blocks(invalid + [Self.packs()])
        #expect(Self.date(Self.packets(payload)) == ["2009:08:15 12:34:56", "+01:00"])
    }

    @Test func theNumberOfBlocksIsLimited() {
        let payload = Self.blocks([[UInt8]](repeating: [0], count: 64) + [Self.packs()])
        #expect(Self.date(Self.packets(payload)) == nil)
    }

    /// Packets without content, and those without a stream, are passed over.
    @Test func otherPacketsAreIgnored() {
        let payload = Self.name + Self.packs()
        #expect(Self.date(Self.packets(payload, stream: 0x1fff)) == nil)
        var empty = Self.packets(payload)
        for start in stride(from: 0, to: empty.count, by: 188) { empty[start + 3] = 0x20 }
        #expect(Self.date(empty) == nil)
    }

    @Test func otherBytesAreNoStream() {
        let stream = Self.packets([1])
        for bytes in [[], [0x47], Array(stream.prefix(4 * 188)), Array(stream.dropFirst())] {
            let isStream = bytes.withUnsafeBytes { TransportStream(ByteView($0)) != nil }
            #expect(!isStream)
        }
    }
}
