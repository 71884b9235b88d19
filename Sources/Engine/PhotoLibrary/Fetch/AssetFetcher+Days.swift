internal import GRDB
package import LibraryService
internal import PhotoModel

extension AssetFetcher {
    /// Returns the days on which assets were captured, in the order requested.
    ///
    /// For many ids, one pass over the timeline reads all days: about a million in a few tenths of
    /// a second.
    package func days(_ request: CaptureDaysRequest) throws -> CaptureDaysReply {
        try view.read { reading in
            let days = try Self.days(reading, for: request.ids)
            var reply = CaptureDaysReply(runs: [])
            for id in request.ids { reply.append(try days(id)) }
            return reply
        }
    }

    /// Returns a function that looks up days: individually for a few ids, from one pass over the
    /// timeline for many.
    private static func days(
        _ reading: LibraryView.Reading,
        for ids: RowIDBuffer
    ) throws -> (Int64) throws -> Int32? {
        let database = reading.database
        let single = try database.cachedStatement(sql: Schema.captureMilliseconds)
        let one = { (id: Int64) -> Int32? in
            let isVisible = try reading.access == .full || reading.asset(id) != nil
            guard isVisible else { return nil }
            return try Int64.fetchOne(single, arguments: [id]).map(day)
        }
        let largest = ids.max() ?? 0
        // A table of all rows pays off for many ids. The row ids of a damaged database may be huge.
        guard reading.access == .full, ids.count > 4_096, largest < 64 * Int64(ids.count) else {
            return one
        }
        var days = [Int32](repeating: .min, count: Int(largest) + 1)
        let statement = try database.cachedStatement(sql: "SELECT assetId, time FROM timeline")
        let cursor = try Row.fetchCursor(statement)
        while let row = try cursor.next() {
            let id: Int64 = row[0]
            if id >= 0, id <= largest { days[Int(id)] = day(row[1]) }
        }
        // The timeline omits assets that are hidden, deleted or without a date.
        return { id in
            guard id >= 0, days[Int(id)] != .min else { return try one(id) }
            return days[Int(id)]
        }
    }

    /// Converts milliseconds since 2001-01-01 to days since 1970-01-01.
    private static func day(_ milliseconds: Int64) -> Int32 {
        let perDay: Int64 = 86_400_000
        let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: perDay)
        return Int32(clamping: (rest < 0 ? days - 1 : days) + 11_323)
    }
}
