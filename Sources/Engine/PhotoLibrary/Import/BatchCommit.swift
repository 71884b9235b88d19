internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// Determines and writes the rows of one staged batch, inside one write transaction.
///
/// All decisions that depend on the library's contents (duplicates, partners, bursts) are made
/// here, under the writer lock, so that other threads and processes cannot interfere.
///
/// 1. Files with content that the library has are duplicates. Of duplicates within the batch, the
///    first counts.
/// 2. The remaining files create assets or join assets that wait for a partner. An asset keeps its
///    row and identifier when a file joins it. If a file could join two assets, it joins the older
///    one. Existing assets are never merged: if a RAW and a movie were each imported before their
///    still, the still joins the older one, and the other remains a separate asset. The still's
///    outcome states this.
/// 3. A rendered edit (`IMG_E1853.HEIC`) joins its original as the displayed content if
///    adjustments, or the capture time to the second and the camera, identify it as an edit.
///    Content displayed by another edit stays.
/// 4. Sidecars are admitted after all media of the batch, and bursts are resolved last.
///
/// Files are not touched: `moves` lists the files to place before the commit.
struct BatchCommit {
    /// The pixels of the first rendition of an asset that the batch created, or whose displayed
    /// content the batch changed.
    struct Rendition: Sendable {
        var pixels: PixelMemory
        var assetUUID: String
        var contentVersion: Int
    }

    let transaction: LibraryTransaction
    let media: [Int: StagedMedium]
    let queries: PartnerQueries
    let imported: ImportedFiles
    let duplicates: DuplicateFiles
    /// Returns a staged copy of a resource's file; nil if the file cannot be read or does not match
    /// its row.
    let restage: (ResourceRecord) throws(LibraryError) -> StagedFile?

    var outcomes: [Int: ImportOutcome] = [:]
    var moves: [FilePlacement.Move] = []
    var renditions: [Rendition] = []
    var resourceIDs: [Int: Int64] = [:]
    var touchedBursts: Set<String> = []
    /// The resources whose files this batch restores.
    var restored: Set<Int64> = []
    /// The positions of imported files that restore a library file, keyed by the library file's
    /// path.
    var restorations: [String: [Int]] = [:]
    /// The edited copies from other services, keyed by position; see
    /// `BatchCommit+ExternalRenders.swift`.
    var externalRenders: [Int: ExternalRender] = [:]
    /// The positions of edited copies whose guessed originals show another shot.
    var wrongGuesses: Set<Int> = []
    /// The metadata histories of the assets to which the batch's sidecars belong, keyed by asset
    /// UUID.
    var histories: [String: SidecarHistory]

    /// Creates the commit of a batch; `media` contains the files, keyed by their positions in the
    /// request.
    init(
        transaction: LibraryTransaction,
        media: [Int: StagedMedium],
        duplicates: DuplicateFiles,
        histories: [String: SidecarHistory],
        restage: @escaping (ResourceRecord) throws(LibraryError) -> StagedFile?
    ) {
        self.duplicates = duplicates
        self.histories = histories
        self.restage = restage
        self.transaction = transaction
        self.media = media
        queries = PartnerQueries(database: transaction.database)
        imported = ImportedFiles(database: transaction.database, bundle: duplicates.bundle)
    }

    /// Determines the outcomes and writes the rows.
    mutating func run() throws {
        let positions = media.keys.sorted()
        var firsts: [SHA256Digest: Int] = [:]
        var repeated: [(later: Int, first: Int)] = []
        var fresh: [Int] = []
        var sidecars: [Int] = []
        for position in positions {
            guard let medium = media[position] else { continue }
            if case .sidecar = medium.content {
                sidecars.append(position)
            } else if let duplicate = try queries.duplicate(of: medium.file.digest) {
                try answerDuplicate(
                    position,
                    of: duplicate.resourceID,
                    isTrashed: duplicate.isTrashed
                )
            } else if let first = firsts[medium.file.digest] {
                repeated.append((position, first))
            } else if case .known = medium.content {
                outcomes[position] = ImportOutcome(
                    .failed,
                    reason:
                        "An identical file has just been removed from the library. Import this one again.",
                    obstacle: .passing
                )
            } else {
                firsts[medium.file.digest] = position
                fresh.append(position)
            }
        }
        try admitWithEdits(fresh.filter { externalRenders[$0] == nil })
        for position in fresh where externalRenders[position] != nil {
            try admitExternalRender(position)
        }
        for duplicate in repeated { try answerRepeated(duplicate.later, of: duplicate.first) }
        // A person's adjustments come before the camera's, since an asset holds only one of them.
        sidecars.sort { namesOriginal($0) == namesOriginal($1) ? $0 < $1 : namesOriginal($1) }
        for position in sidecars { try admitSidecar(position) }
        for burst in touchedBursts.sorted() { try transaction.resolveBurst(burst) }
    }

