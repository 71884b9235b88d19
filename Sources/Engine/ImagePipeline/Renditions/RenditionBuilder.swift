internal import Dispatch
internal import Foundation
internal import GRDB
package import LibraryService
package import PhotoLibrary
internal import PhotoModel
internal import Synchronization

/// Makes missing renditions and counts the existing ones.
///
/// Existing renditions are kept, so an interrupted build continues where it stopped. Thread-safe;
/// calls block their thread.
package final class RenditionBuilder: Sendable {
    /// The number of assets per batch.
    private static let batch = 500

    private struct Candidate: Sendable {
        var id: Int64
        var uuid: String
        var contentVersion: Int
        /// Indicates whether the image fits in the smallest size class and therefore never needs
        /// renditions.
        var isSmall: Bool

        init(_ row: Row) {
            id = row["id"]
            uuid = row["uuid"]
            contentVersion = row["contentVersion"]
            let side: Int = max(row["pixelWidth"], row["pixelHeight"])
            isSmall = (1...RenditionStore.firstSizeClass).contains(side)
        }
    }

    private let store: LibraryStore
    private let renditions: RenditionStore
    private let sweeper: RenditionSweeper
    private let loader: ImageLoader
    /// The number of renditions made concurrently.
    private let width: Int

    /// The state of the library and of the renditions' file for which a count is valid.
    private struct Basis: Equatable {
        let version: Int64
        let file: RenditionFile.Stamp
    }

    /// The latest counts, with and without hidden assets.
    private let counted = Mutex<[Bool: (basis: Basis, reply: RenditionStatusReply)]>([:])
    private let visits = Atomic(0)

    /// The number of assets that were visited so far to count renditions.
    package var visitedAssets: Int { visits.load(ordering: .relaxed) }

    package init(
        store: LibraryStore,
        renditions: RenditionStore,
        sweeper: RenditionSweeper,
        loader: ImageLoader,
        width: Int
    ) {
        self.store = store
        self.renditions = renditions
        self.sweeper = sweeper
        self.loader = loader
        self.width = width
    }

    // MARK: - Status

    /// Returns the number of renditions, of all assets or only of those that are not hidden.
    ///
    /// Counting visits all assets, so the result is kept until the library or the file of the
    /// renditions changes.
    package func status(includesHidden: Bool = true) throws -> RenditionStatusReply {
        let basis = Basis(version: try store.presentVersion().version, file: renditions.file.stamp)
        if let known = counted.withLock({ $0[includesHidden] }), known.basis == basis {
            return known.reply
        }
        let reply = try count(includesHidden: includesHidden)
        // A later write within the resolution of the file's times would not be noticed.
        if basis.file.isSettled { counted.withLock { $0[includesHidden] = (basis, reply) } }
        return reply
    }

    private func count(includesHidden: Bool) throws -> RenditionStatusReply {
        var assets = 0
        var current = RenditionStore.sizeClasses.map { _ in 0 }
        var last: Int64 = 0
        while true {
            let candidates = try candidates(
                after: last,
                limit: Self.batch,
                includesHidden: includesHidden
            )
            guard let end = candidates.last else { break }
            last = end.id
            assets += candidates.count
            visits.add(candidates.count, ordering: .relaxed)
            for (index, sizeClass) in RenditionStore.sizeClasses.enumerated() {
                let missing = missing(of: candidates, sizeClass)
                current[index] += candidates.count - missing.count
            }
        }
        let outdated = try sweeper.outdatedCounts(includesHidden: includesHidden)
        return RenditionStatusReply(
            path: store.bundle.renditions,
            bytes: renditions.file.length,
            assets: assets,
            sizeClasses: zip(RenditionStore.sizeClasses, current).map { side, current in
                .init(side: side, current: current, outdated: outdated[side] ?? 0)
            }
        )
    }

    private func candidates(
        after id: Int64,
        limit: Int,
        includesHidden: Bool = true
    ) throws -> [Candidate] {
        try store.read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT id, uuid, contentVersion, pixelWidth, pixelHeight FROM asset
                        WHERE id > ? AND trashedDate IS NULL AND isHidden <= ?
                        ORDER BY id LIMIT ?
                        """
                ),
                arguments: [id, includesHidden, limit]
            ).map(Candidate.init)
        }
    }

    /// Returns the given assets, with or without those in Recently Deleted.
    private func candidates(_ uuids: [String], includesTrashed: Bool) throws -> [Candidate] {
        try store.read { database in
            let marks = Array(repeating: "?", count: uuids.count).joined(separator: ", ")
            return try Row.fetchAll(
                database,
                sql: """
                    SELECT id, uuid, contentVersion, pixelWidth, pixelHeight FROM asset
                    WHERE uuid IN (\(marks)) AND (? OR trashedDate IS NULL)
                    """,
                arguments: StatementArguments(uuids) + [includesTrashed]
            ).map(Candidate.init)
        }
    }

    private func missing(of candidates: [Candidate], _ sizeClass: Int) -> [Candidate] {
        let there = renditions.contents(of: candidates.map(\.uuid), sizeClass: sizeClass)
        return candidates.filter { !$0.isSmall && there[$0.uuid] != $0.contentVersion }
    }

    // MARK: - Building

    /// Makes the missing renditions of a slice of the library.
    ///
    /// - Throws: `invalidRequest` for an unknown size, `workerUnavailable`, `noSpace`, `cancelled`,
    ///   or the error of reading the library. An image that cannot be decoded is reported in the
    ///   reply and not thrown.
    package func build(
        _ request: RenditionBuildRequest,
        cancellation: RequestCancellation = RequestCancellation()
    ) throws -> RenditionBuildReply {
        guard RenditionStore.sizeClasses.contains(request.side) else {
            let sides = RenditionStore.sizeClasses.map(String.init).joined(separator: " and ")
            throw LibraryError(
                .invalidRequest,
                "There are no thumbnails of \(request.side) pixels.",
                recovery: "The available sizes are \(sides)."
            )
        }
        if request.cursor == nil { try sweeper.removeOutdated() }
        let candidates = try candidates(after: request.cursor ?? 0, limit: Self.batch)
        let missing = missing(of: candidates, request.side)
        let limit = max(1, request.limit)
        let chosen = Array(missing.prefix(limit))
        // The slice also includes the assets in between that already have a rendition, since they
        // cost nothing.
        let end =
            missing.count > limit
            ? candidates.prefix { $0.id < missing[limit].id } : candidates[...]
        let outcomes = try make(chosen, request.side, cancellation)
        var reply = RenditionBuildReply(
            assets: end.count,
            made: [],
            failures: [],
            next: missing.count > limit || candidates.count == Self.batch ? end.last?.id : nil
        )
        for (candidate, error) in zip(chosen, outcomes) {
            let identifier = candidate.uuid + ObjectKind.asset.identifierSuffix
            if let error {
                reply.failures.append(.init(localIdentifier: identifier, error: error))
            } else {
                reply.made.append(identifier)
            }
        }
        return reply
    }

    /// Makes the renditions that remain stored when photos' originals are removed: a small one for
    /// grids, and one of up to 2,048 pixels.
    ///
    /// - Parameter assets: The UUIDs of the photos.
    /// - Returns: Those that have both now. Small pictures are never made into renditions, and
    ///   those that cannot be decoded have none.
    /// - Throws: The errors of reading the library.
    package func makeRemaining(of assets: [String]) throws -> Set<String> {
        let sizeClasses = [RenditionStore.firstSizeClass, RenditionStore.remainingSizeClass]
        var remaining: Set<String> = []
        var rest = assets[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(Self.batch))
            rest = rest.dropFirst(batch.count)
            let candidates = try candidates(batch, includesTrashed: true).filter { !$0.isSmall }
            for sizeClass in sizeClasses {
                // A failure concerns one picture or all of them: what counts is what is there then.
                _ = try? make(missing(of: candidates, sizeClass), sizeClass, RequestCancellation())
            }
            remaining.formUnion(candidates.lazy.map(\.uuid))
            for sizeClass in sizeClasses {
                remaining.subtract(missing(of: candidates, sizeClass).map(\.uuid))
            }
        }
        return remaining
    }

    /// Permits removed originals to be downloaded again if the renditions kept in their place were
    /// lost.
    ///
    /// They are lost, for example, if the file of the renditions was damaged. A photo that is shown
    /// by the file of its edit does not need them: the files of edits are never removed.
    package func requestLostPictures() throws {
        var last: Int64 = 0
        while true {
            let removed = try store.removedAssets(after: last, limit: Self.batch)
            guard let end = removed.last else { return }
            // Of a photo that is shown in place of its twin, that one may have the renditions.
            if last == 0 { try sweeper.sweep() }
            last = end.id
            let there = renditions.contents(
                of: removed.map(\.uuid),
                sizeClass: RenditionStore.remainingSizeClass
            )
            let without = removed.filter {
                $0.showsOriginal && there[$0.uuid] != $0.contentVersion
            }
            try store.forgetRemovals(ofAssets: without.map(\.id))
        }
    }

    private func make(
        _ candidates: [Candidate],
        _ sizeClass: Int,
        _ cancellation: RequestCancellation
    ) throws -> [LibraryError?] {
        let outcomes = Mutex([LibraryError?](repeating: nil, count: candidates.count))
        let next = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: min(width, candidates.count)) { _ in
            while !cancellation.isCancelled {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < candidates.count else { return }
                let error = makeOne(candidates[index].uuid, sizeClass, cancellation)
                outcomes.withLock { $0[index] = error }
            }
        }
        try cancellation.check()
        let all = outcomes.withLock { $0 }
        // A missing worker or a full volume is not specific to an image.
        let general = all.lazy.compactMap(\.self).first { error in
            error.code == .workerUnavailable || error.path == self.renditions.file.path
        }
        if let general { throw general }
        return all
    }

    private func makeOne(
        _ uuid: String,
        _ sizeClass: Int,
        _ cancellation: RequestCancellation
    ) -> LibraryError? {
        do {
            try loader.makeRendition(
                of: uuid,
                sizeClass: sizeClass,
                priority: .background,
                cancellation: cancellation
            )
            return nil
        } catch let error as LibraryError {
            // The asset was deleted meanwhile.
            return error.code == .identifierNotFound ? nil : error
        } catch {
            return LibraryError(.internalError, "\(error)")
        }
    }

    /// Makes the rendition of an asset unless it already has one of sufficient quality.
    func makeIfMissing(_ uuid: String, _ sizeClass: Int, _ cancellation: RequestCancellation) {
        guard let candidates = try? candidates([uuid], includesTrashed: false),
            !missing(of: candidates, sizeClass).isEmpty
        else { return }
        _ = makeOne(uuid, sizeClass, cancellation)
    }
}
