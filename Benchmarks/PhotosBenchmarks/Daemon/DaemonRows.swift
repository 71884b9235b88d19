import Foundation
import LibraryService
import PhotoModel
import RemoteLibrary

/// Rows that compare a call through the daemon with the same call to the engine in this process.
struct DaemonRows {
    let embedded: any LibraryService
    let remote: RemoteLibrary
    let rounds: Int
    let report: Report

    private var repetitions: Int { rounds * 100 }

    /// The shortest call.
    func status() throws {
        let times = try inTurn { _ = try $0.status() }
        print("status, p50", times.remote.middle, "µs", nil)
        print("status, p95", times.remote.high, "µs", 150)
        print("status by the engine in this process, p50", times.embedded.middle, "µs", nil)
    }

    /// One page of records.
    func records(of assets: Int) throws {
        let ids = try embedded.fetch(AssetFetchRequest()).ids
        var page = 0
        let times = try inTurn { library in
            page += 1
            let start = page * 7_919 % max(1, ids.count - 100)
            let part = RowIDBuffer(Array(ids[start..<min(ids.count, start + 100)]))
            _ = try library.loadAssets(AssetLoadRequest(ids: part))
        }
        let excess = (
            times.remote.middle - times.embedded.middle, times.remote.high - times.embedded.high
        )
        print("100 records of \(assets), longer than in this process, p50", excess.0, "µs", 400)
        print("100 records of \(assets), longer than in this process, p95", excess.1, "µs", 1_000)
    }

    /// All row ids of the library.
    func identifiers(of assets: Int) throws {
        var request = AssetFetchRequest()
        request.sort = [.init("creationDate", ascending: true)]
        let times = try inTurn(rounds * 5) { blackHole(try $0.fetch(request).ids.count) }
        let excess = (times.remote.middle - times.embedded.middle) / 1_000
        print("\(assets) assets fetched, longer than in this process, p50", excess, "ms", 6)
    }

    /// Durable changes.
    func favorites(among assets: Int) throws {
        let uuids = try uuids(rounds * 50)
        var turn = 0
        let times = try inTurn(uuids.count / 2) { library in
            let uuid = uuids[turn % uuids.count]
            turn += 1
            try library.commit([ChangesSuite.edit(uuid, isFavorite: true)])
        }
        compare("one favorite among \(assets) assets, durable, p50", times, limit: 1.1)
    }

    /// What one change does to a result of all assets.
    func details(of assets: Int) throws {
        var request = AssetFetchRequest()
        request.sort = [.init("creationDate", ascending: true)]
        let before = (
            embedded: try embedded.fetch(request), remote: try remote.fetch(request)
        )
        let first = try embedded.loadAssets(
            AssetLoadRequest(ids: RowIDBuffer([before.embedded.ids[assets / 2]]))
        ).assets
        guard let uuid = first.first?.uuid else { throw BenchmarkError(description: "No asset.") }
        try embedded.commit([ChangesSuite.edit(uuid, isFavorite: true)])
        let times = try inTurn(rounds * 5) { library in
            let basis = library is RemoteLibrary ? before.remote : before.embedded
            let reply = try library.advance(
                AdvanceRequest(query: .assets(request), ids: basis.ids, snapshot: basis.snapshot)
            )
            guard case .steps = reply.outcome else {
                throw BenchmarkError(description: "The details of one change are missing.")
            }
        }
        print("details of 1 change in \(assets) assets, p50", times.remote.middle / 1_000, "ms", 4)
        print(
            "the same by the engine in this process, p50",
            times.embedded.middle / 1_000,
            "ms",
            nil
        )
    }

    /// Images of 256 pixels from their renditions.
    func images() throws {
        let uuids = try uuids(1_000)
        let size = PixelSize(width: 256, height: 256)
        var turn = 0
        let times = try inTurn { library in
            // Both get the same images, one after the other.
            let uuid = uuids[turn / 2 % uuids.count]
            turn += 1
            let request = ImageRequest(assetUUID: uuid, shape: PixelShape(size: size))
            // As image requests of programs do.
            let found =
                if let connected = library as? any ConnectedLibrary {
                    try connected.readyImage(request)
                } else {
                    try library.image(request)
                }
            guard let (reply, pixels) = found, !reply.isDegraded else {
                throw BenchmarkError(description: "There is no image of \(uuid).")
            }
            blackHole(pixels)
        }
        compare("an image of 256 px from its rendition, p50", times, limit: 1.2)
        print("the same, p95", times.remote.high / 1_000, "ms", 5)
    }

    /// Returns the identifiers of the library's first assets.
    private func uuids(_ count: Int) throws -> [String] {
        let ids = try embedded.fetch(AssetFetchRequest()).ids.prefix(count)
        return try embedded.loadAssets(AssetLoadRequest(ids: RowIDBuffer(Array(ids)))).assets
            .map(\.uuid)
    }

    // MARK: - Measuring

    /// Times of calls in microseconds.
    private struct Times {
        private let sorted: [Double]

        init(_ seconds: [Double]) { sorted = seconds.map { $0 * 1_000_000 }.sorted() }

        var middle: Double { median(sorted) }
        var high: Double { sorted[min(sorted.count - 1, sorted.count * 95 / 100)] }
    }

    /// Makes a call to both in turn, after some that are not measured.
    private func inTurn(
        _ count: Int? = nil,
        _ call: (any LibraryService) throws -> Void
    ) throws -> (embedded: Times, remote: Times) {
        for _ in 0..<2 {
            try call(embedded)
            try call(remote)
        }
        var times: (embedded: [Double], remote: [Double]) = ([], [])
        for _ in 0..<max(1, count ?? repetitions) {
            times.embedded.append(try seconds { try call(embedded) })
            times.remote.append(try seconds { try call(remote) })
        }
        return (Times(times.embedded), Times(times.remote))
    }

    /// Prints the ratio of the medians.
    private func compare(
        _ name: String,
        _ times: (embedded: Times, remote: Times),
        limit: Double
    ) {
        report.print(
            Report.Case(
                suite: "daemon",
                name: name,
                ours: times.remote.middle / 1_000,
                peer: times.embedded.middle / 1_000,
                peerName: "the engine in this process",
                unit: "ms",
                limit: limit
            )
        )
    }

    private func print(_ name: String, _ figure: Double, _ unit: String, _ limit: Double?) {
        report.print(
            Report.Case(suite: "daemon", name: name, ours: figure, unit: unit, limit: limit)
        )
    }
}
