import BinaryCoding
import Dispatch
import Foundation
import LibraryService
import PhotoModel
import RemoteLibrary

/// The forms in which values cross a connection: `BinaryCoder` and its layouts for records and row
/// ids, beside JSON.
///
/// A figure is the time of encoding and decoding a value.
struct WireSuite {
    let rounds: Int

    func run(_ report: Report) throws {
        let status = LibraryStatus(
            path: "/home/user/Photos",
            version: 1_234,
            readOnlyReason: nil,
            libraryUUID: UUID().uuidString,
            epoch: 12
        )
        try compare("status", status, runs: 200, report)
        for count in [1, 100] {
            let records = (0..<count).map(SampleRecord.make)
            let derived = DerivedReply(version: 7, assets: records.map(DerivedRecord.init))
            let runs = 800 / (count + 19)
            let limit = count == 100 ? 0.5 : nil
            try compare("\(count) records", derived, runs: runs, limit: limit, report)
            try measure(
                "layout of \(count) records",
                AssetLoadReply(version: 7, assets: records),
                runs: runs,
                limit: count == 100 ? 300 : nil,
                report
            )
        }
        for count in [1_000, 10_000, 100_000, 1_000_000] {
            let ids = RowIDBuffer((0..<count).map { Int64($0 &* 7_919) })
            try measure(
                "layout of \(count) ids",
                AssetFetchReply(snapshot: LibrarySnapshot(version: 7), ids: ids),
                runs: max(3, 20_000 / count),
                limit: count == 1_000_000 ? 2_000 : nil,
                report
            )
        }
        for (length, runs) in [(64, 400), (64 << 10, 200), (8_000_000, 5)] {
            let times = try (0..<rounds).map { _ in
                try SocketCalls().time(replyLength: length, runs: runs)
            }
            print("call over a socket, reply of \(length) bytes", median(times), report)
        }
    }

    /// Measures a value as JSON and in the binary form, in turn.
    private func compare<Value: Codable & Equatable>(
        _ name: String,
        _ value: Value,
        runs: Int,
        limit: Double? = nil,
        _ report: Report
    ) throws {
        var (ours, theirs): ([Double], [Double]) = ([], [])
        for _ in 0..<rounds {
            ours.append(try time(value, runs: runs, with: BinaryCoder()))
            theirs.append(try time(value, runs: runs, with: UnsortedJSONCoder()))
        }
        report.print(
            Report.Case(
                suite: "wire",
                name: name,
                ours: median(ours),
                peer: median(theirs),
                peerName: "JSONEncoder and JSONDecoder",
                unit: "µs",
                limit: limit
            )
        )
    }

    private func measure(
        _ name: String,
        _ value: some Codable & Equatable,
        runs: Int,
        limit: Double?,
        _ report: Report
    ) throws {
        let times = try (0..<rounds).map { _ in try time(value, runs: runs, with: BinaryCoder()) }
        print(name, median(times), limit: limit, report)
    }

    private func print(_ name: String, _ time: Double, limit: Double? = nil, _ report: Report) {
        report.print(
            Report.Case(suite: "wire", name: name, ours: time, unit: "µs", limit: limit)
        )
    }

    /// Returns the median time of encoding and decoding a value, in microseconds.
    private func time<Value: Codable & Equatable>(
        _ value: Value,
        runs: Int,
        with coder: some WireCoder
    ) throws -> Double {
        let bytes = try coder.encode(value)
        guard try coder.decode(Value.self, from: bytes) == value else {
            throw BenchmarkError(description: "\(Value.self) is not preserved.")
        }
        return median(
            try (0..<runs).map { _ in
                let start = DispatchTime.now().uptimeNanoseconds
                blackHole(try coder.decode(Value.self, from: try coder.encode(value)))
                return Double(DispatchTime.now().uptimeNanoseconds - start) / 1_000
            }
        )
    }
}

/// JSON without sorted keys, which would cost time.
private struct UnsortedJSONCoder: WireCoder {
    func encode(_ value: some Encodable) throws -> [UInt8] {
        Array(try JSONEncoder().encode(value))
    }

    func decode<Value: Decodable>(
        _ type: Value.Type,
        from body: UnsafeRawBufferPointer
    ) throws -> Value { try JSONDecoder().decode(type, from: Data(body)) }
}
