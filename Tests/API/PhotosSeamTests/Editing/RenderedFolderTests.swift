import Foundation
import Glibc
import TestSupport
import Testing

@testable import Photos

/// The temporary folders of rendered files: those of terminated programs are removed.
@Suite(.timeLimit(.minutes(2))) struct RenderedFolderTests {
    private let parent: TemporaryFolder

    init() throws { parent = try TemporaryFolder() }

    private func folder(_ name: String) throws -> URL {
        let url = parent.file(name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data("movie".utf8).write(to: url.appendingPathComponent("FullSizeRender.mov"))
        return url
    }

    private func isThere(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

    @Test func abandonedFoldersAreRemoved() throws {
        let (abandoned, used) = (try folder("photos-edit-1"), try folder("photos-edit-2"))
        let others = [try folder("photos-edits"), try folder("other")]
        let lock = open(used.path, O_RDONLY | O_DIRECTORY)
        try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
        // A link to a folder is not one of ours.
        let link = parent.file("photos-edit-3")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: others[1])

        RenderedFolder.removeAbandoned(in: parent.url, olderThan: 600)
        #expect(isThere(abandoned))
        RenderedFolder.removeAbandoned(in: parent.url, olderThan: 0)
        #expect(!isThere(abandoned) && isThere(used))
        for other in others + [link] { #expect(isThere(other)) }
        close(lock)
        RenderedFolder.removeAbandoned(in: parent.url, olderThan: 0)
        #expect(!isThere(used))
    }

    @Test func foldersGoWithTheirOwners() throws {
        var url: URL?
        do {
            let folder = RenderedFolder()
            url = folder.url
            #expect(isThere(folder.url))
            var status = stat()
            #expect(stat(folder.url.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
            // No other process treats it as abandoned.
            let other = open(folder.url.path, O_RDONLY | O_DIRECTORY)
            #expect(other >= 0 && flock(other, LOCK_EX | LOCK_NB) != 0)
            close(other)
        }
        #expect(url.map(isThere) == false)
    }
}
