import EmbeddedLibrary
import Foundation
import LibraryService
import PhotoLibrary
import PhotoModel

/// Measures change details against fetching again and comparing, and how soon other processes
/// receive a commit.
struct ObserveSuite {
    let assets: Int
    let rounds: Int

    func run(_ report: Report) throws {
        let library = try comparing(report)
        try CommitLatency(library: library.url.path).run(report)
    }

    /// Measures what has a peer.
    ///
    /// - Returns: The library, whose folder is removed with it.
    @discardableResult
    func comparing(_ report: Report) throws -> SyntheticLibrary {
        let library = try SyntheticLibrary()
        try library.fill(assets: assets)
        let store = try LibraryStore.open(at: library.url.path)
        var byDate = AssetFetchRequest()
        byDate.sort = [.init("creationDate", ascending: true)]
        for count in [1, 100, 10_000] where count <= assets / 4 {
            try details(
                "\(count) changes in \(assets) assets by date",
                byDate,
                in: library,
                limit: count == 1 ? 0.02 : nil,
                report
            ) { ids, random in
                try Self.redate(ids.shuffled(using: &random).prefix(count), in: store, &random)
            }
        }
        try album(of: min(100_000, assets / 2), in: library, store, report)
        return library
    }

    private func album(
        of count: Int,
        in library: SyntheticLibrary,
        _ store: LibraryStore,
        _ report: Report
    ) throws {
        let record = CollectionRecord(
            id: 0,
            uuid: UUID().uuidString,
            kind: .album,
            title: "Large",
            parentID: 0,
            position: 0,
            creationDate: Date()
        )
        let all = try AssetFetcher(store: store).fetch(AssetFetchRequest()).ids
        let id = try store.write(author: "benchmark") { transaction in
            let id = try transaction.insertCollection(record)
            try transaction.appendMembers(Array(all.prefix(count)), to: id)
            return id
        }
        let request = AssetFetchRequest(scope: .album(record.uuid))
        for moved in [1, 100] {
            try details(
                "\(moved) moved in an album of \(count)",
                request,
                in: library,
                limit: nil,
                report
            ) { ids, random in
                try store.write(author: "benchmark") { transaction in
                    for asset in ids.shuffled(using: &random).prefix(moved) {
                        let anchor = ids.randomElement(using: &random)
                        try transaction.placeMembers([asset], in: id, after: anchor)
                    }
                }
            }
        }
    }

    /// Measures ours and the peer's in turn, after a change in each round.
    private func details(
        _ name: String,
        _ request: AssetFetchRequest,
        in library: SyntheticLibrary,
        limit: Double?,
        _ report: Report,
        change: (RowIDBuffer, inout SystemRandomNumberGenerator) throws -> Void
    ) throws {
        var random = SystemRandomNumberGenerator()
        let service = try EmbeddedLibrary.open(at: library.url.path)
        let peerStore = try LibraryStore.open(at: library.url.path)
        var before = try service.fetch(request)
        // The first fetch of a program opens a connection, which is not measured.
        blackHole(try AssetFetcher(store: peerStore).fetch(request).ids.count)
        var ours: [Double] = []
        var peer: [Double] = []
        for _ in 0..<max(rounds, 1) {
            try change(before.ids, &random)
            var reply: AdvanceReply?
            ours.append(
                try seconds {
                    reply = try service.advance(
                        AdvanceRequest(
                            query: .assets(request),
                            ids: before.ids,
                            snapshot: before.snapshot
                        )
                    )
                }
            )
            var fetched: AssetFetchReply?
            peer.append(
                try seconds {
                    // A new fetcher has no cached result.
                    let again = try AssetFetcher(store: peerStore).fetch(request)
                    blackHole(ListSteps(from: before.ids, to: again.ids, changed: []))
                    fetched = again
                }
            )
            guard let reply, let fetched, case .steps(let ids, let steps) = reply.outcome,
                ids == fetched.ids, !steps.changed.isEmpty
            else {
                throw BenchmarkError(
                    description: "\(name): the details are not what a fetch gives."
                )
            }
            before = fetched
        }
        report.print(
            Report.Case(
                suite: "observe",
                name: name,
                ours: median(ours) * 1_000,
                peer: median(peer) * 1_000,
                peerName: "fetching again and comparing",
                unit: "ms",
                limit: limit
            )
        )
    }

    /// Gives assets other dates, so that they move.
    private static func redate(
        _ ids: some Sequence<Int64>,
        in store: LibraryStore,
        _ random: inout SystemRandomNumberGenerator
    ) throws {
        try store.write(author: "benchmark") { transaction in
            for id in ids {
                guard var record = try transaction.asset(id: id) else { continue }
                let time = Double.random(in: 150_000_000..<770_000_000, using: &random)
                record.creationDate = Date(timeIntervalSinceReferenceDate: time)
                try transaction.updateAsset(record, contentChanged: false)
            }
        }
    }
}
