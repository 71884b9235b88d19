internal import GRDB
package import LibraryService
internal import PhotoModel

/// Checks a library against the invariants of its store, a slice at a time.
///
/// A slice is one short read transaction or one short hold of the writer lock, so a check of a large
/// library disturbs nobody. Stages, in order:
///
/// 1. the database: SQLite's own check, and references between tables;
/// 2. the files: every row's file is there and has its size; with `isFull`, its SHA-256;
/// 3. the modes: nobody else can enter, or a note says so;
/// 4. the assets: what the rows say of each other holds together;
/// 5. the collections: every folder is in the root folder in the end, and albums' totals are right;
/// 6. the moments: they are what follows from the assets;
/// 7. the journal: versions have no gaps, and replaying it gives the rows;
/// 8. leftovers: files that no row names, and folders of dead imports.
package struct Verifier: Sendable {
    enum Stage: Int, CaseIterable {
        case database, files, modes, assets, collections, moments, journal, leftovers

        /// How much of the whole a stage is, for the progress: rough, and that is enough.
        func weight(isFull: Bool) -> Double {
            switch self {
            case .database: 0.1
            case .files: isFull ? 0.6 : 0.3
            case .modes: isFull ? 0.02 : 0.05
            case .assets: isFull ? 0.01 : 0.05
            case .collections: isFull ? 0.02 : 0.05
            case .moments: isFull ? 0.02 : 0.05
            case .journal: isFull ? 0.13 : 0.2
            case .leftovers: isFull ? 0.1 : 0.2
            }
        }
    }

    /// What a stage gives back: findings, and where to go on within the stage (nil: it is done).
    struct Slice {
        var findings: [Finding] = []
        var next: Int64?
        /// 0...1 within the stage.
        var progress: Double = 1
    }

    let store: LibraryStore

    package init(store: LibraryStore) {
        self.store = store
    }

    /// Checks from `request.cursor` on, and says where to go on.
    package func verify(_ request: VerifyRequest) throws -> VerifyReply {
        let cursor = request.cursor ?? VerifyCursor(stage: 0, position: 0)
        guard let stage = Stage(rawValue: cursor.stage) else {
            throw LibraryError(
                .invalidRequest,
                "There is no stage \(cursor.stage) of a check.",
                reason: "It was not the check that said where to go on.",
                recovery: "Go on from the cursor of the last answer."
            )
        }
        let slice = try check(stage, from: cursor.position, request: request)
        let next: VerifyCursor? =
            if let position = slice.next {
                VerifyCursor(stage: stage.rawValue, position: position)
            } else if Stage(rawValue: stage.rawValue + 1) != nil {
                VerifyCursor(stage: stage.rawValue + 1, position: 0)
            } else {
                nil
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

    private func check(
        _ stage: Stage,
        from position: Int64,
        request: VerifyRequest
    ) throws -> Slice {
        switch stage {
        case .database: try DatabaseCheck(store: store).slice(isFull: request.isFull)
        case .files: try FileCheck(store: store).slice(from: position, isFull: request.isFull)
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
