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

    /// Returns a function that looks up the capture day of an id.
    ///
    /// For a few ids, it looks up each one. For many, one pass over the timeline reads the days in
    /// advance.
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
        // A client can request any numbers, also only negative ones.
        let largest = max(0, ids.max() ?? 0)
        // A table of all rows pays off for many ids. The row ids of a damaged database may be huge.
        // The timeline has no hidden assets, so every client that may see all others may use it.
        guard reading.access.assets == .all, ids.count > 4_096, largest < 64 * Int64(ids.count)
        else { return one }
        var days = [Int32](repeating: .min, count: Int(largest) + 1)
        let rows = try StatementReader(database, "SELECT assetId, time FROM timeline", [])
        while try rows.step() {
            let id = rows.integer(0)
            if id >= 0, id < days.count { days[id] = day(Int64(rows.integer(1))) }
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
