import Foundation

/// The ratios to peers that a file records, one line each: suite, case, peer, ratio.
struct RecordedRatios {
    /// A case above its limit.
    struct Miss: CustomStringConvertible {
        let key: Key
        let ratio: Double
        let recorded: Double

        var name: String { key.name }
        var description: String {
            String(format: "%@, %@: %.4g (recorded: %.4g)", key.suite, key.name, ratio, recorded)
        }
    }

    struct Key: Hashable {
        let suite: String
        let name: String
        let peer: String
    }

    /// A measured ratio may be this many times the recorded one.
    static let tolerance = 1.5

    private var lines: [(key: Key, ratio: Double)] = []
    private let head: String

    init(text: String) throws {
        let all = text.split(separator: "\n", omittingEmptySubsequences: true)
        head = all.filter { $0.hasPrefix("#") }.joined(separator: "\n")
        for line in all where !line.hasPrefix("#") {
            let fields = line.split(separator: "\t").map(String.init)
            guard fields.count == 4, let ratio = Double(fields[3]), ratio > 0 else {
                throw BenchmarkError(description: "This is no recorded ratio: \(line)")
            }
            lines.append((Key(suite: fields[0], name: fields[1], peer: fields[2]), ratio))
        }
    }

    var text: String {
        let rows = lines.map { line in
            [line.key.suite, line.key.name, line.key.peer, String(format: "%.4g", line.ratio)]
                .joined(separator: "\t")
        }
        return ([head] + rows).filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
    }

    /// Puts the measured ratios of a suite in the place of its recorded ones.
    mutating func replace(with cases: [Report.Case]) {
        let measured = cases.compactMap { result in
            Self.key(of: result).map { ($0, result.value) }
        }
        let suites = Set(measured.map(\.0.suite))
        lines.removeAll { suites.contains($0.key.suite) }
        lines += measured.map { (key: $0.0, ratio: $0.1) }
    }

    /// Returns the cases of a suite whose ratio is above the limit.
    ///
    /// A recorded case that was not measured throws, since its peer is not installed.
    func missed(in cases: [Report.Case], of suite: String) throws -> [Miss] {
        try lines.filter { $0.key.suite == suite }.compactMap { line in
            guard let result = cases.first(where: { Self.key(of: $0) == line.key }) else {
                throw BenchmarkError(
                    description: """
                        \(line.key.suite), \(line.key.name): not measured. Its peer, \(line.key.peer), \
                        may be missing: run Scripts/setup.
                        """
                )
            }
            guard result.value > line.ratio * Self.tolerance else { return nil }
            return Miss(key: line.key, ratio: result.value, recorded: line.ratio)
        }
    }

    private static func key(of result: Report.Case) -> Key? {
        guard result.peer != nil, let peer = result.peerName else { return nil }
        return Key(suite: result.suite, name: result.name, peer: peer)
    }
}
