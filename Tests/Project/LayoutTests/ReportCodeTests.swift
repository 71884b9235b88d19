import Foundation
import TestSupport
import Testing

/// The codes of notes in reports of imports: the documentation explains each, and tests name it.
@Suite(.timeLimit(.minutes(1))) struct ReportCodeTests {
    private static let types = "MigrationNote|ForeignNote|ReportNote"

    /// Arguments that hold codes of notes made elsewhere.
    private static let passed: Set<String> = ["$0", "$0.code", "code", "remark.rawValue"]

    /// Codes that only a fault of ours could cause, so that no test brings one about.
    private static let faults: Set<String> = ["membersOutOfOrder"]

    /// Returns what matches an expression of Perl in the files of a folder, which are read as one
    /// line each.
    private func matches(
        _ expression: String,
        _ folder: String,
        _ options: String...
    ) throws -> [String] {
        let output = try ProcessRunner.run(
            "grep",
            ["-rzohP"] + options + ["--", expression, folder],
            folder: SharedData.packageRoot
        )
        #expect(output.status == 0, "\(output.errorText)")
        return output.text.split(separator: "\0").map(String.init)
    }

    /// Returns the codes of the notes in the sources.
    private func codes() throws -> Set<String> {
        let start = "\\b(?:\(Self.types)|note)\\(\\s*(?:code:\\s*)?\"\\K[A-Za-z]+(?=\")"
        let swift = "--include=*.swift"
        var codes = Set(try matches(start, "Sources", swift))
        let other =
            "\\b(?:\(Self.types))\\((?!\\s*(?:code:\\s*)?\")\\s*(?:code:\\s*)?\\K[^\\s,()]+"
        for argument in try matches(other, "Sources", swift) {
            #expect(Self.passed.contains(argument), "The code \(argument) is no literal.")
        }
        // The notes of Takeout with fixed texts.
        let cases = "enum Remark: String[^{]*\\{\\s*case \\K[A-Za-z, ]+"
        let remarks = try matches(cases, "Sources", swift)
        codes.formUnion(remarks.flatMap { $0.components(separatedBy: ", ") })
        return codes
    }

    @Test func everyCodeIsDocumentedAndTested() throws {
        let codes = try codes()
        #expect(codes.count > 40)
        #expect(codes.isSuperset(of: ["partnerSharing", "originalsMissing"]))
        let documented = Set(try matches("`\\K[A-Za-z]+(?=`)", "Docs", "--include=*.md"))
        #expect(codes.subtracting(documented) == [], "No page of Docs explains them.")
        let tested = try matches(
            "\"\\K[a-z][A-Za-z]+(?=\\\\?\")",
            "Tests",
            "--include=*Tests.swift",
            "--exclude=ReportCodeTests.swift"
        )
        #expect(codes.subtracting(tested).subtracting(Self.faults) == [], "No test names them.")
    }
}
