import CBenchmarkPeers
import Foundation
import Photos
import PhotosManagement

/// Measures albums and smart albums of a large library against plain SQL with the same results.
struct CollectionsSuite {
    let assets: Int
    let albums: Int
    let rounds: Int

    private var largeAlbum: Int { min(100_000, assets / 10) }

    func run(_ report: Report) throws {
        let library = try SyntheticLibrary()
        try library.fill(assets: assets)
        try library.fillAlbums(count: albums, largest: largeAlbum)
        try MomentsSuite(library: library, assets: assets, rounds: rounds).run(report)
        try counts(library, report)
        try members(library, report)
        try list(library, report)
    }

    /// Fetches all smart albums with their counts and dates.
    private func counts(_ library: SyntheticLibrary, _ report: Report) throws {
        var cold: [Double] = []
        var warm: [Double] = []
        var peer: [Double] = []
        for _ in 0..<rounds {
            let bundle = try PhotoLibraryBundle.open(at: library.url)
            bundle.using {
                blackHole(PHAsset.fetchAssets(withLocalIdentifiers: ["x"], options: nil).count)
                cold.append(seconds { blackHole(countAll()) })
                warm.append(seconds { blackHole(countAll()) })
            }
            peer.append(
                seconds { blackHole(cphotos_peer_step_ids(library.database, Self.countSQL)) }
            )
        }
        report.print(
            Report.Case(
                suite: "collections",
                name: "all smart albums with counts and dates, first time",
                ours: median(cold) * 1_000,
                peer: median(peer) * 1_000,
                peerName: "one SQL statement that counts them",
                unit: "ms",
                limit: 1.3
            )
        )
        report.print(
            Report.Case(
                suite: "collections",
                name: "all smart albums with counts and dates, warm",
                ours: median(warm) * 1_000,
                unit: "ms",
                limit: 50
            )
        )
    }

    private func countAll() -> Int {
        let result = PHAssetCollection.fetchAssetCollections(
            with: .smartAlbum,
            subtype: .any,
            options: nil
        )
        return (0..<result.count).reduce(0) { $0 + result[$1].estimatedAssetCount }
    }

    /// Opens an album and a smart album.
    private func members(_ library: SyntheticLibrary, _ report: Report) throws {
        let large = """
            SELECT assetId FROM albumAsset JOIN asset ON asset.id = assetId
            WHERE albumId = 1 AND isVisible = 1 ORDER BY position, assetId
            """
        let live = """
            SELECT id FROM asset WHERE isVisible = 1 AND mediaSubtypes & 8
            ORDER BY creationDate, id
            """
        let cases: [(String, String, () -> PHAssetCollection?)] = [
            (
                "an album of \(largeAlbum) opened", large,
                {
                    let options = PHFetchOptions()
                    options.predicate = NSPredicate(format: "title == 'Album 1'")
                    return PHAssetCollection.fetchAssetCollections(
                        with: .album,
                        subtype: .any,
                        options: options
                    ).firstObject
                }
            ),
            (
                "the smart album of Live Photos opened", live,
                {
                    PHAssetCollection.fetchAssetCollections(
                        with: .smartAlbum,
                        subtype: .smartAlbumLivePhotos,
                        options: nil
                    ).firstObject
                }
            ),
        ]
        for (name, sql, find) in cases {
            var ours: [Double] = []
            var peer: [Double] = []
            for _ in 0..<rounds {
                let bundle = try PhotoLibraryBundle.open(at: library.url)
                try bundle.using {
                    guard let album = find() else {
                        throw BenchmarkError(description: "There is no album for \(name)")
                    }
                    var count = 0
                    ours.append(
                        seconds { count = PHAsset.fetchAssets(in: album, options: nil).count }
                    )
                    let expected = cphotos_peer_step_ids(library.database, sql)
                    guard count == Int(expected), count == album.estimatedAssetCount else {
                        throw BenchmarkError(description: "\(name): \(count), not \(expected)")
                    }
                }
                peer.append(seconds { blackHole(cphotos_peer_step_ids(library.database, sql)) })
            }
            report.print(
                Report.Case(
                    suite: "collections",
                    name: name,
                    ours: median(ours) * 1_000,
                    peer: median(peer) * 1_000,
                    peerName: "C loop over SQLite",
                    unit: "ms",
                    limit: 1.3
                )
            )
        }
    }

    /// Lists all albums with titles and counts; creates an object for each.
    private func list(_ library: SyntheticLibrary, _ report: Report) throws {
        var ours: [Double] = []
        for _ in 0..<rounds {
            let bundle = try PhotoLibraryBundle.open(at: library.url)
            bundle.using {
                blackHole(PHAsset.fetchAssets(withLocalIdentifiers: ["x"], options: nil).count)
                ours.append(
                    seconds {
                        let result = PHAssetCollection.fetchAssetCollections(
                            with: .album,
                            subtype: .any,
                            options: nil
                        )
                        var length = 0
                        for index in 0..<result.count {
                            length += result[index].localizedTitle?.count ?? 0
                            length += result[index].estimatedAssetCount
                        }
                        blackHole(length)
                    }
                )
            }
        }
        report.print(
            Report.Case(
                suite: "collections",
                name: "\(albums) albums with titles and counts",
                ours: median(ours) * 1_000,
                unit: "ms",
                limit: nil
            )
        )
    }

    /// The counts in plain SQL, each from its index instead of a stored count.
    private static let countSQL: String = {
        let conditions =
            [1, 4, 8, 16, 64, 1_024, 131_072, 262_144, 524_288, 2_097_152].map {
                "mediaSubtypes & \($0)"
            } + [
                "1", "isFavorite = 1", "mediaType = 2", "length(burstIdentifier) > 0",
                "lensModel LIKE '%front%'", "exposureTime >= 1", "hasRAW = 1",
                "addedDate >= strftime('%s', 'now') - 978307200 - 30 * 86400",
            ]
        return conditions.map { "SELECT count(*) FROM asset WHERE isVisible = 1 AND \($0)" }
            .joined(separator: " UNION ALL ")
    }()
}
