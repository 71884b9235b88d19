internal import Foundation
internal import GRDB
internal import Glibc
internal import LibraryService
internal import Logging
internal import PhotoModel
internal import Synchronization

/// Reads all files of a library in the background, 1 % of the bytes a day, and compares them with
/// their rows.
///
///     due ──files until 1 % is read──▶ done for today ──next day: damaged files first──▶ due
///
/// 1. Files are read in the order of their rows and then from the first one on, so each is read
///    within about 100 days.
/// 2. Nothing in the library is locked or changed, except for the record.
/// 3. A damaged file is logged and recorded until it is repaired or its asset is deleted.
/// 4. The record is written when damage is found or gone, and otherwise at most every 30 seconds,
///    since each write wakes the processes that watch the folder. After a kill, files of that time
///    are read again.
///
/// One thread calls `step`; the other members are thread-safe.
package final class Scrubber: Sendable {
    private static let share: Int64 = 100
    private static let secondsPerDay: Double = 86_400

    private let store: LibraryStore
    private let check: FileCheck
    private let state = Mutex(State())

    private struct State {
        /// The progress; nil until the record has been read.
        var record: ScrubRecord?
        /// The total size of the library's files, with the day on which it was computed.
        ///
        /// It is computed once a day, since that takes a moment.
        var total: (day: Int, bytes: Int64)?
        var written: SuspendingClock.Instant?
        /// Indicates whether the progress in memory differs from the record on disk.
        var isChanged = false
    }

    private static let writeInterval = Duration.seconds(30)

    package init(store: LibraryStore) {
        self.store = store
        check = FileCheck(store: store)
    }

    /// Reads the next file, unless the day's limit of bytes is reached.
    ///
    /// - Parameter mayContinue: Called between parts of the file; false stops reading it.
    /// - Returns: False if there is nothing to do until the next day.
    /// - Throws: Errors of the database, and of writing the record.
    package func step(while mayContinue: () -> Bool) throws -> Bool {
        let day = Int(store.now.timeIntervalSinceReferenceDate / Self.secondsPerDay)
        var record = present
        if record.day != day {
            guard try recheck(&record, mayContinue) else { return true }
            (record.day, record.bytes) = (day, 0)
            try keep(record, writes: true)
        }
        guard record.bytes < max(1, try totalBytes(on: day) / Self.share) else {
            try keep(record, writes: true)
            return false
        }
        guard let next = try resource(after: record.position) ?? resource(after: 0) else {
            return false
        }
        guard let result = try read(next, mayContinue) else { return true }
        record.position = next.id
        // An empty file counts, so that a library of such files is not read all day.
        record.bytes += max(1, next.size)
        record.summary.date = store.now
        let former = record.summary.damages
        record.summary.damages.removeAll { $0.resource == next.id }
        if let found = result.damage, record.summary.damages.count < ScrubRecord.damageLimit {
            record.summary.damages.append(found)
        }
        try keep(record, writes: record.summary.damages != former)
        return true
    }

    /// The number of files that are recorded as damaged.
    package var damageCount: Int { present.summary.damages.count }

    private var present: ScrubRecord {
        state.withLock { state in
            let record = state.record ?? ScrubRecord.read(of: store.bundle) ?? ScrubRecord()
            state.record = record
            return record
        }
    }

    /// Rechecks the files that are recorded as damaged, and removes files that are now intact from
    /// the record.
    ///
    /// - Returns: False if it was stopped.
    private func recheck(_ record: inout ScrubRecord, _ mayContinue: () -> Bool) throws -> Bool {
        for former in record.summary.damages {
            guard let resource = try resource(after: former.resource - 1),
                resource.id == former.resource, resource.path == former.path
            else {
                record.summary.damages.removeAll { $0 == former }
                continue
            }
            guard let result = try read(resource, mayContinue) else { return false }
            if result.damage == nil { record.summary.damages.removeAll { $0 == former } }
        }
        return true
    }

    private enum Result {
        case whole
        case damaged(LastScrub.Damage)

        var damage: LastScrub.Damage? {
            if case .damaged(let damage) = self { damage } else { nil }
        }
    }

    /// Reads and checks a file; nil if the check was stopped.
    private func read(
        _ resource: ResourceRecord,
        _ mayContinue: () -> Bool
    ) throws -> Result? {
        guard let findings = try check.check(resource, isFull: true, while: mayContinue) else {
            return nil
        }
        guard let finding = findings.first else { return .whole }
        // A file of a library that replaced this one is not damaged.
        try store.checkPresence()
        let logger = store.loggers.store
        logger.error(
            "A file of the library is damaged.",
            metadata: [
                "scrub.kind": "\(finding.kind)",
                "scrub.asset": "\(resource.assetUUID)",
                "scrub.path": logger.detail(finding.path ?? resource.path),
            ]
        )
        let damage = LastScrub.Damage(
            resource: resource.id,
            path: resource.path,
            kind: finding.kind
        )
        return .damaged(damage)
    }

    private func resource(after id: Int64) throws -> ResourceRecord? {
        try store.read { database in
            try Row.fetchOne(
                database,
                sql: ResourceRecord.selectSQL
                    + " WHERE resource.id > ? ORDER BY resource.id LIMIT 1",
                arguments: [id]
            ).map(ResourceRecord.init(row:))
        }
    }

    private func totalBytes(on day: Int) throws -> Int64 {
        if let known = state.withLock(\.total), known.day == day { return known.bytes }
        let bytes = try store.read {
            try Int64.fetchOne($0, sql: "SELECT sum(size) FROM resource") ?? 0
        }
        state.withLock { $0.total = (day, bytes) }
        return bytes
    }

    /// Updates the progress in memory, and writes the record if that is requested or due.
    private func keep(_ record: ScrubRecord, writes: Bool) throws {
        let isDue = state.withLock { state in
            if state.record != record { state.isChanged = true }
            state.record = record
            let isLate = state.written.map { $0 + Self.writeInterval <= .now } ?? true
            guard state.isChanged, writes || isLate else { return false }
            state.isChanged = false
            state.written = .now
            return true
        }
        guard isDue else { return }
        try store.checkPresence()
        do throws(SystemError) {
            try record.write(to: store.bundle)
        } catch {
            throw error.libraryError(doing: "write")
        }
    }
}
