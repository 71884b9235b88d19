internal import GRDB
package import LibraryService
internal import Logging
internal import PhotoModel

/// Checks a library against the invariants of its store, one slice at a time.
///
/// A slice is one short read transaction or one short hold of the writer lock, so a check of a
/// large library does not block other programs. The stages, in order:
///
/// 1. the database: SQLite's own check, and references between tables;
/// 2. the files: every row's file exists with its size, and with `isFull` its SHA-256;
/// 3. the former files: the same for files that are kept for an undo;
/// 4. the modes: a note is made if other users can enter the library;
/// 5. the assets: their rows are consistent with each other;
/// 6. the collections: every folder is below the root folder, and albums' totals are correct;
/// 7. the moments: they match the assets;
/// 8. the journal: versions have no gaps, and replaying it yields the rows;
/// 9. leftovers: files that no row references, and folders of crashed imports.
package struct Verifier: Sendable {
    enum Stage: Int, CaseIterable {
        case database, files, formerFiles, modes, assets, collections, moments, journal, leftovers

        /// Returns the approximate fraction of the check's total duration that the stage takes.
        func weight(isFull: Bool) -> Double {
            switch self {
            case .database: 0.1
            case .files: isFull ? 0.58 : 0.28
            case .formerFiles: 0.02
            case .modes: isFull ? 0.02 : 0.05
            case .assets: isFull ? 0.01 : 0.05
            case .collections: isFull ? 0.02 : 0.05
            case .moments: isFull ? 0.02 : 0.05
            case .journal: isFull ? 0.13 : 0.2
            case .leftovers: isFull ? 0.1 : 0.2
            }
        }
    }

    /// The result of checking one slice of a stage.
    ///
    /// `next` is the position from which to continue; nil if the stage is done.
    struct Slice {
        var findings: [Finding] = []
        var next: Int64?
        /// The progress within the stage, from 0 to 1.
        var progress: Double = 1
    }

    let store: LibraryStore
    private let donors = DonorCache()

    package init(store: LibraryStore) {
        self.store = store
    }

    /// Closes the donor library of a check that ended early.
    package func close() { donors.close() }

    /// Checks the slice at `request.cursor`, and returns the findings and the cursor of the next
    /// slice.
    package func verify(_ request: VerifyRequest) throws -> VerifyReply {
        let cursor = request.cursor ?? VerifyCursor(stage: 0, position: 0)
        guard let stage = Stage(rawValue: cursor.stage) else {
            throw LibraryError(
                .invalidRequest,
                "A check has no stage \(cursor.stage).",
                reason: "The cursor is not from a reply of the check.",
                recovery: "Continue from the cursor of the last reply."
            )
        }
        var tally = cursor.tally
        if request.cursor == nil { tally = VerifyTally(version: try? store.currentVersion()) }
        let slice = try check(stage, from: cursor.position, request: request)
        // If the library was replaced meanwhile, its paths lead to the files of another one.
        try store.checkPresence()
        tally?.add(slice.findings)
        let next: VerifyCursor? =
            if let position = slice.next {
                VerifyCursor(stage: stage.rawValue, position: position, tally: tally)
            } else if Stage(rawValue: stage.rawValue + 1) != nil {
                VerifyCursor(stage: stage.rawValue + 1, position: 0, tally: tally)
            } else {
                nil
            }
        if next == nil {
            donors.close()
            if let tally { record(tally, request) }
        }
        let before = Stage.allCases.prefix(stage.rawValue)
            .reduce(0) { $0 + $1.weight(isFull: request.isFull) }
        let progress = before + stage.weight(isFull: request.isFull) * min(1, slice.progress)
        return VerifyReply(
            findings: slice.findings,
            next: next,
            progress: next == nil ? 1 : progress
        )
    }

    /// Records the result of a complete check in the library's folder, if the library can be
    /// written to.
    private func record(_ tally: VerifyTally, _ request: VerifyRequest) {
        guard store.readOnlyReason == nil else { return }
        let check = LastCheck(
            date: store.now,
            version: tally.version,
            isFull: request.isFull,
            repairs: request.repairs,
            tally: tally
        )
        do throws(SystemError) {
            try LastCheckFile.write(check, to: store.bundle)
        } catch {
            store.loggers.store.warning(
                "The check could not be recorded.",
                metadata: ["verify.error": store.loggers.store.detail("\(error)")]
            )
        }
    }

    /// Returns the repairer that copies files from the request's donor library; nil if the request
    /// names no donor or does not ask for repairs.
    private func mender(_ request: VerifyRequest) throws -> FileMender? {
        guard request.repairs, let path = request.donor else { return nil }
        return FileMender(store: store, donor: try donors.donor(at: path, for: store.bundle))
    }

    private func check(
        _ stage: Stage,
        from position: Int64,
        request: VerifyRequest
    ) throws -> Slice {
        switch stage {
        case .database: try DatabaseCheck(store: store).slice(isFull: request.isFull)
        case .files:
            try FileCheck(store: store, mender: mender(request))
                .slice(from: position, isFull: request.isFull)
        case .formerFiles:
            try FileCheck(store: store, files: .former, mender: mender(request))
                .slice(from: position, isFull: request.isFull)
        case .modes: try ModeCheck(store: store).slice(from: position, repairs: request.repairs)
        case .assets: try AssetCheck(store: store).slice(from: position)
        case .collections:
            try CollectionCheck(store: store).slice(from: position, repairs: request.repairs)
        case .moments: try MomentCheck(store: store).slice(repairs: request.repairs)
        case .journal: try JournalCheck(store: store).slice(from: position)
        case .leftovers:
            try LeftoverCheck(store: store).slice(from: position, repairs: request.repairs)
        }
    }
}
