import Foundation
import TestSupport
import Testing

/// The gallery's edits of the dates of photos: set and shifted.
@Suite(.timeLimit(.minutes(2))) struct DateTests {
    private static func date(_ asset: [String: Any]) throws -> Date {
        let text = try #require(asset["date"] as? String)
        return try #require(
            (try? Date(text, strategy: .iso8601))
                ?? (try? Date(
                    text,
                    strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)
                ))
        )
    }

    private static func change(_ world: GalleryWorld, _ json: String) throws -> RawAnswer {
        try world.change("POST", "/api/changes", json)
    }

    @Test func aTimeWithoutZoneIsByTheCamerasClock() throws {
        let world = try GalleryWorld(photos: 30, environment: ["TZ": "America/New_York"])
        try world.enter()
        let wanted = "2021-07-04T09:30:15"
        let utc = try Date(wanted + "Z", strategy: .iso8601)
        let assets = try world.assets()
        // Its zone is known, is not this machine's, and remains.
        let zoned = try #require(
            assets.first { ![0, -14_400, -18_000].contains($0["utcOffset"] as? Int ?? 0) }
        )
        let id = try #require(zoned["id"] as? String)
        let offset = try #require(zoned["utcOffset"] as? Int)
        let order = "{\"action\":\"date\",\"ids\":[\"\(id)\"],\"value\":\"\(wanted)\"}"
        let done = try Self.change(world, order)
        #expect(done.status == 200, "\(done.text)")
        #expect(try Self.date(try world.asset(id)) == utc - Double(offset))
        #expect(try world.asset(id)["utcOffset"] as? Int == offset)
        // An instant is independent of the clock.
        let instant = order.replacing(wanted, with: wanted + "Z")
        #expect(try Self.change(world, instant).status == 200)
        #expect(try Self.date(try world.asset(id)) == utc)
        // If the zone is unknown, it is this machine's, in summer as in winter.
        if let open = assets.first(where: { $0["utcOffset"] is NSNull && $0["wallTime"] is String })
        {
            let id = try #require(open["id"] as? String)
            for (month, hours) in [("07", 4.0), ("01", 5.0)] {
                let time = "2021-\(month)-04T09:30"
                let order = "{\"action\":\"date\",\"ids\":[\"\(id)\"],\"value\":\"\(time)\"}"
                #expect(try Self.change(world, order).status == 200)
                let expected = try Date(time + ":00Z", strategy: .iso8601) + hours * 3_600
                #expect(try Self.date(try world.asset(id)) == expected)
            }
        }
        for value in ["\"yesterday\"", "true", "\"2021-13-01T00:00\"", "7"] {
            let bad = "{\"action\":\"date\",\"ids\":[\"\(id)\"],\"value\":\(value)}"
            #expect(try Self.change(world, bad).code == "badRequest", "\(value)")
        }
    }

    @Test func anOffsetOfThisMachinesZoneFollowsDaylightSavingTime() throws {
        let world = try GalleryWorld(photos: 30, environment: ["TZ": "America/New_York"])
        try world.enter()
        // Taken in New York in June.
        let asset = try #require(try world.assets().first { $0["utcOffset"] as? Int == -14_400 })
        let id = try #require(asset["id"] as? String)
        func expect(_ action: String, _ value: String, gives date: String, _ offset: Int) throws {
            let done = try Self.change(
                world,
                "{\"action\":\"\(action)\",\"ids\":[\"\(id)\"],\"value\":\(value)}"
            )
            #expect(done.status == 200, "\(done.text)")
            let changed = try world.asset(id)
            #expect(try Self.date(changed) == (try Date(date, strategy: .iso8601)))
            #expect(changed["utcOffset"] as? Int == offset)
        }
        try expect("date", "\"2021-01-15T23:30:00\"", gives: "2021-01-16T04:30:00Z", -18_000)
        // 180 days later, the local time is the same.
        try expect("shiftDate", "15552000", gives: "2021-07-15T03:30:00Z", -14_400)
        // Clocks skip this time, which is resolved as on import.
        try expect("date", "\"2021-03-14T02:30:00\"", gives: "2021-03-14T07:30:00Z", -14_400)
    }

    @Test func severalMoveByTheSameAmountAndGoBackTogether() throws {
        let world = try GalleryWorld(photos: 12)
        try world.enter()
        let before = try world.assets().filter { $0["date"] is String }
        let names = before.compactMap { $0["id"] as? String }.map { "\"\($0)\"" }
        let ids = "[" + names.joined(separator: ",") + "]"
        let done = try Self.change(
            world,
            "{\"action\":\"shiftDate\",\"ids\":\(ids),\"value\":-5400}"
        )
        #expect(done.status == 200, "\(done.text)")
        #expect(done.object["count"] as? Int == before.count)
        for asset in before {
            let id = try #require(asset["id"] as? String)
            #expect(try Self.date(try world.asset(id)) == (try Self.date(asset)) - 5_400)
        }
        let undo = try #require(done.object["undo"] as? String)
        #expect(try world.change("POST", "/api/undo", "{\"undo\":\"\(undo)\"}").status == 200)
        for asset in before {
            let id = try #require(asset["id"] as? String)
            #expect(try Self.date(try world.asset(id)) == (try Self.date(asset)))
        }
        for value in ["\"1\"", "1e300", "null"] {
            let bad = "{\"action\":\"shiftDate\",\"ids\":\(ids),\"value\":\(value)}"
            #expect(try Self.change(world, bad).code == "badRequest", "\(value)")
        }
    }
}
