import CBenchmarkPeers
import Foundation
import ImagePipeline
import PhotoLibrary
import PhotoModel
import Photos
import PhotosManagement
import SamplePhotos

/// Measures the moments of a large library while assets are added, and duplicates among many
/// fingerprints.
struct MomentsSuite {
    let library: SyntheticLibrary
    let assets: Int
    let rounds: Int

    func run(_ report: Report) throws {
        try grouping(report)
        try importing(report)
        try batches(report)
        try duplicates(report)
    }

    /// Opens a library that has no moments yet.
    private func grouping(_ report: Report) throws {
        let time = try seconds { _ = try PhotoLibraryBundle.open(at: library.url) }
        report.print(
            Report.Case(
                suite: "collections",
                name: "\(assets) assets grouped for the first time",
                ours: time,
                unit: "s",
                limit: nil
            )
        )
    }

    /// Adds one asset, and fetches all moments.
    private func importing(_ report: Report) throws {
        let store = try LibraryStore.open(at: library.url.path)
        let bundle = try PhotoLibraryBundle.open(at: library.url)
        var generator = SeededGenerator(seed: 1)
        var ours: [Double] = []
        var peer: [Double] = []
        for _ in 0..<rounds {
            let record = record(&generator)
            var count = 0
            ours.append(
                try seconds {
                    _ = try store.write(author: "benchmark") { try $0.insertAsset(record) }
                    count = bundle.using { PHAssetCollection.fetchMoments(with: nil).count }
                }
            )
            var expected: Int64 = 0
            peer.append(
                seconds { expected = cphotos_peer_step_ids(library.database, Self.momentsSQL) }
            )
            guard count == Int(expected) else {
                throw BenchmarkError(description: "\(count) moments, not \(expected)")
            }
        }
        report.print(
            Report.Case(
                suite: "collections",
                name: "moments after one import",
                ours: median(ours) * 1_000,
                peer: median(peer) * 1_000,
                peerName: "SQL that groups all assets",
                unit: "ms",
                limit: 1.3
            )
        )
    }

    /// Adds a thousand assets of all times in one commit.
    private func batches(_ report: Report) throws {
        let store = try LibraryStore.open(at: library.url.path)
        var generator = SeededGenerator(seed: 2)
        var times: [Double] = []
        for _ in 0..<rounds {
            let records = (0..<1_000).map { _ in record(&generator) }
            times.append(
                try seconds {
                    try store.write(author: "benchmark") { transaction in
                        for record in records { try transaction.insertAsset(record) }
                    }
                }
            )
        }
        report.print(
            Report.Case(
                suite: "collections",
                name: "an asset committed among 1,000 of all times, moments kept up",
                ours: median(times) * 1_000,
                unit: "µs",
                limit: nil
            )
        )
    }

    private func record(_ generator: inout SeededGenerator) -> AssetRecord {
        var record = AssetRecord(
            id: 0,
            uuid: UUID().uuidString,
            mediaType: .image,
            originalFilename: "IMG.JPG",
            contentType: "public.jpeg",
            addedDate: Date()
        )
        let seconds = Double.random(in: 150_000_000...770_000_000, using: &generator)
        record.creationDate = Date(timeIntervalSinceReferenceDate: seconds)
        record.location = Location(latitude: 48.1, longitude: 11.5)
        return record
    }

    /// Searches a hundred thousand pictures, of which one in a hundred has a duplicate.
    private func duplicates(_ report: Report) throws {
        var generator = SeededGenerator(seed: 3)
        var prints = (0..<100_000).map { _ in
            PictureFingerprint(
                across: generator.next(),
                down: generator.next(),
                colors: (0..<48).map { _ in UInt8.random(in: 0...255, using: &generator) },
                aspect: 1.5
            )
        }
        for index in 0..<1_000 {
            prints[99_999 - index] = prints[index]
            prints[99_999 - index].across ^= 0x8001_0001_0010
        }
        var times: [Double] = []
        for _ in 0..<rounds {
            var pairs = 0
            times.append(
                seconds { FingerprintIndex(prints).forEachPair { _, _ in pairs += 1 } }
            )
            guard pairs == 1_000 else {
                throw BenchmarkError(description: "\(pairs) pairs, not 1000")
            }
        }
        report.print(
            Report.Case(
                suite: "collections",
                name: "pairs among 100000 fingerprints",
                ours: median(times) * 1_000,
                unit: "ms",
                limit: nil
            )
        )
    }

    /// Splits moments at the end of a day and after pauses of six hours; all of the library's
    /// assets are in one place.
    private static let momentsSQL = """
        SELECT time FROM (
            SELECT time, lag(time) OVER (ORDER BY time, latitude, longitude) AS before
            FROM timeline)
        WHERE before IS NULL OR time - before > 21600000 OR time / 86400000 <> before / 86400000
        """
}
