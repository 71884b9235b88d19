import CBenchmarkPeers
import Foundation
import Photos
import PhotosManagement

/// Measures fetching a million assets against a C loop over SQLite with the same statement.
struct FetchSuite {
    let assets: Int
    let rounds: Int

    func run(_ report: Report) throws {
        let library = try SyntheticLibrary()
        try library.fill(assets: assets)
        try byDate(library, report)
        try byPredicate(library, report)
    }

    private func byDate(_ library: SyntheticLibrary, _ report: Report) throws {
        let options = PHFetchOptions()
        options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: true)]
        let sql = "SELECT id FROM asset WHERE isVisible = 1 ORDER BY creationDate, id"
        var first: [Double] = []
        var again: [Double] = []
        var peer: [Double] = []
        for _ in 0..<rounds {
            // Each round opens the library again, so that nothing is cached from the last round.
            let bundle = try PhotoLibraryBundle.open(at: library.url)
            try bundle.using {
                // The first fetch of a program opens a reader, which is not measured.
                blackHole(PHAsset.fetchAssets(withLocalIdentifiers: ["x"], options: nil).count)
                var count = 0
                first.append(seconds { count = PHAsset.fetchAssets(with: options).count })
                again.append(seconds { count = PHAsset.fetchAssets(with: options).count })
                let expected = cphotos_peer_step_ids(library.database, sql)
                guard count == Int(expected) else {
                    throw BenchmarkError(description: "\(count) assets fetched, not \(expected)")
                }
            }
            peer.append(seconds { blackHole(cphotos_peer_step_ids(library.database, sql)) })
        }
        report.print(
            Report.Case(
                suite: "fetch",
                name: "\(assets) assets by date",
                ours: median(first) * 1_000,
                peer: median(peer) * 1_000,
                peerName: "C loop over SQLite",
                unit: "ms",
                limit: 1.2
            )
        )
        report.print(
            Report.Case(
                suite: "fetch",
                name: "the same again, nothing changed",
                ours: median(again) * 1_000,
                peer: median(first) * 1_000,
                peerName: "first fetch",
                unit: "ms",
                limit: 0.05
            )
        )
    }

    /// Measures fetches by predicate, for information only: they have no limit.
    private func byPredicate(_ library: SyntheticLibrary, _ report: Report) throws {
        let cases = [
            ("videos", "mediaType == 2", "mediaType = 2"),
            ("favorites", "isFavorite == YES", "isFavorite = 1"),
            (
                "a month", "creationDate BETWEEN {%@, %@}",
                "creationDate BETWEEN 400000000 AND 402592000"
            ),
        ]
        let dates = [400_000_000.0, 402_592_000].map(Date.init(timeIntervalSinceReferenceDate:))
        for (name, format, condition) in cases {
            let options = PHFetchOptions()
            options.predicate = NSPredicate(format: format, argumentArray: dates)
            let sql = """
                SELECT id FROM asset WHERE isVisible = 1 AND \(condition) ORDER BY creationDate, id
                """
            var ours: [Double] = []
            var peer: [Double] = []
            for _ in 0..<rounds {
                let bundle = try PhotoLibraryBundle.open(at: library.url)
                bundle.using {
                    blackHole(PHAsset.fetchAssets(withLocalIdentifiers: ["x"], options: nil).count)
                    ours.append(seconds { blackHole(PHAsset.fetchAssets(with: options).count) })
                }
                peer.append(seconds { blackHole(cphotos_peer_step_ids(library.database, sql)) })
            }
            report.print(
                Report.Case(
                    suite: "fetch",
                    name: name,
                    ours: median(ours) * 1_000,
                    peer: median(peer) * 1_000,
                    peerName: "C loop over SQLite",
                    unit: "ms",
                    limit: nil
                )
            )
        }
    }
}
