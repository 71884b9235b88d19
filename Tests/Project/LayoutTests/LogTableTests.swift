import Foundation
import TestSupport
import Testing

/// The table of `Docs/logging.md` and the records of the sources are the same.
@Suite(.timeLimit(.minutes(2))) struct LogTableTests {
    private struct Row {
        var label: String
        var message: String
        var keys: [String]
    }

    private let rows: [Row]
    private let sources: [String]

    init() throws {
        let root = SharedData.packageRoot
        let page = try String(
            contentsOf: root.appendingPathComponent("Docs/logging.md"),
            encoding: .utf8
        )
        rows = page.split(separator: "\n").filter { $0.hasPrefix("| `photos") }.map { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            return Row(
                label: cells[1].replacingOccurrences(of: "`", with: ""),
                message: cells[3],
                keys: cells[4].matches(of: /`([^`]+)`/).map { String($0.1) }
            )
        }
        let files = try ProcessRunner.run(
            "grep",
            [
                "-rlE", "--include=*.swift", "import Logging",
                root.appendingPathComponent("Sources").path,
            ]
        ).lines
        sources = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }
    }

    @Test func everyMessageIsInTheTable() {
        var messages: Set<String> = []
        let calls =
            /[lL]oggers?(?:\.\w+)?\.(?:trace|debug|info|notice|warning|error|critical|log)\(/
        for source in sources {
            for call in source.matches(of: calls) {
                let rest = source[call.range.upperBound...].prefix(400)
                let end = rest.firstRange(of: "metadata:") ?? rest.firstRange(of: ")\n")
                let text = rest[..<(end?.lowerBound ?? rest.endIndex)]
                let found = text.matches(of: /"([^"]*)"/).map { String($0.1) }
                #expect(!found.isEmpty, "No fixed message: \(rest.prefix(80))")
                #expect(!found.contains { $0.contains("\\(") }, "Interpolated: \(found)")
                messages.formUnion(found)
            }
        }
        #expect(messages.count > 30)
        #expect(messages.subtracting(rows.map(\.message)) == [])
        #expect(Set(rows.map(\.message)).subtracting(messages) == [])
    }

    @Test func everyKeyIsInTheTable() {
        let keys = Set(
            sources.flatMap { $0.matches(of: /"([a-z]+\.[a-zA-Z]+)":\s/).map { String($0.1) } }
        )
        #expect(keys == Set(rows.flatMap(\.keys)).union(["photos.error", "photos.code"]))
    }

    @Test func everyLabelIsInTheTable() {
        let labels = Set(
            sources.flatMap { source in
                source.matches(of: /(?:Logger\(\s*label:\s*|makeLogger\()"(photos[^"]*)"/)
                    .map { String($0.1) }
            }
        )
        #expect(labels == Set(rows.map(\.label)))
    }
}
