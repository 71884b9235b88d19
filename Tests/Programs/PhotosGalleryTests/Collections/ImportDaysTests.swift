import Foundation
import PhotosManagement
import TestSupport
import Testing

@testable import PhotosGallery

/// The days of imports in the sidebar, compared with a count of the rows.
@Suite(.timeLimit(.minutes(3))) struct ImportDaysTests {
    private let world: GalleryWorld
    private let database: String

    init() throws {
        world = try GalleryWorld(photos: 1)
        database = world.folder.file("A.photolibrary/database/library.sqlite").path
    }

    private func run(_ sql: String) throws -> [String] {
        let output = try ProcessRunner.run(
            "sqlite3",
            ["-cmd", ".timeout 20000", database, sql]
        )
        try #require(output.status == 0, "\(output.errorText)")
        return output.lines
    }

    /// Adds visible and hidden assets at the given dates.
    private func insert(_ dates: [Date]) throws {
        let values = dates.enumerated().map { number, date in
            "(\(number), \(date.timeIntervalSinceReferenceDate), \(number % 7 == 6 ? 1 : 0))"
        }
        _ = try run(
            """
            DELETE FROM asset;
            WITH n(i, added, hidden) AS (VALUES \(values.joined(separator: ",")))
            INSERT INTO asset (uuid, mediaType, mediaSubtypes, playbackStyle, sourceType, pixelWidth,
                pixelHeight, duration, creationDate, modificationDate, addedDate, isFavorite, isHidden,
                burstSelectionTypes, representsBurst, isBurstHidden, hasAdjustments, originalFilename,
                contentType, keywords, rating, contentVersion, isVisible)
            SELECT printf('00000000-0000-4000-8000-%012d', i), 1, 0, 1, 1, 100, 100, 0,
                700000000 - i, 700000000, added, 0, hidden, 0, 0, 0, 0,
                printf('IMG_%04d.JPG', i), 'public.jpeg', '[]', 0, 1, NOT hidden FROM n;
            """
        )
    }

    private struct Day: Decodable, Equatable {
        var id: String
        var count: Int
    }

    private func days() throws -> [Day] {
        let library = try PhotoLibraryBundle.open(at: world.folder.file("A.photolibrary"))
        let text = try ImportDays(library: library).json()
        return try JSONDecoder().decode([Day].self, from: Data(text.utf8))
    }

    @Test func theLatestTwentyDaysAreCounted() throws {
        let seed = TestSeed()
        var random = seed.generator
        let calendar = Calendar.gregorian
        let first = try #require(
            calendar.date(from: DateComponents(year: 2024, month: 3, day: 20))
        )
        var dates: [Date] = []
        for day in 0..<40 where day % 3 != 1 {
            let start = try #require(calendar.date(byAdding: .day, value: day, to: first))
            let end = try #require(calendar.date(byAdding: .day, value: 1, to: start))
            // The first and the last instants of a day belong to it.
            dates += [start, end.addingTimeInterval(-0.001)]
            for _ in 0..<Int.random(in: 0...20, using: &random) {
                dates.append(start.addingTimeInterval(.random(in: 0..<86_000, using: &random)))
            }
        }
        dates.shuffle(using: &random)
        try insert(dates)
        var counts: [String: Int] = [:]
        for (number, date) in dates.enumerated() where number % 7 != 6 {
            counts[LocalDay.text(date, calendar: calendar), default: 0] += 1
        }
        let expected = counts.sorted { $0.key > $1.key }.prefix(20).map {
            Day(id: $0.key, count: $0.value)
        }
        #expect(try days() == expected, seed.comment)
    }

    @Test func aLibraryWithoutAssetsHasNoDays() throws {
        _ = try run("DELETE FROM asset")
        #expect(try days().isEmpty)
    }
}
