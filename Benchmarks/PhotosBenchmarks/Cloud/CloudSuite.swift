import EmbeddedLibrary
import Foundation

/// Measures a cloud library: files on their way to the store and back, all metadata on a new
/// device, and durable changes.
struct CloudSuite {
    let assets: Int
    let files: Int
    let rounds: Int

    func run(_ report: Report) throws {
        if files > 0 {
            try CloudTransfer(files: files, rounds: min(rounds, 3), report: report).run()
        }
        try CloudMetadata(assets: assets, report: report).run()
        try CloudBootstrap(assets: assets, report: report).run()
        for count in Set([min(100_000, assets), assets]).sorted() {
            let library = try SyntheticLibrary()
            try library.fill(assets: count)
            try CloudMetadata.join(library, device: 1)
            let times = try ChangesSuite(assets: count, rounds: rounds)
                .favorites(try EmbeddedLibrary.open(at: library.url.path), library, count)
            report.print(
                Report.Case(
                    suite: "cloud",
                    name: "one favorite among \(count) assets of a cloud library, durable",
                    ours: times.ours,
                    peer: times.peer,
                    peerName: ChangesSuite.peerName,
                    unit: "ms",
                    limit: 1.5
                )
            )
        }
    }
}
