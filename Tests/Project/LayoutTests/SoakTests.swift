import Foundation
import TestSupport
import Testing

/// The variables that set the length of tests, which are described and set by `make soak`.
@Suite(.timeLimit(.minutes(2))) struct SoakTests {
    private static func text(_ path: String) throws -> String {
        let file = SharedData.packageRoot.appendingPathComponent(path)
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// The variables in `make soak`, with their values.
    private static func soak() throws -> [String: String] {
        let settings = try text("Makefile").matches(of: /(PHOTOS_[A-Z_]+)=([0-9]+)/)
        return Dictionary(
            settings.map { (String($0.output.1), String($0.output.2)) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    @Test func everyLengthIsSetAndDescribed() throws {
        let root = SharedData.packageRoot.appendingPathComponent("Tests").path
        let lengths = "SECONDS|STEPS|CASES|KILLS|MINUTES|MUTATIONS|SEQUENCES|CHANGES|ROUNDS|PEERS"
        let output = try ProcessRunner.run(
            "grep",
            ["-rohE", "--include=*.swift", "\"PHOTOS_([A-Z_]+_)?(\(lengths))\"", root]
        )
        let found = Set(output.lines.map { $0.trimmingCharacters(in: ["\""]) })
        #expect(found.count > 12)
        let soak = try Self.soak()
        for name in found.sorted() { #expect(soak[name] != nil, "make soak does not set \(name)") }
        let page = try Self.text("Docs/soak.md")
        for (name, value) in soak.sorted(by: { $0.key < $1.key }) {
            let row = page.split(separator: "\n").first { $0.hasPrefix("| `\(name)` |") }
            let cells = row?.split(separator: "|").map { $0.replacing(",", with: "") } ?? []
            #expect(cells.count == 4, "Docs/soak.md has no row for \(name)")
            #expect(cells.dropFirst(2).first?.contains(" \(value) ") == true, "\(name): \(value)")
        }
    }

    /// A test waits for a condition or an event, and sleeps only where time is its subject.
    @Test func testsDoNotPoll() throws {
        let root = SharedData.packageRoot.appendingPathComponent("Tests").path
        let output = try ProcessRunner.run(
            "grep",
            ["-rnE", "-B1", "--include=*.swift", "(usleep|nanosleep|Thread\\.sleep)\\(", root]
        )
        let groups = output.text.components(separatedBy: "\n--\n")
        for group in groups where !group.contains("SoakTests.swift") {
            #expect(group.contains("Time is the subject"), "\(group)")
        }
    }
}
