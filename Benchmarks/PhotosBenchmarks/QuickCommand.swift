import ArgumentParser
import Foundation

/// The command `photos-benchmarks quick`: compares a few ratios with those that were recorded.
struct QuickCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quick",
        abstract: "Compares the ratios of a few cases to their peers with the recorded ones.",
        discussion: """
            Our code and its peer run alternately, so a slow or busy machine slows both. A case fails
            if its ratio is above 1.5 times the recorded one in three runs of its suite.
            """
    )

    @Argument(help: "The file with the recorded ratios.")
    var ratios: String

    @Flag(help: "Write the measured ratios to the file instead of comparing them.")
    var record = false

    /// How often a suite with a missed limit is measured in all.
    private static let attempts = 3

    func run() throws {
        let file = URL(fileURLWithPath: ratios)
        var table = try RecordedRatios(text: String(contentsOf: file, encoding: .utf8))
        var problems: [String] = []
        for suite in QuickSuite.allCases {
            let cases = try Self.measure(suite)
            if record {
                table.replace(with: cases)
                continue
            }
            var missed = try table.missed(in: cases, of: suite.rawValue)
            for _ in 1..<Self.attempts where !missed.isEmpty {
                print(
                    "Above the limit, measured again: \(missed.map(\.name).joined(separator: "; "))"
                )
                let still = try table.missed(in: try Self.measure(suite), of: suite.rawValue)
                missed.removeAll { miss in !still.contains { $0.key == miss.key } }
            }
            problems += missed.map(\.description)
        }
        if record { return try Data(table.text.utf8).write(to: file) }
        guard problems.isEmpty else {
            throw BenchmarkError(
                description: "Slower than recorded, three times:\n"
                    + problems.joined(separator: "\n")
            )
        }
    }

    /// Measures a suite in a process of its own, so that it does not inherit another's memory.
    private static func measure(_ suite: QuickSuite) throws -> [Report.Case] {
        let cases: [Report.Case] = try Probe.run(["probe-quick", suite.rawValue])
        let report = Report(style: .table)
        for result in cases { report.print(result) }
        return cases
    }
}

/// Measures one suite of `quick`.
struct QuickProbe: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe-quick",
        abstract: "Part of quick.",
        shouldDisplay: false
    )

    @Argument var suite: QuickSuite

    func run() throws {
        let report = Report(style: .silent)
        try suite.run(report)
        try Probe.print(report.cases)
    }
}

/// The suites of `quick`, in sizes that take seconds.
enum QuickSuite: String, ExpressibleByArgument, CaseIterable {
    case fetch, observe, `import`, images, edit

    func run(_ report: Report) throws {
        switch self {
        case .fetch: try FetchSuite(assets: 100_000, rounds: 5).run(report)
        case .observe: try ObserveSuite(assets: 100_000, rounds: 9).comparing(report)
        case .import:
            try ImportSuite(files: 40, scannedFiles: 5_000, rounds: 3, source: nil).run(report)
        case .images:
            try ImagesSuite(pictures: 8, rounds: 3, parts: [.warm, .jpeg]).run(report)
        case .edit: try EditSuite(rounds: 5).small(report)
        }
    }
}
