import Foundation
import Glibc
import LibraryService
import PhotoModel
import Photos
import Synchronization
import TestSupport

/// A fake that changes: a plain list with versions.
extension FakeLibrary {
    var snapshot: LibrarySnapshot {
        state.withLock { LibrarySnapshot(version: $0.past.version, epoch: $0.past.epoch) }
    }

    /// Changes some assets as one transaction, and notifies the subscribers.
    ///
    /// - Parameters:
    ///   - touched: The row ids of the changed assets.
    ///   - collections: The row ids of changed albums and folders.
    ///   - change: The closure that makes the change.
    func commit(
        touching touched: [Int64],
        collections: [Int64] = [],
        _ change: (inout [AssetRecord]) -> Void = { _ in }
    ) {
        let subscribers = state.withLock { state in
            change(&state.assets)
            state.past.commits.append(FakeHistory.Commit(assets: touched, collections: collections))
            return state.past.signals ? state.past.subscribers : []
        }
        for number in subscribers {
            var byte: UInt8 = 1
            _ = write(number, &byte, 1)
        }
    }

    /// Marks an asset as a favorite, as one transaction.
    func toggle(_ id: Int64) {
        commit(touching: [id]) { assets in
            for index in assets.indices where assets[index].id == id {
                assets[index].isFavorite.toggle()
            }
        }
    }

    /// Removes an asset, as one transaction.
    func remove(_ id: Int64) {
        commit(touching: [id]) { $0.removeAll { $0.id == id } }
    }

    func subscribe() throws(LibraryError) -> Descriptor {
        try failIfAsked()
        let action = state.withLock { state in
            defer { state.whileSubscribing = nil }
            return state.whileSubscribing
        }
        action?()
        // A subscriber of commits may have stopped listening.
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw LibraryError(.inputOutput, "There is no pipe.")
        }
        state.withLock { state in
            state.past.subscriptions += 1
            if state.past.isDeaf {
                Glibc.close(ends[1])
            } else {
                state.past.subscribers.append(ends[1])
            }
        }
        Signals.send()
        return Descriptor(owning: ends[0])
    }

    func pin() throws(LibraryError) -> PinReply {
        try failIfAsked()
        let present = snapshot
        return state.withLock { state in
            let pin = state.past.nextPin
            state.past.nextPin += 1
            state.past.pins[pin] = present
            return PinReply(pin: pin, snapshot: present)
        }
    }

    func unpin(_ request: UnpinRequest) throws(LibraryError) {
        state.withLock { state in
            state.past.pins[request.pin] = nil
        }
        Signals.send()
    }

    func touched(_ request: TouchedRequest) throws(LibraryError) -> TouchedReply {
        try failIfAsked()
        let past = state.withLock(\.past)
        guard request.since >= past.start else {
            throw LibraryError(.historyExpired, "That was forgotten.")
        }
        return past.touched(since: request.since, through: request.through)
    }

    func advanceHeld(_ request: HeldAdvanceRequest) throws(LibraryError) -> HeldAdvanceReply {
        .unknown
    }

    /// Fetches again and compares.
    ///
    /// Pins apply to versions, not to values: tests do not commit during requests.
    func advance(_ request: AdvanceRequest) throws(LibraryError) -> AdvanceReply {
        try failIfAsked()
        guard case .assets(let query) = request.query else {
            throw LibraryError(.internalError, "The fake has no collections.")
        }
        let (past, all) = state.withLock { state in
            state.past.advances += 1
            return (state.past, state.requests)
        }
        let ids = try fetch(query).ids
        state.withLock { $0.requests = all }
        let to = request.pin.flatMap { past.pins[$0] } ?? snapshot
        let touched = past.touched(since: request.snapshot.version, through: to.version)
        let changed = Set(touched.assets).intersection(ids).intersection(request.ids)
        if ids == request.ids, changed.isEmpty {
            return AdvanceReply(snapshot: to, outcome: .unchanged)
        }
        guard request.wantsSteps, request.snapshot.version >= past.start else {
            return AdvanceReply(snapshot: to, outcome: .reload(ids))
        }
        let steps = ListSteps(from: request.ids, to: ids, changed: changed)
        return AdvanceReply(snapshot: to, outcome: .steps(ids, steps))
    }

    func objectChanges(_ request: ObjectChangesRequest) throws(LibraryError) -> ObjectChangesReply {
        try failIfAsked()
        let (past, assets) = state.withLock { state in
            state.past.objectChanges += 1
            return (state.past, state.assets)
        }
        let to = request.pin.flatMap { past.pins[$0] } ?? snapshot
        let touched = Set(past.touched(since: request.since, through: to.version).assets)
        let outcomes = request.ids.map { id -> ObjectChangesReply.Outcome in
            guard let asset = assets.first(where: { $0.id == id }) else { return .deleted }
            guard touched.contains(id) else { return .unchanged }
            return .asset(asset, contentChanged: asset.hasAdjustments)
        }
        return ObjectChangesReply(version: to.version, outcomes: outcomes)
    }

    func history(_ request: HistoryRequest) throws(LibraryError) -> HistoryReply {
        try failIfAsked()
        let past = state.withLock(\.past)
        guard request.since >= past.start else {
            throw LibraryError(
                .historyExpired,
                "History was pruned.",
                reason: "It begins at \(past.start)."
            )
        }
        let stamp = FakeHistory.stamp(of: request.since)
        guard request.stamp == nil || request.stamp == stamp else {
            throw LibraryError(
                .historyExpired,
                "Another version.",
                reason: "The library was restored to an older state."
            )
        }
        let versions = (request.since..<past.version).prefix(request.limit).map { version in
            HistoryVersion(
                version: version + 1,
                time: FakeHistory.time(of: version + 1),
                author: "test",
                previous: FakeHistory.stamp(of: version),
                changes: past.commits[Int(version - 1)].assets.map { id in
                    HistoryChange(
                        object: .asset,
                        uuid: Self.uuid(Int(id)),
                        kind: .updated,
                        contentChanged: false,
                        properties: ["isFavorite"]
                    )
                }
            )
        }
        return HistoryReply(versions: versions, current: past.version, stamp: stamp)
    }
}
