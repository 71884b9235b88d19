import Foundation
import Testing

/// Keeps the other suites complete: one of them must cover every type that crosses the seam.
@Suite(.timeLimit(.minutes(2))) struct SeamCoverageTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let package =
        tests.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func swiftFiles(in folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
    }

    @Test func everyRequestAndReplyIsTested() throws {
        let sources = try Self.swiftFiles(
            in: Self.package.appendingPathComponent("Sources/Engine/LibraryService")
        )
        let tested = try Self.swiftFiles(in: Self.tests).joined()
        let pattern = /package (?:struct|indirect enum|enum) (\w+)[^{]*Codable/
        let names = sources.flatMap { $0.matches(of: pattern).map { String($0.output.1) } }
        #expect(names.count > 20)
        for name in names {
            let isTested = tested.contains(name)
            #expect(isTested, "\(name) crosses the seam untested")
        }
    }
}
