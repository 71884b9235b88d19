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

    @Test func modulesAreJoinedInTheOrderOfTheirImports() throws {
        let scripts = [
            "script/main.js": """
            // M
            import { a as first, b } from "./a.js";
            import { c } from "./b.js";
            export const sum = first() + b + c;
            """,
            "script/a.js": """
            export { b } from "./b.js";
            export function a() { return 1; }
            """,
            "script/b.js": """
            export const b = 20;
            export class C {}
            export const c = 300;
            const text = "export";
            """,
        ].mapValues { Data($0.utf8) }
        let html = """
            <head>
            <script type="module" async src="/page/script/b.js"></script>
            <script type="module" src="/page/script/main.js"></script>
            </head>
            """
        let bundle = try #require(ModuleBundle(html: Data(html.utf8), scripts: scripts))
        #expect(bundle.modules == ["script/b.js", "script/a.js", "script/main.js"])
        let joined = """
            <head>
            <script type="module" src="/page/script/page.js"></script>
            </head>
            """
        #expect(String(decoding: bundle.html, as: UTF8.self) == joined)
        let text = String(decoding: bundle.script, as: UTF8.self)
        let body = try #require(text.range(of: "const $modules = {};\n")).upperBound
        #expect(
            String(text[body...]) == """

                // /page/script/b.js
                $modules["script/b.js"] = (() => {
                const b = 20;
                class C {}
                const c = 300;
                const text = "export";
                return { b, C, c };
                })();

                // /page/script/a.js
                $modules["script/a.js"] = (() => {

                function a() { return 1; }
                return { b: $modules["script/b.js"].b, a };
                })();

                // /page/script/main.js
                $modules["script/main.js"] = (() => {
                // M
                const { a: first, b } = $modules["script/a.js"];
                const { c } = $modules["script/b.js"];
                const sum = first() + b + c;
                return { sum };
                })();

                """
        )
    }

    @Test(arguments: [
        "import { a } from \"./main.js\";", "import { a } from \"./none.js\";",
        "import a from \"./b.js\";", "import \"./b.js\";", "export let a = 1;",
        "export default 1;", "export { a };", "export { a as b } from \"./b.js\";",
        "export const [a, b] = [1, 2];",
    ])
    func otherModulesAreNotJoined(line: String) {
        let scripts = ["script/main.js": line, "script/b.js": ""].mapValues { Data($0.utf8) }
        let html = "<script type=\"module\" src=\"/page/script/main.js\"></script>"
        #expect(ModuleBundle(html: Data(html.utf8), scripts: scripts) == nil)
    }

    @Test func thePageHasAllItsModulesInOneScript() throws {
        let folder = SharedData.packageRoot.appending(path: "Sources/Programs/PhotosGallery/Page")
        let page = try #require(try GalleryPage(folder: folder))
        let index = try #require(page.files["index.html"]).text
        #expect(index.components(separatedBy: "<script").count == 2)
        #expect(index.contains("<script type=\"module\" src=\"/page/script/page.js\"></script>"))
        #expect(!index.contains("modulepreload"))
        let script = try #require(page.files["script/page.js"]).text
        let names = page.files.keys.filter { $0.hasPrefix("script/") }
        for name in names where !["script/door.js", "script/page.js"].contains(name) {
            #expect(script.components(separatedBy: "\n// /page/\(name)\n").count == 2, "\(name)")
        }
        let signIn = try #require(page.files["login.html"]).text
        #expect(signIn.contains("modulepreload\" href=\"/page/script/entering.js\""))
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
