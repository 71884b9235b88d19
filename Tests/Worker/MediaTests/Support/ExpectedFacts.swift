import TestSupport

/// The sample files next to the checkout, and the facts that independent tools report for them.
struct ExpectedFacts {
    struct Row {
        var values: [String: String]

        var file: String { values["file"] ?? "" }

        /// Returns nil for an empty cell.
        subscript(column: String) -> String? {
            guard let value = values[column], !value.isEmpty else { return nil }
            return value
        }
    }

    static func rows() throws -> [Row] {
        try SharedData.rows(of: "expected.tsv").map { Row(values: $0) }
    }
}
