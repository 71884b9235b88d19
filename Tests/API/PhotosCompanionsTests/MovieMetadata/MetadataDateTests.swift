import Foundation
import TestSupport
import Testing

@testable import PhotosCompanions

/// Dates in movie metadata, compared with Foundation's parser and with exact times.
@Suite(.timeLimit(.minutes(1))) struct MetadataDateTests {
    @Test(arguments: [
        ("2024-02-29T12:30:15Z", 1_709_209_815.0), ("2024-02-29 12:30:15Z", 1_709_209_815),
        ("2024-02-29T12:30:15+0000", 1_709_209_815), ("2024-02-29T14:00:15+01:30", 1_709_209_815),
        ("2024-02-29T03:30:15-0900", 1_709_209_815), (" 2024-02-29T12:30:15 Z ", 1_709_209_815),
        ("2024-02-29T12:30:15.25Z", 1_709_209_815.25), ("1970-01-01T00:00:00Z", 0),
        ("1904-01-01T00:00:00Z", -2_082_844_800), ("2024-02-29T12:30:15+14:00", 1_709_159_415),
    ])
    func datesWithOffsetsAreInstants(_ row: (String, Double)) {
        #expect(MetadataDate.instant(row.0)?.timeIntervalSince1970 == row.1)
    }

    @Test(arguments: [
        "", "2024", "2024-02-29", "2024-02-29T12:30:15", "2023-02-29T12:30:15Z",
        "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z", "2024-01-32T00:00:00Z",
        "2024-01-01T24:00:01Z", "2024-01-01T00:60:00Z", "2024-01-01T00:00:61Z",
        "2024-01-01T00:00:00z+01:00", "2024-01-01T00:00:00+1:00", "24-01-01T00:00:00Z",
        // Offsets that no place has, and digits that are not ASCII.
        "2024-01-01T00:00:00+24:00", "2024-01-01T00:00:00-00:60", "2024-01-01T00:00:00+99:99",
        "٢٠٢٤-01-01T00:00:00Z", "2024-01-01T00:00:00+٠١:00", "２０２４-01-01T00:00:00Z",
    ])
    func whatIsNoInstantHasNoDate(_ text: String) {
        #expect(MetadataDate.instant(text) == nil)
    }

    @Test func foundationReadsTheSame() {
        let seed = TestSeed()
        var generator = seed.generator
        let formatter = ISO8601DateFormatter()
        for _ in 0..<300 {
            let date = Date(
                timeIntervalSince1970: Double(
                    Int.random(in: -2_000_000_000...4_000_000_000, using: &generator)
                )
            )
            let offset = Int.random(in: -14 * 4...14 * 4, using: &generator) * 900
            formatter.timeZone = TimeZone(secondsFromGMT: offset)
            let text = formatter.string(from: date)
            #expect(MetadataDate.instant(text) == date, "\(text) \(seed)")
        }
    }
}
