import Foundation
import PhotoModel
import Testing

@Suite(.timeLimit(.minutes(1))) struct LogTextTests {
    @Test func quotedWordsAndPathsAreRemoved() {
        let text = "Could not read /media/Ann/Rome/a.jpg: “Grandma” is in /media/Ann."
        #expect(
            LogText.withoutNames(text, paths: ["/media/Ann/Rome/a.jpg"])
                == "Could not read <private>: “<private>” is in <private>."
        )
    }

    @Test func theHomeFolderIsRemoved() {
        let home = FileManager.default.homeDirectoryForCurrentUser.path
        #expect(LogText.withoutNames("in \(home)/x") == "in <private>/x")
    }

    @Test func textWithoutNamesStays() {
        #expect(LogText.withoutNames("A statement was slow.") == "A statement was slow.")
        // The root folder names nobody, and what is not a path has no folders.
        #expect(LogText.withoutNames("a/b", paths: ["/", "a"]) == "a/b")
    }
}
