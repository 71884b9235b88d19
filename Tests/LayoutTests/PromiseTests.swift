import Foundation
import TestSupport
import Testing

/// What is promised about other people's troubles with PhotoKit has tests that name it.
@Suite struct PromiseTests {
    @Test(
        "Each of the promises is tested somewhere, by its number",
        arguments: [3, 4, 5, 14, 19, 24, 26, 28]
    )
    func isTested(number: Int) throws {
        let root = SharedData.packageRoot.appendingPathComponent("Tests")
        let names = try FileManager.default.subpathsOfDirectory(atPath: root.path)
            .filter { $0.hasSuffix("Tests.swift") && !$0.hasSuffix("PromiseTests.swift") }
        let pattern = try Regex("[Pp]ains [0-9, and]*\\b\(number)\\b")
        let found = try names.contains { name in
            try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
                .contains(pattern)
        }
        #expect(found, "No test names pains \(number).")
    }
}