    // MARK: - Media

    mutating func admit(_ fresh: [Int]) throws {
        let candidates = fresh.compactMap { position -> PairingPolicy.Candidate? in
            guard let (facts, record) = content(position), let medium = media[position] else {
                return nil
            }
            return .init(format: facts.format, stemKey: medium.name.stemKey, record: record)
        }
        for unit in PairingPolicy.units(of: candidates) {
            try admit(
                primary: fresh[unit.primary],
                raw: unit.raw.map { fresh[$0] },
                movie: unit.movie.map { fresh[$0] }
            )
        }
    }

    mutating func admit(primary: Int, raw: Int?, movie: Int?) throws {
        guard let (facts, record) = content(primary) else { return }
        if record.mediaType == .image {
            if facts.format == .raw, let asset = try stillBeside(primary) {
                try join(raw: primary, to: asset)
                if let movie { try joinOrInsert(movie: movie, to: asset) }
                return
            }
            let waitsForRAW = facts.format != .raw && raw == nil
            let waiting = [
                movie == nil ? try movieWaiting(for: record, primary) : nil,
                waitsForRAW ? try rawBeside(primary) : nil,
            ].compactMap(\.self).sorted { $0.id < $1.id }
            if let older = waiting.first {
                try lead(older, with: primary)
                if let other = waiting.dropFirst().first {
                    outcomes[primary]?.reason =
                        "Another file of this shot (\(other.originalFilename)) stays an asset of its"
                        + " own: it was imported separately before."
                }
                if let raw { try join(raw: raw, to: older.id) }
                if let movie { try joinOrInsert(movie: movie, to: older.id) }
                return
            }
        } else if record.mediaType == .video, let identifier = record.contentIdentifier,
            let medium = media[primary],
            let still = try queries.still(
                contentIdentifier: identifier,
                stemKey: medium.name.stemKey
            )
        {
            try join(movie: primary, to: still)
            return
        }
        try insert(primary: primary, raw: raw, movie: movie)
    }

    /// Creates an asset from a primary file and, if given, the RAW file and the movie of the same
    /// batch that belong to it.
    mutating func insert(primary: Int, raw: Int?, movie: Int?) throws {
        guard let (facts, draft) = content(primary) else { return }
        var record = draft
        record.addedDate = transaction.now
        record.modificationDate = transaction.now
        if let movie, let (_, movieRecord) = content(movie) {
            JoiningPolicy.add(movie: movieRecord, to: &record)
        } else if let embedded = media[primary]?.embeddedMovie {
            JoiningPolicy.add(movie: embedded.record, to: &record)
        }
        histories[record.uuid] = SidecarHistory(file: SidecarStatement(facts, record))
        record.id = try transaction.insertAsset(record)
        let type: ResourceType =
            switch record.mediaType {
            case .video: .video
            case .audio: .audio
            case .image, .unknown: .photo
            }
        try addResource(primary, type: type, to: record)
        outcomes[primary] = ImportOutcome(
            .imported,
            localIdentifier: record.localIdentifier,
            reason: remark(primary),
            isSafeToRemove: true,
            notes: notes(primary)
        )
        if let raw { try addPartner(raw, type: .alternatePhoto, to: record) }
        if let movie {
            try addPartner(movie, type: .pairedVideo, to: record)
        } else {
            try addEmbeddedMovie(of: primary, to: record)
        }
        try recordRendition(of: primary, for: record)
        if let burst = record.burstIdentifier { touchedBursts.insert(burst) }
    }

    // MARK: - Rows

