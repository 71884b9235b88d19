import Foundation
import TestSupport
import Testing

/// The load that a permitted program can put on a library, and the data that one without permission
/// gets.
@Suite(.timeLimit(.minutes(5))) struct RestrictedFetchTests {
    private func run(_ sql: String, in access: AccessWorld) throws {
        let database = access.world.library.appending(path: "database/library.sqlite").path
        let output = try ProcessRunner.run(
            "sqlite3",
            ["-cmd", ".timeout 20000", database, sql]
        )
        try #require(output.status == 0, "\(output.errorText)")
    }

    /// Returns the program's output after a word.
    private func said(_ word: String, _ output: ProcessRunner.Output) throws -> String {
        let line = try #require(
            output.lines.first { $0.hasPrefix(word + " ") },
            "\(output.text) \(output.errorText)"
        )
        return String(line.dropFirst(word.count + 1))
    }

    @Test func slowExpressionsOfAProgramAreStopped() throws {
        let access = try AccessWorld()
        try access.access("grant", access.program)
        try run("UPDATE asset SET title = '\(String(repeating: "a", count: 60))b'", in: access)
        let output = try access.run("find", "title MATCHES '(a+)+'")
        #expect(try said("found", output) == "0")
        #expect(try #require(Double(said("seconds", output))) < 20)
        #expect(try said("thrown", output).contains("takes too long"))
        #expect(output.errorText.contains("takes too long"), "\(output.errorText)")
        #expect(try said("found", access.run("find", "title MATCHES 'a+b'")) == "3")
    }

    @Test func slowStatementsOfAProgramAreStopped() throws {
        let access = try AccessWorld()
        try access.access("grant", access.program)
        // Texts whose comparison takes long.
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
            in: access
        )
        let format = (0..<400).map { "title CONTAINS[cd] 'é\($0)x'" }.joined(separator: " OR ")
        let output = try access.run("find", format)
        #expect(try said("found", output) == "0")
        let seconds = try #require(Double(said("seconds", output)))
        #expect(seconds > 4 && seconds < 60)
        #expect(try said("thrown", output).contains("stopped after 5"))
        #expect(output.errorText.contains("stopped after 5"), "\(output.errorText)")
    }

    @Test func tokensTellNothingWithoutPermission() throws {
        let access = try AccessWorld()
        try access.access("grant", access.program)
        let seen = try said("token", access.run("token"))
        try access.access("revoke", access.program)
        // Neither the identity of the library nor the times of its changes.
        #expect(try said("token", access.run("token")) == "none")
        #expect(try access.world.run("set", access.ids[0], "--title", "Another").status == 0)
        #expect(try said("token", access.run("token")) == "none")
        #expect(try access.run("survey", seen).lines.contains("history -1"))
        try access.access("grant", access.program)
        #expect(try access.run("survey", seen).lines.contains("history 1"))
    }
}
