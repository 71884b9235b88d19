import Foundation
import TestSupport
import Testing

/// Each promise to solve a known problem with PhotoKit has tests that name its number.
@Suite(.timeLimit(.minutes(2))) struct PromiseTests {
    @Test(
        "Each of the promises is tested somewhere, by its number",
        arguments: [3, 4, 5, 14, 19, 24, 26, 28]
    )
    func isTested(number: Int) throws {
        let root = SharedData.packageRoot.appendingPathComponent("Tests").path
        let output = try ProcessRunner.run(
            "grep",
            ["-rlE", "--include=*Tests.swift", "[Pp]ains [0-9, and]*\\b\(number)\\b", root]
        )
        let found = output.lines.contains { !$0.hasSuffix("PromiseTests.swift") }
        #expect(found, "No test names pains \(number).")
    }
}
