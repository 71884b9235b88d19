import ArgumentParser
import Foundation
import PhotosManagement
import PhotosJSON

/// The result of a command that changes the library, as JSON and as text.
struct ChangeReport {
    /// The JSON objects that are printed with `--json`, one per line.
    var lines: [JSONObject] = []
    /// The identifier of a created object, which is written to standard output for use in scripts.
    var result: String?
    /// A sentence that is written to standard error.
    var summary: String

    init(_ summary: String, result: String? = nil, lines: [JSONObject] = []) {
        self.summary = summary
        self.result = result
        self.lines = lines
    }

    /// Creates a report in which several objects have the same outcome.
    init(_ summary: String, outcome: String, of identifiers: [String]) {
        self.init(summary, lines: identifiers.map { JSONObject(outcome: outcome, of: $0) })
    }

    /// Creates a report for several objects, some of which may already have had the requested
    /// state.
    ///
    /// - Parameters:
    ///   - outcome: The outcome of the objects that changed; the others have `unchanged`.
    ///   - identifiers: All objects that were named.
    ///   - changed: The identifiers of the objects that changed.
    ///   - noun: The name of an object, in the singular.
    ///   - summary: Describes the change of a number of objects.
    init(
        outcome: String,
        of identifiers: [String],
        changed: Set<String>,
        noun: String = "asset",
        summary: (Int) -> String
    ) {
        let count = identifiers.count { changed.contains($0) }
        let rest = identifiers.count - count
        var sentences = count > 0 ? [summary(count)] : []
        if rest > 0 {
            sentences.append("Unchanged: \(Wording.count(rest, noun)) already in this state.")
        }
        self.init(
            sentences.joined(separator: " "),
            lines: identifiers.map {
                JSONObject(outcome: changed.contains($0) ? outcome : "unchanged", of: $0)
            }
        )
    }
}

extension OutputOptions {
    /// Performs an atomic change, and reports the change once it is durable.
    ///
    /// With `--json`, a failure is reported as one line for each object, since none of the objects
    /// was changed.
    ///
    /// - Parameters:
    ///   - subjects: The objects that were named on the command line.
    ///   - body: Performs the change.
    /// - Throws: The error of `body`, or an exit status if the error was already reported as JSON.
    func report(of subjects: [String?], _ body: () throws -> ChangeReport) throws {
        let report: ChangeReport
        do {
            report = try body()
        } catch  where json && PhotosCommand.exitCode(for: error) != .validationFailure {
            let reason = LibraryFailure(error).description
            for subject in subjects {
                let line = JSONObject(outcome: "failed", of: subject, reason: reason).line
                try StandardOutput.shared.write(line + "\n")
            }
            try StandardOutput.shared.flush()
            throw ExitCode(ExitStatus.failed)
        }
        if json {
            for line in report.lines { try StandardOutput.shared.write(line.line + "\n") }
        } else if let result = report.result {
            try StandardOutput.shared.write(result + "\n")
        }
        try StandardOutput.shared.flush()
        if !json { StandardError.shared.say(report.summary) }
    }
}

extension JSONObject {
    /// Creates the JSON representation of an object's outcome.
    init(outcome: String, of identifier: String?, reason: String? = nil) {
        self.init()
        add("localIdentifier", identifier)
        add("outcome", outcome)
        add("reason", reason)
    }
}
