import Foundation

/// Prints a line per case, and keeps the cases.
///
/// Only for the main thread.
final class Report {
    /// The form of a line.
    enum Style {
        case json, table
        /// No line at all.
        case silent
    }

    let style: Style
    /// The cases in the order in which they were printed.
    private(set) var cases: [Case] = []

    init(style: Style) {
        self.style = style
    }

    /// A measured case.
    struct Case: Codable {
        var suite: String
        var name: String
        /// In `unit`.
        var ours: Double
        var peer: Double?
        var peerName: String?
        var unit: String
        /// The ratio of ours to the peer's, or ours without a peer.
        var value: Double { peer.map { ours / $0 } ?? ours }
        var limit: Double?
    }

    func print(_ result: Case) {
        cases.append(result)
        switch style {
        case .json: printJSON(result)
        case .table: printTable(result)
        case .silent: return
        }
        fflush(nil)
    }

    private func printJSON(_ result: Case) {
        let object: [(String, Any?)] = [
            ("suite", result.suite), ("case", result.name), ("ours", result.ours),
            ("peer", result.peer), ("peerName", result.peerName), ("unit", result.unit),
            ("value", result.value), ("limit", result.limit),
        ]
        let fields = object.map { name, value in
            let text =
                switch value {
                case let text as String: "\"\(text)\""
                case let number as Double: String(describing: number)
                default: "null"
                }
            return "\"\(name)\":\(text)"
        }
        Swift.print("{" + fields.joined(separator: ",") + "}")
    }

    private func printTable(_ result: Case) {
        var line = "\(result.suite)  \(result.name): "
        line += format(result.ours) + " " + result.unit
        if let peer = result.peer, let name = result.peerName {
            line += "; \(name) \(format(peer)) \(result.unit); ratio \(format(result.value))"
        }
        if let limit = result.limit {
            line += " (limit \(format(limit)), \(result.value <= limit ? "met" : "MISSED"))"
        }
        Swift.print(line)
    }

    private func format(_ number: Double) -> String {
        String(format: abs(number) < 1 ? "%.4f" : "%.2f", number)
    }
}

/// Returns the processor time that this process uses for `body`, in seconds.
func processorTime(_ body: () throws -> Void) rethrows -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
    let start = now()
    try body()
    return now() - start
}

/// Returns the duration of a call in seconds.
func seconds(_ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let duration = try clock.measure(body)
    return Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
}

/// Returns the median of some figures.
func median(_ figures: [Double]) -> Double {
    let sorted = figures.sorted()
    guard !sorted.isEmpty else { return 0 }
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
        ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}

/// Keeps the optimizer from removing an unused value.
@inline(never)
func blackHole<Value>(_ value: Value) {}

/// An operation that a benchmark could not perform.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String
}
