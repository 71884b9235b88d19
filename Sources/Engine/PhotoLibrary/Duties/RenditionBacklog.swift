internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// Selects the assets whose first renditions are generated in the background.
///
///     new assets ──queued──▶ queue is empty: done up to the newest
///     the newest 20,000, a part each hour from the newest down ──▶ from the newest again
///
/// 1. New assets come first, whoever added them, also while the library was not open.
/// 2. Renditions that are missing nevertheless, since a process died or they were deleted, are
///    found by the parts. Opening the library often does not make the parts more frequent.
/// 3. The progress is recorded when the queue is empty. After a kill, the assets of the queue are
///    looked at again.
///
/// Must be used by one thread at a time.
package final class RenditionBacklog: Sendable {
    private static let partInterval: Double = 3_600

    private let store: LibraryStore
    private let limit: Int
    private let partSize: Int
    private let state = Mutex(State())

    private struct State {
        /// The recorded progress; nil until the record has been read.
        var record: RenditionRecord?
        /// The row id of the newest asset that was queued.
        var queued: Int64 = 0
    }

    /// Creates the backlog of a library.
    ///
    /// - Parameters:
    ///   - store: The library.
    ///   - limit: The number of the newest assets that are looked at.
    ///   - partSize: The number of assets of a part.
    package init(store: LibraryStore, limit: Int, partSize: Int = 1_000) {
        self.store = store
        self.limit = limit
        self.partSize = partSize
    }

    /// Returns the assets to queue now, the newest last.
    ///
    /// - Parameter isIdle: Whether those that were returned before have their renditions.
    /// - Returns: The UUIDs of new assets. If there are none, those of a part of the others, once
    ///   an hour.
    /// - Throws: The error of reading the library, or of writing the record.
    package func next(isIdle: Bool) throws -> [String] {
        try noteProgress(isIdle: isIdle)
        let queued = state.withLock(\.queued)
        let new = try store.newestAssets(after: queued, limit: limit)
        if let last = new.last {
            state.withLock { $0.queued = last }
            return new.uuids
        }
        return isIdle ? try part() : []
    }

    /// Records, if `isIdle` is true, that all assets returned so far have their renditions.
    ///
    /// - Throws: The error of writing the record.
    package func noteProgress(isIdle: Bool) throws {
        let record = state.withLock { state -> RenditionRecord? in
            guard var record = state.record else {
                let record = RenditionRecord.read(of: store.bundle) ?? RenditionRecord()
                state.record = record
                state.queued = max(0, record.newest)
                return nil
            }
            guard isIdle, record.newest != state.queued else { return nil }
            record.newest = state.queued
            return record
        }
        if let record { try keep(record) }
    }

    /// Returns the UUIDs of the assets in the next part of a pass from the newest asset to older
    /// ones; empty if no part is due.
    private func part() throws -> [String] {
        guard var record = state.withLock(\.record) else { return [] }
        let now = store.now.timeIntervalSinceReferenceDate
        // A clock that is set back makes a part due as well.
        guard !(record.time..<record.time + Self.partInterval).contains(now) else { return [] }
        let position = record.position > 0 ? record.position : record.newest + 1
        let size = min(partSize, limit - record.count)
        let assets = try store.newestAssets(before: position, limit: max(0, size))
        record.time = now
        record.count += assets.uuids.count
        record.position = assets.first ?? 0
        if assets.uuids.isEmpty || record.count >= limit {
            (record.position, record.count) = (0, 0)
        }
        try keep(record)
        return assets.uuids
    }

    private func keep(_ record: RenditionRecord) throws {
        state.withLock { $0.record = record }
        do throws(SystemError) {
            try record.write(to: store.bundle)
        } catch {
            throw error.libraryError(doing: "write")
        }
    }
}

/// The progress of a `RenditionBacklog`.
struct RenditionRecord: DutyRecord {
    static let limitInBytes = 1 << 12

    /// The row id of the newest asset that had been queued when the queue was last empty.
    ///
    /// Assets with higher row ids count as new.
    var newest: Int64 = 0
    /// The row id of the oldest asset of the last part; 0 to begin with the newest asset.
    var position: Int64 = 0
    /// The number of assets in the parts that the current pass has returned so far.
    ///
    /// A pass begins with the newest asset.
    var count = 0
    /// The time of the last part, in seconds since 2001.
    var time: Double = 0

    static func path(in bundle: LibraryBundle) -> String { bundle.rendered }
}
