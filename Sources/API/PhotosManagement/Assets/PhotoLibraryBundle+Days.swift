internal import LibraryService
internal import PhotoModel
public import Photos

/// A calendar day in local wall time, independent of the time zone.
public struct CaptureDay: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number of days since 1970-01-01.
    public var number: Int

    /// Creates a day from its number of days since 1970-01-01.
    public init(number: Int) {
        self.number = number
    }

    /// Returns whether the first day is before the second.
    public static func < (first: CaptureDay, second: CaptureDay) -> Bool {
        first.number < second.number
    }

    /// The day as `YYYY-MM-DD`, with a year of at least four digits and a minus sign for negative
    /// years.
    public var description: String {
        // Days of the proleptic Gregorian calendar, counted in eras of 400 years from March 1.
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return Self.pad(year, 4) + "-" + Self.pad(month, 2) + "-" + Self.pad(day, 2)
    }

    private static func pad(_ number: Int, _ width: Int) -> String {
        let digits = String(number.magnitude)
        let zeros = String(repeating: "0", count: max(0, width - digits.count))
        return (number < 0 ? "-" : "") + zeros + digits
    }
}

extension PhotoLibraryBundle {
    /// A run of consecutive assets in a fetch result that were captured on the same day.
    public struct CaptureDayRun: Sendable, Hashable {
        /// The day; nil for assets without a date.
        public var day: CaptureDay?
        /// The number of assets in the run.
        public var count: Int

        /// Creates a run.
        public init(day: CaptureDay?, count: Int) {
            self.day = day
            self.count = count
        }
    }

    /// Returns the runs of consecutive assets with the same capture day, in the order of a fetch
    /// result.
    ///
    /// A grid can build its section headings from the runs without loading the assets. A million
    /// assets take some tenths of a second.
    ///
    /// - Parameter result: A result of this library.
    /// - Returns: Runs whose counts add up to the result's count. A day can occur more than once
    ///   when the result is sorted by another key. An asset that no longer exists has no day.
    /// - Throws: `PHPhotosError` when the library cannot be read.
    public func captureDays(of result: PHFetchResult<PHAsset>) throws -> [CaptureDayRun] {
        guard let ids = result.assetRowIDs?.ids else {
            return result.count == 0 ? [] : [CaptureDayRun(day: nil, count: result.count)]
        }
        let reply = try edge { () throws(LibraryError) in
            try service.captureDays(CaptureDaysRequest(ids: ids))
        }
        return reply.runs.map { run in
            CaptureDayRun(day: run.day.map { CaptureDay(number: Int($0)) }, count: run.count)
        }
    }
}
