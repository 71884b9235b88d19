import ArgumentParser
import Foundation
import PhotosManagement
import PhotosJSON

/// What a verb that changes the library has done, for programs and for people.
struct ChangeReport {
    /// For `--json`: an object per line.
    var lines: [JSONObject] = []
    /// For people, what a script would want of it, on standard output: an identifier.
    var result: String?
    /// For people: a sentence, on standard error.
    var summary: String

    init(_ summary: String, result: String? = nil, lines: [JSONObject] = []) {
        self.summary = summary
        self.result = result
        self.lines = lines
    }

    /// The same outcome for several objects.
    init(_ summary: String, outcome: String, of identifiers: [String]) {
        self.init(summary, lines: identifiers.map { JSONObject(outcome: outcome, of: $0) })
    }

    /// The outcome of a change for several objects, some of which already were as asked for.
    ///
    /// - Parameters:
    ///   - outcome: The outcome of those that changed; the others have `unchanged`.
    ///   - identifiers: All objects that were named.
    ///   - changed: The identifiers of those that changed.
    ///   - noun: Names an object, in the singular.
    ///   - summary: Describes the change of so many objects.
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
            let verb = rest == 1 ? "is" : "are"
            sentences.append("Unchanged: \(Wording.count(rest, noun)) that already \(verb) so.")
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
    /// Makes one change, which happens whole or not at all, and tells of it once it is durable.
    ///
    /// A failure with `--json` is a line for each subject, since none of them was changed.
    ///
    /// - Parameters:
    ///   - subjects: What was named on the command line to be changed.
    ///   - body: Makes the change.
    /// - Throws: What `body` throws, unless it was told in JSON; then the exit status.
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
    /// What became of an object.
    init(outcome: String, of identifier: String?, reason: String? = nil) {
        self.init()
        add("localIdentifier", identifier)
        add("outcome", outcome)
        add("reason", reason)
    }
}
