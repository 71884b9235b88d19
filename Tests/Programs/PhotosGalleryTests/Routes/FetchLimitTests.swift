import Foundation
import TestSupport
import Testing

/// Requests whose predicate would block a thread for long are answered with a specific error.
@Suite(.timeLimit(.minutes(5))) struct FetchLimitTests {
    private func ask(_ world: GalleryWorld, _ predicate: String) throws -> RawAnswer {
        let allowed = CharacterSet.alphanumerics
        let text = try #require(predicate.addingPercentEncoding(withAllowedCharacters: allowed))
        return try world.ask("GET", "/api/timeline?predicate=\(text)")
    }

    private func run(_ sql: String, in world: GalleryWorld) throws {
        let database = world.folder.file("A.photolibrary/database/library.sqlite").path
        let output = try ProcessRunner.run(
            "sqlite3",
            ["-cmd", ".timeout 20000", database, sql]
        )
        try #require(output.status == 0, "\(output.errorText)")
    }

    @Test func slowExpressionsAreRefused() throws {
        let world = try GalleryWorld(photos: 3)
        try run("UPDATE asset SET title = '\(String(repeating: "a", count: 60))b'", in: world)
        try world.enter()
        let start = ContinuousClock.now
        let answer = try ask(world, "title MATCHES '(a+)+'")
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(answer.status == 400 && answer.code == "badRequest", "\(answer.text)")
        #expect(answer.text.contains("takes too long"), "\(answer.text)")
        #expect(try ask(world, "title MATCHES 'a+b'").object["count"] as? Int ?? 0 > 0)
    }

    @Test func slowStatementsAreRefused() throws {
        let world = try GalleryWorld(photos: 1)
        try run(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
            INSERT INTO asset (uuid, mediaType, mediaSubtypes, playbackStyle, sourceType, pixelWidth,
                pixelHeight, duration, creationDate, modificationDate, addedDate, isFavorite, isHidden,
                burstSelectionTypes, representsBurst, isBurstHidden, hasAdjustments, originalFilename,
                contentType, keywords, rating, contentVersion, isVisible, title)
            SELECT printf('00000000-0000-4000-8000-%012d', i), 1, 0, 1, 1, 100, 100, 0,
                700000000 + i, 700000000, 700000000, 0, 0, 0, 0, 0, 0,
                printf('IMG_%04d.JPG', i), 'public.jpeg', '[]', 0, 1, 1,
                printf('Ünter den Lïnden, Bérlin, am Àbend %d', i) FROM n;
            """,
            in: world
        )
        try world.enter()
        let terms = (0..<400).map { "title CONTAINS[cd] 'é\($0)x'" }
        let start = ContinuousClock.now
        let answer = try ask(world, terms.joined(separator: " OR "))
        let time = ContinuousClock.now - start
        #expect(time > .seconds(4) && time < .seconds(60), "\(time)")
        #expect(answer.status == 409 && answer.code == "refused", "\(answer.text)")
        #expect(answer.text.contains("stopped after 5"), "\(answer.text)")
        #expect(try ask(world, terms[0]).object["count"] as? Int == 0)
    }
}
