import Foundation
import LibraryService
import PhotoModel
import Photos
import Testing

/// Dates as literals of a format, without an argument.
@Suite(.timeLimit(.minutes(2))) struct PredicateDateTests {
    @Test(arguments: [
        ("'2024-05-01T18:30:15Z'", 736_281_015.0), ("\"2024-05-01 18:30Z\"", 736_281_000),
        ("'2024-05-01T18:30:15.5+02:00'", 736_273_815.5), ("'2024-02-29T00:00-0330'", 730_870_200),
        ("0", 0), ("1.25", 1.25), ("-60", -60),
    ])
    func castsAreInstants(_ constant: String, _ seconds: Double) throws {
        let format = "creationDate > cast(\(constant), 'NSDate')"
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(
            try tree(NSPredicate(format: format))
                == compare("creationDate", .greater, .value(.date(date)))
        )
    }

    @Test func withoutAnOffsetTheTimeIsLocal() throws {
        let midnight = try #require(
            Calendar.current.date(from: DateComponents(year: 2024, month: 5, day: 1))
        )
        #expect(
            try tree(NSPredicate(format: "creationDate < CAST('2024-05-01', 'NSDate')"))
                == compare("creationDate", .less, .value(.date(midnight)))
        )
    }

    @Test(arguments: [
        "'2024-02-30'", "'2024-13-01'", "'yesterday'", "''", "'2024-05-01T25:00Z'",
        "'2024-05-01T18:30+99:00'", "nil", "YES",
    ])
    func impossibleDatesAreNamed(_ constant: String) throws {
        let error = try #require(
            failure(NSPredicate(format: "creationDate > CAST(\(constant), 'NSDate')"))
        )
        #expect(error.code == .malformedPredicate)
        #expect(error.message.contains("position 15"))
        #expect(error.reason?.contains("2024-05-01") == true)
    }

    @Test(arguments: ["CAST('2024-05-01')", "CAST('1', 'NSNumber')", "CAST(duration, 'NSDate')"])
    func otherCastsAreRefused(_ cast: String) throws {
        let error = try #require(failure(NSPredicate(format: "creationDate > \(cast)")))
        #expect(error.reason?.contains("'NSDate'") == true)
    }
}
