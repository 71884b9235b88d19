import Foundation
import TestSupport
import Testing

/// The code in the documentation is the code of the examples, which is compiled.
@Suite(.timeLimit(.minutes(2))) struct CodeBlockTests {
    struct Document: Sendable, CustomTestStringConvertible {
        var path: String
        var testDescription: String { path }
    }

    static let documents = [
        "README.md",
        "Sources/API/Photos/Photos.docc/BrowsingCollections.md",
        "Sources/API/Photos/Photos.docc/ChangingTheLibrary.md",
        "Sources/API/Photos/Photos.docc/EditingContent.md",
        "Sources/API/Photos/Photos.docc/FetchingAssets.md",
        "Sources/API/Photos/Photos.docc/PortingAProgram.md",
        "Sources/API/Photos/Photos.docc/ReadingResources.md",
        "Sources/API/Photos/Photos.docc/ObservingChanges.md",
        "Sources/API/Photos/Photos.docc/RequestingMovies.md",
        "Sources/API/PhotosManagement/PhotosManagement.docc/ImportingFiles.md",
        "Sources/API/PhotosManagement/PhotosManagement.docc/BackingUpALibrary.md",
        "Sources/API/PhotosManagement/PhotosManagement.docc/CheckingALibrary.md",
    ].map(Document.init)

    private let root = SharedData.packageRoot

    private func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// Returns the lines of each Swift block, without indentation and empty lines.
    private func blocks(of markdown: String) -> [[String]] {
        var blocks: [[String]] = []
        var isInside = false
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line == "```swift" {
                isInside = true
                blocks.append([])
            } else if line.hasPrefix("```") {
                isInside = false
            } else if isInside, !line.isEmpty {
                blocks[blocks.count - 1].append(line)
            }
        }
        return blocks
    }

    @Test(arguments: documents)
    func everyBlockIsPartOfAnExample(_ document: Document) throws {
        let folder = root.appendingPathComponent("Examples")
        let examples = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") }
            .map { name in
                try text("Examples/\(name)").split(separator: "\n")
                    .map { $0.trimmingCharacters(in: .whitespaces) }
                    .filter { !$0.isEmpty }
            }
        let blocks = blocks(of: try text(document.path))
        #expect(!blocks.isEmpty)
        for block in blocks {
            #expect(
                examples.contains { $0.firstRange(of: block) != nil },
                "No example holds this code:\n\(block.joined(separator: "\n"))"
            )
        }
    }

    @Test func theReadmeShowsItsExampleWhole() throws {
        let example = try text("Examples/example-newest/main.swift")
        #expect(try text("README.md").contains("```swift\n\(example)```"))
        #expect(example.split(separator: "\n").count <= 16)
    }
}
