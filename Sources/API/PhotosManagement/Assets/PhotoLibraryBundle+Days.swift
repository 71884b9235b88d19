internal import LibraryService
internal import PhotoModel
public import Photos

/// A day by the clocks on the walls, wherever those were.
public struct CaptureDay: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Days since 1970-01-01.
    public var number: Int

    /// The day with a number: days since 1970-01-01.
    public init(number: Int) {
        self.number = number
    }

    /// Before.
    public static func < (first: CaptureDay, second: CaptureDay) -> Bool {
        first.number < second.number
    }

    /// `YYYY-MM-DD`; years before 1 and after 9999 as they are written.
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
    /// Assets of one day that stand side by side in a result.
    public struct CaptureDayRun: Sendable, Hashable {
        /// The day; nil for assets without a date.
        public var day: CaptureDay?
        /// How many assets.
        public var count: Int

        /// So many assets of a day.
        public init(day: CaptureDay?, count: Int) {
            self.day = day
            self.count = count
        }
    }

    /// The days on which the assets of a result were captured, in the result's order: what headings of a
    /// grid need, without loading the assets.
    ///
    /// A million assets take some tenths of a second.
    ///
    /// - Parameter result: A result of this library.
    /// - Returns: Runs that add up to the result's count; the same day may come again, where the order
    ///   is another one. An asset that is gone since has no day.
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
