import Foundation
import TestSupport
import Testing

@testable import PhotosGallery

@Suite(.timeLimit(.minutes(2))) struct GalleryPageTests {
    @Test func modulesAreNamedBeforeTheyAreImported() throws {
        let scripts = [
            "script/main.js": "// M\nimport { a } from \"./a.js\";\nimport { b } from \"./b.js\";",
            "script/a.js": "import { c } from \"./c.js\";\nexport { d } from \"./d.js\";",
            "script/b.js": "import { main } from \"./main.js\";\nimport { c } from \"./c.js\";",
            "script/c.js": "const text = 'import x from \"./e.js\";';",
            "script/d.js": "import {\n    a,\n} from \"./a.js\";",
        ].mapValues { Data($0.utf8) }
        let modules = ModuleGraph(scripts: scripts)
        let found = modules.dependencies(of: "script/main.js")
        #expect(found == ["script/a.js", "script/b.js", "script/c.js", "script/d.js"])
        let script = "<script type=\"module\" src=\"/page/script/a.js\"></script>"
        let html = modules.preloading(Data("<head>\n\(script)".utf8))
        let links = ["c", "d", "a"].map {
            "<link rel=\"modulepreload\" href=\"/page/script/\($0).js\">\n"
        }
        #expect(String(decoding: html, as: UTF8.self) == "<head>\n" + links.joined() + script)
    }

    @Test func thePageNamesAllItsModules() throws {
        let folder = SharedData.packageRoot.appending(path: "Sources/Programs/PhotosGallery/Page")
        let page = try #require(try GalleryPage(folder: folder))
        let index = try #require(page.files["index.html"])
        let scripts = page.files.keys.filter { $0.hasPrefix("script/") && $0 != "script/door.js" }
        for name in scripts { #expect(index.text.contains("\"/page/\(name)\""), "\(name)") }
    }

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