    mutating func addPartner(
        _ position: Int,
        type: ResourceType,
        to asset: AssetRecord,
        isEdit: Bool = false
    ) throws {
        try addResource(position, type: type, to: asset, isEdit: isEdit)
        outcomes[position] = ImportOutcome(
            .paired,
            localIdentifier: asset.localIdentifier,
            reason: remark(position),
            isSafeToRemove: true,
            notes: notes(position)
        )
    }

    mutating func addResource(
        _ position: Int,
        type: ResourceType,
        to asset: AssetRecord,
        isEdit: Bool = false
    ) throws {
        guard let medium = media[position], let (facts, record) = content(position) else { return }
        let uuid = UUID().uuidString
        let target = FilePlacement.target(
            uuid: uuid,
            pathExtension: FileExtension.of(facts, original: medium.name.pathExtension),
            isEdit: isEdit
        )
        let resourceID = try transaction.insertResource(
            ResourceRecord(
                id: 0,
                uuid: uuid,
                assetID: asset.id,
                assetUUID: asset.uuid,
                type: type,
                originalFilename: medium.name.text,
                contentType: facts.contentType,
                path: target,
                size: medium.file.size,
                sha256: medium.file.digest.hexadecimal,
                pixelSize: record.pixelSize
            )
        )
        moves.append(FilePlacement.Move(file: medium.file, target: target))
        resourceIDs[position] = resourceID
        try remember(position, resourceID: resourceID)
    }

    func remember(_ position: Int, resourceID: Int64) throws {
        guard let medium = media[position] else { return }
        try imported.record(
            medium.source,
            stemKey: medium.name.stemKey,
            resourceID: resourceID
        )
    }

    /// Records the outcome for a file with the content of an earlier file of the batch.
    ///
    /// A file of a reverted edit has no resource; its copy has the same outcome.
    mutating func answerRepeated(_ later: Int, of first: Int) throws {
        guard let identifier = outcomes[first]?.localIdentifier, let id = resourceIDs[first] else {
            outcomes[later] = outcomes[first]
            return
        }
        outcomes[later] = ImportOutcome(
            .duplicate,
            localIdentifier: identifier,
            isSafeToRemove: true
        )
        try remember(later, resourceID: id)
    }

    mutating func recordRendition(of position: Int, for asset: AssetRecord) throws {
        guard case .medium(let facts, _, let pixels?)? = media[position]?.content else { return }
        try transaction.keepQuality(of: pixels, isChosen: facts.isBurstPrimary, for: asset)
        renditions.append(
            Rendition(
                pixels: pixels,
                assetUUID: asset.uuid,
                contentVersion: asset.contentVersion
            )
        )
    }

    // MARK: - Content

    func content(_ position: Int) -> (facts: MediaFacts, record: AssetRecord)? {
        switch media[position]?.content {
        case .medium(let facts, let record, _), .sidecar(let facts, let record): (facts, record)
        case .known, nil: nil
        }
    }

    /// Returns notes about metadata in a file that the library does not show, or shows only in
    /// part.
    private func notes(_ position: Int) -> [MigrationNote] {
        guard let (facts, _) = content(position) else { return [] }
        var notes: [MigrationNote] = []
        if let kept = facts.kept?.kinds, !kept.isEmpty {
            notes.append(
                MigrationNote(
                    "keptNotShown",
                    "Kept in the file and not shown: \(kept.joined(separator: ", "))."
                )
            )
        }
        if facts.isTextCut {
            notes.append(
                MigrationNote(
                    "textTooLong",
                    "The file has a longer title or caption, or more keywords, than the library; it"
                        + " keeps them, the library shows their beginning."
                )
            )
        }
        return notes
    }

    /// Returns the remark about a file that was imported in spite of a problem.
    func remark(_ position: Int) -> String? {
        guard let (facts, _) = content(position) else { return nil }
        if facts.hasReadableHeader {
            if facts.isCutShort {
                return "It was kept, but it is truncated: a part of the image is missing."
            }
            return facts.movie?.isCutShort == true
                ? "It was kept, but it is truncated: a part of the movie is missing." : nil
        }
        let why = facts.warnings.first.map { ": \($0)" } ?? ""
        return
            "It was kept, but its \(facts.format == .xmp ? "XMP" : "picture") cannot be read\(why)"
    }
}
