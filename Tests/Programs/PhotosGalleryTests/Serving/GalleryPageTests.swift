import Foundation
import Testing

@testable import PhotosGallery

@Suite struct GalleryPageTests {
    @Test func aPageIsReadWithTypesAndTags() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "photos-page-\(UUID().uuidString)"
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "parts"),
            withIntermediateDirectories: true
        )
        try Data("<p>".utf8).write(to: folder.appending(path: "index.html"))
        try Data("1".utf8).write(to: folder.appending(path: "parts/a.js"))
        try Data("secret".utf8).write(to: folder.appending(path: "notes.txt"))
        let page = try #require(try GalleryPage(folder: folder))
        #expect(Set(page.files.keys) == ["index.html", "parts/a.js"])
        #expect(page.files["parts/a.js"]?.type == "text/javascript; charset=utf-8")
        // echo -n 1 | sha256sum
        #expect(page.files["parts/a.js"]?.tag == "\"6b86b273ff34fce19d6b804eff5a3f57\"")
        let none = try GalleryPage(folder: folder.appending(path: "parts"))
        #expect(none == nil)
    }
}
