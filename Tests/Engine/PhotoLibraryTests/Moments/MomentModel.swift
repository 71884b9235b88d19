import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport

@testable import PhotoLibrary

/// Moments, clusters and years in plain Swift over records, without knowledge of neighbors, rows or
/// earlier states: the library must maintain the same groups.
enum MomentModel {
    /// A group: its assets by row id, with their dates and places.
    struct Group: Equatable, CustomStringConvertible {
        var assets: Set<Int64>
        var startDate: Date?
        var endDate: Date?

        init(_ entries: [Entry]) {
            assets = Set(entries.map(\.id))
            startDate = entries.compactMap(\.record.creationDate).min()
            endDate = entries.compactMap(\.record.creationDate).max()
        }

        var description: String { "\(assets.sorted())" }
    }

    struct Entry {
        var id: Int64
        var record: AssetRecord
        /// The wall time, as a date in UTC.
        var wall: Date

        /// The last earlier entry with another time or place whose place is known.
        var before: (wall: Date, place: Location)?

        /// The order of assets with the same time.
        var order: (Date, Double, Double) {
            (wall, record.location?.latitude ?? 1_000, record.location?.longitude ?? 1_000)
        }
    }

    private static let calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    static func groups(_ assets: [Int64: AssetRecord]) -> [MomentLevel: [Group]] {
        var entries = assets.compactMap { id, record -> Entry? in
            guard record.trashedDate == nil, !record.isHidden, !record.isBurstHidden,
                record.sourceType == .userLibrary, let date = record.creationDate
            else { return nil }
            return Entry(id: id, record: record, wall: wall(record) ?? date)
        }.sorted { $0.order < $1.order }
        recordPlaces(in: &entries)
        let moments = split(entries) { earlier, next in
            guard let last = earlier.last, last.order != next.order else { return false }
            if !calendar.isDate(last.wall, inSameDayAs: next.wall) { return true }
            if next.wall.timeIntervalSince(last.wall) > 6 * 3_600 { return true }
            guard let place = next.record.location,
                let from = next.before, calendar.isDate(from.wall, inSameDayAs: next.wall)
            else { return false }
            return kilometres(from.place, place) > 10
        }
        let clusters = split(moments) { earlier, next in
            guard let last = earlier.last?.last, let first = next.first else { return false }
            if far(last.wall, first.wall) { return true }
            guard let to = next.first(where: { $0.record.location != nil })?.record.location,
                let from = first.before, !far(from.wall, first.wall)
            else { return false }
            return kilometres(from.place, to) > 100
        }
        let years = Dictionary(grouping: entries) { calendar.component(.year, from: $0.wall) }
        return [
            .moment: moments.map { Group($0) },
            .cluster: clusters.map { Group($0.flatMap(\.self)) },
            .year: years.sorted { $0.key < $1.key }.map { Group($0.value) },
        ]
    }

    private static func wall(_ record: AssetRecord) -> Date? {
        guard let text = record.captureTime?.wallTime else { return nil }
        return date(wall: text)
    }

    private static func date(wall text: String) -> Date? {
        try? Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
            .parse(text + "Z")
    }

    /// Sets the last known place before each entry.
    private static func recordPlaces(in entries: inout [Entry]) {
        var known: (wall: Date, place: Location)?
        var current: (wall: Date, place: Location)?
        for index in entries.indices {
            if index > 0, entries[index].order != entries[index - 1].order {
                known = current ?? known
                current = nil
            }
            entries[index].before = known
            if let place = entries[index].record.location { current = (entries[index].wall, place) }
        }
    }

    /// Returns whether two dates are in different months, or more than three days apart.
    private static func far(_ one: Date, _ other: Date) -> Bool {
        let months = [one, other].map { calendar.dateComponents([.year, .month], from: $0) }
        let days = [one, other].map { calendar.startOfDay(for: $0) }
        return months[0] != months[1] || days[1].timeIntervalSince(days[0]) > 3 * 86_400
    }

    private static func split<Element>(
        _ list: [Element],
        _ begins: ([Element], Element) -> Bool
    ) -> [[Element]] {
        var parts: [[Element]] = []
        for element in list {
            if let last = parts.indices.last, !begins(parts[last], element) {
                parts[last].append(element)
            } else {
                parts.append([element])
            }
        }
        return parts
    }

    /// Returns the distance by haversines; the library uses chords.
    private static func kilometres(_ one: Location, _ other: Location) -> Double {
        let (a, b) = (one.latitude * .pi / 180, other.latitude * .pi / 180)
        let (dLat, dLon) = (b - a, (other.longitude - one.longitude) * .pi / 180)
        let h = pow(sin(dLat / 2), 2) + cos(a) * cos(b) * pow(sin(dLon / 2), 2)
        return 2 * 6_371 * asin(min(1, h.squareRoot()))
    }
}

extension MomentModel {
    /// Returns the groups of a library, with the assets that a fetch finds in each.
    static func stored(_ store: LibraryStore) throws -> [MomentLevel: [Group]] {
        try store.read { database in
            var groups: [MomentLevel: [Group]] = [:]
            for level in MomentLevel.allCases {
                groups[level] = try MomentRow.all(level, database).map { row in
                    let end = try Timeline(database: database).start(of: level, after: row.start)
                    let plan = try FetchPlan(
                        AssetFetchRequest(scope: .moment("")),
                        moment: MomentRange(start: row.start, end: end)
                    )
                    var group = Group([])
                    group.assets = Set(try database.rowIDs(plan.sql, plan.allArguments))
                    group.startDate = Date(timeIntervalSinceReferenceDate: row.totals.startDate)
                    group.endDate = Date(timeIntervalSinceReferenceDate: row.totals.endDate)
                    if group.assets.count != row.totals.count { group.assets.insert(-1) }
                    return group
                }
            }
            return groups
        }
    }
}
