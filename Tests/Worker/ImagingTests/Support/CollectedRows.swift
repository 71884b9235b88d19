@testable import Imaging

/// A sink that keeps all rows, or refuses them after a number of bytes.
final class CollectedRows: RowSink {
    private(set) var bytes: [UInt8] = []
    private let limit: Int

    init(limit: Int = .max) { self.limit = limit }

    var isCancelled: Bool { false }

    func restart() { bytes = [] }

    func take(_ rows: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count + rows.count <= limit else { return false }
        bytes.append(contentsOf: rows)
        return true
    }

    /// The bytes as half-precision numbers.
    var halves: [Float16] {
        bytes.withUnsafeBytes { Array($0.bindMemory(to: Float16.self)) }
    }
}
