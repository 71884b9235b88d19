import Foundation
import Geography
import PhotoLibrary
import PhotoModel
import TestSupport
import Testing

/// Time zones of places, from small generated files and from the installed one.
@Suite(.timeLimit(.minutes(1))) struct TimeZoneMapTests {
    /// A row of cells from the south: the start of each run, in cells from the west, and its zones.
    typealias Row = [(column: Int, zones: [Int])]

    /// Writes the format of `TimeZoneMap` as its comment describes it, with one cell per degree.
    static func file(names: [String], rows: [Int: Row]) -> Data {
        func number<Number: FixedWidthInteger>(_ number: Number) -> Data {
            withUnsafeBytes(of: number.littleEndian) { Data($0) }
        }
        func short(_ value: Int) -> Data {
            value < 0x80
                ? Data([UInt8(value)]) : Data([UInt8(value & 0x7F | 0x80), UInt8(value >> 7)])
        }
        var sets: [[Int]] = []
        var runs = Data()
        var offsets = number(UInt32(0))
        for index in 0..<180 {
            var last = 0
            for run in rows[index] ?? [] {
                if !sets.contains(run.zones) { sets.append(run.zones) }
                runs += short(run.column - last) + short(sets.firstIndex(of: run.zones) ?? 0)
                last = run.column
            }
            offsets += number(UInt32(runs.count))
        }
        var ends = number(UInt32(0))
        var members = Data()
        for set in sets {
            for zone in set { members += number(UInt16(zone)) }
            ends += number(UInt32(members.count / 2))
        }
        let text = names.reduce(Data()) { $0 + [UInt8($1.utf8.count)] + Data($1.utf8) }
        var file = Data("PHZONES1".utf8)
        for count in [1, names.count, sets.count, members.count / 2, text.count] {
            file += number(UInt32(count))
        }
        return file + offsets + ends + members + text + runs
    }

    /// The equator's row has East from 10° to 12° and both zones up to 13°; the last row has West.
    static let small = file(
        names: ["Test/East", "Test/West"],
        rows: [90: [(190, [0]), (192, [0, 1]), (193, [])], 179: [(0, [1])]]
    )

    @Test("A place has the zones of its cell, and none between runs")
    func findsCells() throws {
        let map = try #require(TimeZoneMap(Self.small))
        #expect(map.zones(latitude: 0, longitude: 10) == ["Test/East"])
        #expect(map.zones(latitude: 0.99, longitude: 11.99) == ["Test/East"])
        #expect(map.zones(latitude: 0.5, longitude: 12) == ["Test/East", "Test/West"])
        #expect(map.zones(latitude: 0.5, longitude: 9.99) == [])
        #expect(map.zones(latitude: 0.5, longitude: 13) == [])
        #expect(map.zones(latitude: 1, longitude: 10) == [])
    }

    @Test("The poles and the 180th meridian are in cells, and places that do not exist in none")
    func findsEdges() throws {
        let map = try #require(TimeZoneMap(Self.small))
        #expect(map.zones(latitude: 90, longitude: 180) == ["Test/West"])
        #expect(map.zones(latitude: 90, longitude: -180) == ["Test/West"])
        for (latitude, longitude) in [
            (90.1, 0), (-90.1, 0), (0, 180.1), (0, -180.1), (.nan, 0), (0, .nan), (.infinity, 0),
            (-90, -180),
        ] {
            #expect(map.zones(latitude: latitude, longitude: longitude) == [])
        }
    }

    @Test("A file that is cut or damaged is rejected or has no zones, and never traps")
    func survivesDamage() throws {
        for length in 0..<Self.small.count {
            #expect(TimeZoneMap(Self.small.prefix(length)) == nil, "\(length)")
        }
        #expect(TimeZoneMap(Self.small + [0]) == nil)
        #expect(TimeZoneMap((Data([1]) + Self.small).dropFirst()) != nil)
        var generator = TestSeed().generator
        for _ in 0..<2_000 {
            var bytes = Self.small
            for _ in 0..<4 {
                let index = Int.random(in: 8..<bytes.count, using: &generator)
                bytes[index] = UInt8.random(in: 0...255, using: &generator)
            }
            let map = TimeZoneMap(bytes)
            for longitude in [-180, 9.5, 10, 12, 180] {
                _ = map?.zones(latitude: 0.5, longitude: longitude)
                _ = map?.zones(latitude: 90, longitude: longitude)
            }
        }
    }

    private func installed() throws -> TimeZoneMap {
        let file = SharedData.packageRoot
            .appendingPathComponent("Sources/Base/Geography/Resources/zones.timezones")
        let bytes = try Data(contentsOf: file)
        #expect(bytes.count <= 3_000_000)
        return try #require(TimeZoneMap(bytes))
    }

    @Test(
        "The installed file knows the zones of well-known places",
        arguments: [
            (48.8584, 2.2945, ["Europe/Paris"]), (40.6892, -74.0445, ["America/New_York"]),
            (-33.8568, 151.2153, ["Australia/Sydney"]), (35.6586, 139.7454, ["Asia/Tokyo"]),
            (27.7172, 85.324, ["Asia/Kathmandu"]), (64.1466, -21.9426, ["Atlantic/Reykjavik"]),
            (33.4484, -112.074, ["America/Phoenix"]), (-17.8, 179.99, ["Pacific/Fiji"]),
            (-17.8, -179.99, ["Pacific/Fiji"]), (-13.8333, -171.7667, ["Pacific/Apia"]),
            (-43.9535, -176.5597, ["Pacific/Chatham"]), (-90, 0, ["Antarctica/McMurdo"]),
            // On and near borders.
            (48.5734, 7.7521, ["Europe/Berlin", "Europe/Paris"]),
            (43.8, 87.6, ["Asia/Shanghai", "Asia/Urumqi"]),
            (36.0161, -114.7377, ["America/Los_Angeles", "America/Phoenix"]),
            (41.902, 12.453, ["Europe/Rome", "Europe/Vatican"]),
            // On the high seas.
            (0, 0, []), (-37.3667, 122.0334, []), (90, 0, []), (30, -40, []), (0, 180, []),
        ] as [(Double, Double, [String])]
    )
    func knowsTheWorld(latitude: Double, longitude: Double, zones: [String]) throws {
        #expect(try installed().zones(latitude: latitude, longitude: longitude) == zones)
        #expect(TimeZoneMap.installed != nil)
    }

    @Test("The system knows all zones of the installed file")
    func systemKnowsZones() throws {
        let map = try installed()
        var generator = TestSeed().generator
        var names: Set<String> = []
        for _ in 0..<20_000 {
            let latitude = Double.random(in: -60...75, using: &generator)
            let longitude = Double.random(in: -180...180, using: &generator)
            names.formUnion(map.zones(latitude: latitude, longitude: longitude))
        }
        #expect(names.count > 200)
        for name in names { #expect(TimeZone(identifier: name) != nil, "\(name)") }
    }
}
