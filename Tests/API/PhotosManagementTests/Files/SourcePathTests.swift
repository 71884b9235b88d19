import Foundation
import PhotosManagement
import Testing

@Suite(.timeLimit(.minutes(2))) struct SourcePathTests {
    @Test(arguments: [
        ("/a//b/./c/", "/a/b/c"), ("/", "/"), ("/a/../b", "/b"), ("/../a", "/a"),
        ("/a/b/../../c", "/c"), ("/./", "/"),
    ])
    func absolutePathIsTidied(given: String, expected: String) {
        #expect(SourcePath(given).absolute().description == expected)
    }

    @Test func relativePathStartsAtTheCurrentFolder() {
        let folder = FileManager.default.currentDirectoryPath
        #expect(SourcePath("x").absolute().description == folder + "/x")
    }

    @Test func linkAndItsParentDoNotCancelOut() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString).path
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/link",
            withDestinationPath: "/usr/bin"
        )
        #expect(
            SourcePath(folder + "/link/../x").absolute().description == folder + "/link/../x"
        )
    }

    @Test func bytesAreKept() {
        let path = SourcePath(bytes: [0x2F, 0xE9, 0x2F, 0x61])
        #expect(!path.isUTF8)
        #expect(path.absolute().bytes == [0x2F, 0xE9, 0x2F, 0x61])
        #expect(path.lastComponent == SourcePath("a"))
        #expect(path.description == "/\u{FFFD}/a")
    }
}
