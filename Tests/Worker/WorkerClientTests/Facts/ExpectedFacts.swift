import Glibc
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

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

extension WorkerPool {
    /// Probes the file at a path.
    func probe(path: String, renditionSide: Int = 0) throws -> ProbeAnswer {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0, "\(path): \(String(cString: strerror(errno)))")
        defer { close(descriptor) }
        let name = path.split(separator: "/").last.map { String($0) } ?? path
        return try probe(
            ProbeRequest(filename: name, renditionSide: renditionSide),
            descriptor: descriptor
        )
    }
}
