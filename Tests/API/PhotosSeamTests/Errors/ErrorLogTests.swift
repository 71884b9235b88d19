import Logging
import PhotoModel
import TestSupport
import Testing

@testable import Photos

/// What is recorded of errors that a call cannot throw.
@Suite(.timeLimit(.minutes(2))) struct ErrorLogTests {
    private let error = LibraryError(
        .missingResource,
        "The file of “Grandma.jpg” is missing.",
        reason: "There is nothing at /media/Grandma's disk/Photos.photolibrary/originals/ab/1.jpg.",
        path: "/media/Grandma's disk/Photos.photolibrary/originals/ab/1.jpg"
    )

    @Test(arguments: [Logger.Level.info, .debug])
    func namesAndPathsAppearAtTheDebugLevelOnly(_ level: Logger.Level) throws {
        let records = LogRecords()
        let library = FakeLibrary(assets: 1)
        let connection = LibraryConnection(
            to: library,
            logger: records.logger("photos", level: level)
        )
        connection.report(error)
        let record = try #require(records.of("A call failed.").first)
        #expect(record.level == "error")
        #expect(record.metadata["photos.code"] == "missingResource")
        let text = try #require(record.metadata["photos.error"])
        #expect(text.contains("is missing"))
        #expect(text.contains("Grandma") == (level == .debug), "\(text)")
    }

    @Test func parentFoldersAreRemovedToo() {
        let text = LogText.withoutNames(
            "The library at /srv/Ann's/Lib is busy.",
            paths: ["/srv/Ann's/Lib/database/lock"]
        )
        #expect(text == "The library at <private> is busy.")
    }
}
