import Foundation
import Glibc
import TestSupport
import Testing

@testable import PhotosCompanions

/// Files that appear under their names only when they are complete.
@Suite(.timeLimit(.minutes(1))) struct SiblingFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    @Test func aFileAppearsWhenItIsPlaced() throws {
        let target = folder.file("movie.mov")
        let file = try SiblingFile(for: target.path)
        #expect(write(file.number, "whole", 5) == 5)
        #expect(try names.count == 1 && !names.contains("movie.mov"))
        #expect(try names[0].hasPrefix(".photos-"))
        try file.place()
        file.discard()
        #expect(try names == ["movie.mov"])
        #expect(try String(contentsOf: target, encoding: .utf8) == "whole")
    }

    @Test func nothingIsReplaced() throws {
        let target = folder.file("movie.mov")
        let file = try SiblingFile(for: target.path)
        // It appears meanwhile.
        try Data("another".utf8).write(to: target)
        let error = #expect(throws: AVError.self) { try file.place() }
        #expect(error?.code == .fileAlreadyExists)
        #expect(error?.localizedDescription.contains(target.path) == true)
        file.discard()
        #expect(try names == ["movie.mov"])
        #expect(try String(contentsOf: target, encoding: .utf8) == "another")
        let early = #expect(throws: AVError.self) { try SiblingFile(for: target.path) }
        #expect(early?.code == .fileAlreadyExists)
    }

    @Test func aLinkToNowhereIsAFileToo() throws {
        let target = folder.file("link")
        try FileManager.default.createSymbolicLink(
            atPath: target.path,
            withDestinationPath: folder.path + "/missing"
        )
        let error = #expect(throws: AVError.self) { try SiblingFile(for: target.path) }
        #expect(error?.code == .fileAlreadyExists)
        #expect(try names == ["link"])
    }

    @Test func longNamesHaveRoom() throws {
        let target = folder.file(String(repeating: "n", count: 251) + ".mov")
        let file = try SiblingFile(for: target.path)
        try file.place()
        #expect(FileManager.default.fileExists(atPath: target.path))
    }

    @Test func aMissingFolderIsNamed() {
        let path = folder.path + "/missing/movie.mov"
        let error = #expect(throws: AVError.self) { try SiblingFile(for: path) }
        #expect(error?.code == .exportFailed)
        #expect(error?.localizedDescription.contains(path) == true)
    }
}
