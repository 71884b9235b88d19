import Foundation
import LibraryService
import PhotoModel
import RemoteLibrary
import TestSupport
import Testing

/// The memory of a daemon that has nothing to do.
@Suite(.timeLimit(.minutes(2))) struct DaemonMemoryTests {
    private static let assets = 30_000
    private let home: DaemonHome

    init() throws {
        home = try DaemonHome()
        try home.succeed("create", daemon: "0")
    }

    @Test("Memory falls back after a burst of fetches, while the client stays connected")
    func burst() throws {
        try fill()
        let daemon = try home.startDaemon("--quiet-period", "2")
        let client = try home.client()
        #expect(try client.fetch(AssetFetchRequest()).ids.count == Self.assets)
        let before = try memory(of: daemon)
        var highest = before
        var last = AssetFetchRequest()
        var result = try client.fetch(last)
        for round in 1...160 {
            last.limit = Self.assets - round
            result = try client.fetch(last)
            highest = max(highest, try memory(of: daemon))
        }
        #expect(highest > before + 25_000, "The burst took only \(highest - before) KB.")
        let hasFallen = try home.waits { try memory(of: daemon) < before + 14_000 }
        let now = try memory(of: daemon)
        #expect(hasFallen, "\(before) KB, then \(highest), now \(now).")
        // What was freed is read again.
        #expect(try client.fetch(last).ids == result.ids)
        let query = AdvanceRequest.Query.assets(last)
        let advance = AdvanceRequest(query: query, ids: result.ids, snapshot: result.snapshot)
        guard case .unchanged = try client.advance(advance).outcome else {
            Issue.record("A result changed without a change.")
            return
        }
        try client.commit(album: "one")
    }

    /// Adds photos without files to the database.
    private func fill() throws {
        let output = try ProcessRunner.run(
            "sqlite3",
            [
                home.library + "/database/library.sqlite",
                """
                WITH RECURSIVE n(i) AS (
                    SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.assets))
                INSERT INTO asset (
                    uuid, mediaType, mediaSubtypes, playbackStyle, sourceType, pixelWidth,
                    pixelHeight, duration, creationDate, modificationDate, addedDate, isFavorite,
                    isHidden, burstSelectionTypes, representsBurst, isBurstHidden, hasAdjustments,
                    originalFilename, contentType, keywords, rating, contentVersion, isVisible)
                SELECT printf('%08X-0000-4000-8000-%012X', i, i), 1, 0, 1, 1, 4032, 3024, 0, i * 99.0,
                    i * 99.0, i * 99.0, 0, 0, 0, 0, 0, 0, printf('IMG_%d.JPG', i), 'public.jpeg',
                    '[]', 0, 1, 1
                FROM n
                """,
            ]
        )
        try #require(output.status == 0, "\(output.errorText)")
    }

    /// Returns the memory of a process that is not backed by files, in kilobytes.
    private func memory(of process: ChildProcess) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process.number)/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        return try #require(
            line?.split { " \t".contains($0) }.dropFirst().first.flatMap { Int($0) }
        )
    }
}
