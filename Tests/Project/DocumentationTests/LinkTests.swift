import Foundation
import TestSupport
import Testing

/// The links of the documentation lead to existing files and headings.
@Suite(.timeLimit(.minutes(1))) struct LinkTests {
    private let root = SharedData.packageRoot

    /// Returns the paths of all documents whose links are checked, below the root.
    private func documents() throws -> [String] {
        var paths: [String] = []
        for folder in ["", "Docs/", "Docs/adr/", "Packaging/"] {
            let names = try FileManager.default.contentsOfDirectory(
                atPath: root.appendingPathComponent(folder).path
            )
            paths += names.filter { $0.hasSuffix(".md") }.map { folder + $0 }
        }
        for folder in ["Sources/", "Tests/"] {
            let names = try FileManager.default.subpathsOfDirectory(
                atPath: root.appendingPathComponent(folder).path
            )
            paths += names.filter { $0 == "README.md" || $0.hasSuffix("/README.md") }
                .map { folder + $0 }
        }
        return paths.sorted()
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func everyRelativeLinkLeadsToAFileAndAHeading() throws {
        let documents = try documents()
        #expect(documents.contains("Docs/architecture.md"))
        #expect(documents.contains("Sources/Engine/README.md"))
        var count = 0
        for document in documents {
            let folder = root.appendingPathComponent(document).deletingLastPathComponent().path
            for link in Markdown.relativeLinks(in: try text(document)) {
                count += 1
                let parts = link.components(separatedBy: "#")
                let file = parts[0].removingPercentEncoding ?? parts[0]
                let path = file.isEmpty ? root.path + "/" + document : folder + "/" + file
                guard FileManager.default.fileExists(atPath: path) else {
                    Issue.record("\(document) links to \(link), which does not exist.")
                    continue
                }
                guard parts.count > 1, path.hasSuffix(".md") else { continue }
                let target = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
                #expect(
                    Markdown.anchors(in: target).contains(parts[1]),
                    "\(document) links to \(link), where there is no such heading."
                )
            }
        }
        #expect(count > 100, "Links are no longer recognized.")
    }

    @Test func theIndexListsEveryDecisionRecordOnce() throws {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: root.appendingPathComponent("Docs/adr").path
        )
        let records = names.filter {
            $0.hasSuffix(".md") && $0 != "README.md" && !$0.hasPrefix("0000-")
        }
        .sorted()
        let numbers = records.map { String($0.prefix(4)) }
        #expect(Set(numbers).count == numbers.count, "Two decision records have one number.")

        let rows = try text("Docs/adr/README.md").components(separatedBy: "\n")
            .filter { $0.hasPrefix("| ") && $0.contains("](") }
        #expect(rows.count == records.count)
        for (row, record) in zip(rows, records) {
            let lines = try text("Docs/adr/\(record)").components(separatedBy: "\n")
            try #require(lines.count > 2, "\(record) is empty.")
            let number = try #require(Int(String(record.prefix(4))))
            let mark = "# \(number). "
            #expect(lines[0].hasPrefix(mark), "\(record) does not begin with its number.")
            let title = String(lines[0].dropFirst(mark.count))

            // "Accepted, 2026-11-21. What it supersedes."
            let status = lines[2].components(separatedBy: ".")[0].components(separatedBy: ", ")
            try #require(status.count == 2, "\(record) has no status with a date.")
            #expect(["Proposed", "Accepted", "Superseded"].contains(status[0]))
            #expect(status[1].components(separatedBy: "-").map(\.count) == [4, 2, 2])

            #expect(row.hasPrefix("| \(number) | [\(title)](\(record)) | "), "\(record)")
            #expect(row.contains("| \(status[0].lowercased())"), "\(record)")
            #expect(row.hasSuffix(" | \(status[1]) |"), "\(record)")
        }
    }

    @Test func linksInCodeAndToOtherSitesAreIgnored() {
        let markdown = """
            See [one](One.md) and [`two`](../Two.md#part), not `[three](Three.md)` or
            [four](https://example.org/four).
            ```text
            [five](Five.md)
            ```
            """
        #expect(Markdown.relativeLinks(in: markdown) == ["One.md", "../Two.md#part"])
    }

    @Test func anchorsAreThoseOfHeadings() {
        let markdown = """
            # The `path` of one photo

            ```sh
            # no heading
            ```
            ## Locks, and their order
            """
        #expect(
            Markdown.anchors(in: markdown) == ["the-path-of-one-photo", "locks-and-their-order"]
        )
    }
}

/// The parts of Markdown that links consist of.
private enum Markdown {
    /// Returns the destinations of links in a text, except those to other sites.
    static func relativeLinks(in markdown: String) -> [String] {
        var links: [String] = []
        for line in prose(in: markdown) {
            // Every other part is a code span.
            let parts = line.components(separatedBy: "`")
            var text = ""
            for (index, part) in parts.enumerated() where index % 2 == 0 { text += part }
            for rest in text.components(separatedBy: "](").dropFirst() {
                let link = rest.components(separatedBy: ")")[0]
                if !link.contains("://"), !link.hasPrefix("mailto:") { links.append(link) }
            }
        }
        return links
    }

    /// Returns the anchors of the headings in a text, as code hosts derive them.
    static func anchors(in markdown: String) -> Set<String> {
        var anchors: Set<String> = []
        for line in prose(in: markdown) where line.hasPrefix("#") {
            let heading = line.drop { $0 == "#" }
                .trimmingCharacters(in: .whitespaces).lowercased()
            var anchor = ""
            for character in heading {
                if character == " " {
                    anchor += "-"
                } else if character.isLetter || character.isNumber || character == "-"
                    || character == "_"
                {
                    anchor.append(character)
                }
            }
            anchors.insert(anchor)
        }
        return anchors
    }

    /// Returns the lines outside of fenced code.
    private static func prose(in markdown: String) -> [String] {
        var lines: [String] = []
        var isCode = false
        for line in markdown.components(separatedBy: "\n") {
            if line.trimmingCharacters(in: .whitespaces).hasPrefix("```") {
                isCode.toggle()
            } else if !isCode {
                lines.append(line)
            }
        }
        return lines
    }
}
