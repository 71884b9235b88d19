import Foundation
import GRDB

/// Measures how a computer that joins a cloud library gets all metadata: a session of the command
/// with its processes, the store, decryption, the state machine, and the library, against the same
/// rows with the same indexes inserted by plain SQLite.
struct CloudBootstrap {
    let assets: Int
    let report: Report

    func run() throws {
        for store in CloudBenchmarkStore.all { try run(store) }
    }

    private func run(_ store: CloudBenchmarkStore) throws {
        let source = try SyntheticLibrary()
        try source.fill(assets: assets)
        let target = try SyntheticLibrary()
        let address = try store.address(in: source.folder, number: 0)
        let first = try CloudComputer(
            source.folder.appendingPathComponent("first"),
            library: source.url.path
        )
        let code = try first.createCloud(at: address)
        let published = try seconds { _ = try first.run("cloud", "sync", "--once") }
        report.print(
            Report.Case(
                suite: "cloud",
                name: "metadata of \(assets) assets published to the \(store.name)",
                ours: published,
                unit: "s"
            )
        )
        let second = try CloudComputer(
            source.folder.appendingPathComponent("second"),
            library: target.url.path
        )
        try second.joinCloud(at: address, with: code)
        let ours = try seconds { _ = try second.run("cloud", "sync", "--once") }
        let count = try DatabaseQueue(path: target.database).read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM asset")
        }
        guard count == assets else {
            throw BenchmarkError(description: "\(count ?? 0) of \(assets) assets arrived.")
        }
        let peer = try CloudMetadata.insert(rowsOf: target)
        report.print(
            Report.Case(
                suite: "cloud",
                name: "first session of a new device, \(assets) assets, \(store.name)",
                ours: ours,
                peer: peer,
                peerName: "the same rows and indexes, plain SQLite",
                unit: "s"
            )
        )
    }
}
