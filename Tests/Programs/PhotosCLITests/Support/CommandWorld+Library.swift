import Foundation
import TestSupport
import Testing

extension CommandWorld {
    /// Runs SQL in the library's database with another program; returns the rows.
    @discardableResult
    func sql(_ text: String) throws -> [String] {
        let database = library.appendingPathComponent("database/library.sqlite").path
        let output = try ProcessRunner.run(
            "sqlite3",
            ["-cmd", ".timeout 20000", database, text]
        )
        #expect(output.status == 0, "\(output.errorText)")
        return output.lines
    }

    /// Checks every file of a library, by default of this world's.
    func expectClean(
        _ library: URL? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let path = (library ?? self.library).path
        let verify = try run("verify", "--full", "--library", path)
        #expect(
            verify.errorText == "No problems found.\n",
            "\(verify.text)",
            sourceLocation: sourceLocation
        )
    }
}

extension JSONLine {
    /// The item of the source: an asset's identifier, or the path in an export.
    var item: String? { (values["source"] as? [String: Any])?["item"] as? String }

    /// The codes of the notes.
    var codes: [String] {
        (values["notes"] as? [[String: Any]])?.compactMap { $0["code"] as? String } ?? []
    }
}

/// The notes of a report's totals by their codes.
func notes(ofReport report: URL) throws -> [String: [String]] {
    let text = try String(contentsOf: report, encoding: .utf8)
    let last = try JSONLine(String(try #require(text.split(separator: "\n").last)))
    let totals = try #require(last.values["totals"] as? [String: Any])
    let notes = totals["notes"] as? [[String: Any]] ?? []
    return notes.reduce(into: [:]) { texts, note in
        guard let code = note["code"] as? String else { return }
        texts[code, default: []].append(note["text"] as? String ?? "")
    }
}
