import Foundation
import TestSupport
import Testing

/// The code of the tutorial is that of `Examples/NoirGrid`, which `Scripts/examples` builds and
/// runs.
@Suite(.timeLimit(.minutes(2))) struct TutorialTests {
    private static let article = "Sources/API/Photos/Photos.docc/GettingStarted.md"
    private static let example = "Examples/NoirGrid"

    private let root = SharedData.packageRoot

    private func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// Returns the Swift files of the example, by their paths in its folder.
    private func sources() throws -> [String: String] {
        let folder = root.appendingPathComponent(Self.example)
        let sources = try FileManager.default.subpathsOfDirectory(
            atPath: folder.appendingPathComponent("Sources").path
        )
        .filter { $0.hasSuffix(".swift") }.map { "Sources/\($0)" }
        var texts: [String: String] = [:]
        for path in sources + ["Package.swift"] {
            texts[path] = try text("\(Self.example)/\(path)")
        }
        return texts
    }

    /// Returns the text of each block of Swift code, with its line breaks and indentation.
    private func blocks(of markdown: String) -> [String] {
        var blocks: [String] = []
        var block: String?
        for line in markdown.components(separatedBy: "\n") {
            if let code = block {
                if line == "```" {
                    blocks.append(code)
                    block = nil
                } else {
                    block = code + line + "\n"
                }
            } else if line == "```swift" {
                block = ""
            }
        }
        return blocks
    }

    @Test func everyBlockIsAnExcerptOfTheExample() throws {
        let sources = try sources()
        let blocks = blocks(of: try text(Self.article))
        #expect(!blocks.isEmpty)
        for block in blocks {
            #expect(
                sources.values.contains { "\n\($0)".contains("\n\(block)") },
                "No file of \(Self.example) contains this code verbatim:\n\(block)"
            )
        }
    }

    @Test func theTutorialShowsEveryFileOfTheExample() throws {
        let article = try text(Self.article)
        let blocks = blocks(of: article)
        for (path, source) in try sources() {
            #expect(article.contains("`\(path)`"), "The tutorial does not name \(path).")
            #expect(blocks.contains(source), "The tutorial does not show \(path) completely.")
        }
    }

    @Test func theExampleIsBuiltAndRun() throws {
        let script = try text("Scripts/examples").components(separatedBy: "\n")
        #expect(script.contains("build NoirGrid"))
    }

    @Test func blocksKeepTheirIndentation() {
        let markdown = """
            Code:

            ```swift
            if true {
                print(1)

            }
            ```

            ```console
            $ ls
            ```
            """
        #expect(blocks(of: markdown) == ["if true {\n    print(1)\n\n}\n"])
    }
}
