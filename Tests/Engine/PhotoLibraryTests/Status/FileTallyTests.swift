import Foundation
import TestSupport
import Testing

@testable import PhotoLibrary

@Suite(.timeLimit(.minutes(2))) struct FileTallyTests {
    @Test func aWalkEndsAtItsDeadline() throws {
        let folder = try TemporaryFolder("photos-tally")
        try folder.write(Data(count: 5), to: "a/1")
        try folder.write(Data(count: 7), to: "a/b/2")
        let whole = FileTally(of: folder.path)
        #expect(whole.files == 2)
        #expect(whole.bytes == 12)
        #expect(FileTally(of: folder.path, before: .now + .seconds(60)) == whole)
        #expect(FileTally(of: folder.path, before: .now) == nil)
    }
}
