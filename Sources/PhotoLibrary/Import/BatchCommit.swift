internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// Decides and writes the rows of one staged batch, inside one write transaction.
///
/// Everything that depends on what else is in the library is decided here, under the writer lock, so
/// that batches of other threads and processes cannot come between: twins, partners, bursts.
///
/// 1. Bytes that the library has are duplicates; of twins in the batch, the first counts.
/// 2. What is left makes assets, or joins those that wait for a partner. An asset keeps its row and
///    its identifier whoever joins it; where a file could join two, it joins the older.
/// 3. Sidecars come after all media of the batch, and bursts last.
///
/// Files are not touched: `moves` says what has to be placed before the commit.
struct BatchCommit {
    /// Pixels for an asset that this batch made or gave a new face.
    struct Rendition: Sendable {
        var pixels: PixelMemory
        var assetUUID: String
        var contentVersion: Int
    }

    private let transaction: LibraryTransaction
    private let media: [Int: StagedMedium]
    private let queries: PartnerQueries
    private let imported: ImportedFiles

    private(set) var outcomes: [Int: ImportOutcome] = [:]
    private(set) var moves: [FilePlacement.Move] = []
    private(set) var renditions: [Rendition] = []
    private var resourceIDs: [Int: Int64] = [:]
    private var touchedBursts: Set<String> = []

    /// Takes a batch's files by their positions in the request.
    init(transaction: LibraryTransaction, media: [Int: StagedMedium]) {
        self.transaction = transaction
        self.media = media
        queries = PartnerQueries(database: transaction.database)
        imported = ImportedFiles(database: transaction.database)
    }

    /// Writes the rows.
    mutating func run() throws {
        let positions = media.keys.sorted()
        var firsts: [SHA256Digest: Int] = [:]
        var twins: [(later: Int, first: Int)] = []
        var fresh: [Int] = []
        var sidecars: [Int] = []
        for position in positions {
            guard let medium = media[position] else { continue }
            if case .sidecar = medium.content {
                sidecars.append(position)
            } else if let twin = try queries.twin(of: medium.file.digest) {
                outcomes[position] = .duplicate(ofAsset: twin.assetUUID, isTrashed: twin.isTrashed)
                try remember(position, resourceID: twin.resourceID)
            } else if let first = firsts[medium.file.digest] {
                twins.append((position, first))
            } else if case .known = medium.content {
                outcomes[position] = ImportOutcome(
                    .failed,
                    reason: "Its twin was removed from the library at this moment. Import it again."
                )
            } else {
                firsts[medium.file.digest] = position
                fresh.append(position)
            }
        }
        try admit(fresh)
        for twin in twins { try answerTwin(twin.later, of: twin.first) }
        // What the person applied comes before what the camera applied: an asset holds one of them.
        sidecars.sort { namesOriginal($0) == namesOriginal($1) ? $0 < $1 : namesOriginal($1) }
        for position in sidecars { try admitSidecar(position) }
        for burst in touchedBursts.sorted() { try settleBurst(burst) }
    }

    // MARK: - Media

    private mutating func admit(_ fresh: [Int]) throws {
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

    private mutating func admit(primary: Int, raw: Int?, movie: Int?) throws {
        guard let (facts, record) = content(primary) else { return }
        if record.mediaType == .image {
            if facts.format == .raw, let asset = try stillBeside(primary) {
                try join(raw: primary, to: asset)
                if let movie { try joinOrInsert(movie: movie, to: asset) }
                return
            }
            let waitsForRAW = facts.format != .raw && raw == nil
            let older = [
                movie == nil ? try movieWaiting(for: record) : nil,
                waitsForRAW ? try rawBeside(primary) : nil,
            ].compactMap(\.self).min { $0.id < $1.id }
            if let older {
                try lead(older, with: primary)
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

    /// Makes a new asset of a file and the partners that came with it.
    private mutating func insert(primary: Int, raw: Int?, movie: Int?) throws {
        guard var (_, record) = content(primary) else { return }
        record.addedDate = transaction.now
        record.modificationDate = transaction.now
        if let movie, let (_, movieRecord) = content(movie) {
            JoiningPolicy.add(movie: movieRecord, to: &record)
        }
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
            reason: remark(primary)
        )
        if let raw { try addPartner(raw, type: .alternatePhoto, to: record) }
        if let movie { try addPartner(movie, type: .pairedVideo, to: record) }
        noteRendition(of: primary, for: record)
        if let burst = record.burstIdentifier { touchedBursts.insert(burst) }
    }

    // MARK: - Joining what is there

    /// The movie's asset that waits for a still with this record's content identifier.
    private func movieWaiting(for record: AssetRecord) throws -> AssetRecord? {
        guard let identifier = record.contentIdentifier,
            let id = try queries.movie(contentIdentifier: identifier)
        else { return nil }
        return try transaction.asset(id: id)
    }

    /// The asset that is a RAW alone, of the same shot as a still.
    private func rawBeside(_ position: Int) throws -> AssetRecord? {
        try assets(beside: position).first { asset in
            asset.contentType.hasSuffix("raw-image")
        }
    }

    /// The asset that is a still without a RAW, of the same shot as a RAW.
    private func stillBeside(_ position: Int) throws -> Int64? {
        try assets(beside: position).first { asset in
            !asset.contentType.hasSuffix("raw-image")
        }?.id
    }

    /// Image assets of one shot with a file, going by folder, name and camera, that have no alternate.
    private func assets(beside position: Int) throws -> [AssetRecord] {
        guard let (_, record) = content(position), let medium = media[position] else { return [] }
        return try queries.assets(stemKey: medium.name.stemKey).compactMap { id in
            guard let asset = try transaction.asset(id: id), asset.mediaType == .image,
                PairingPolicy.areOneShot(asset, record),
                try queries.resources(ofAsset: id, type: .alternatePhoto).isEmpty
            else { return nil }
            return asset
        }
    }

    /// A still becomes the photo of an asset that was its movie's or its RAW's until now.
    private mutating func lead(_ older: AssetRecord, with position: Int) throws {
        guard var (_, record) = content(position) else { return }
        let wasMovie = older.mediaType == .video
        if wasMovie { JoiningPolicy.add(movie: older, to: &record) }
        var asset = older
        JoiningPolicy.lead(&asset, with: record)
        asset.contentVersion += 1
        asset.modificationDate = transaction.now
        try transaction.updateAsset(asset, contentChanged: true)
        for id in try queries.resources(ofAsset: asset.id, type: wasMovie ? .video : .photo) {
            guard var resource = try transaction.resource(id: id) else { continue }
            resource.type = wasMovie ? .pairedVideo : .alternatePhoto
            try transaction.updateResource(resource)
        }
        try addPartner(position, type: .photo, to: asset)
        noteRendition(of: position, for: asset)
        if let burst = asset.burstIdentifier { touchedBursts.insert(burst) }
    }

    private mutating func join(raw position: Int, to id: Int64) throws {
        guard var asset = try transaction.asset(id: id) else { return }
        asset.modificationDate = transaction.now
        try transaction.updateAsset(asset, contentChanged: false)
        try addPartner(position, type: .alternatePhoto, to: asset)
    }

    private mutating func join(movie position: Int, to id: Int64) throws {
        guard var asset = try transaction.asset(id: id), let (_, record) = content(position) else {
            return
        }
        JoiningPolicy.add(movie: record, to: &asset)
        asset.modificationDate = transaction.now
        try transaction.updateAsset(asset, contentChanged: true)
        try addPartner(position, type: .pairedVideo, to: asset)
    }

    /// A movie joins an asset that has none yet; else it is an asset of its own.
    private mutating func joinOrInsert(movie position: Int, to id: Int64) throws {
        if try queries.resources(ofAsset: id, type: .pairedVideo).isEmpty {
            try join(movie: position, to: id)
        } else {
            try insert(primary: position, raw: nil, movie: nil)
        }
    }

    // MARK: - Sidecars

    private func namesOriginal(_ position: Int) -> Bool {
        media[position]?.name.namesOriginalAdjustments ?? false
    }

    private mutating func admitSidecar(_ position: Int) throws {
        guard let medium = media[position], case .sidecar(let facts, let record) = medium.content
        else { return }
        guard let asset = try sidecarAsset(of: medium, isAdjustment: facts.format == .aae) else {
            outcomes[position] = ImportOutcome(
                .unsupported,
                reason: "It is a sidecar, and the library has no photo or movie from this folder "
                    + "under its name. Import that one with it or before it."
            )
            return
        }
        if let twin = try queries.resource(ofAsset: asset.id, digest: medium.file.digest) {
            outcomes[position] = .duplicate(ofAsset: asset.uuid, isTrashed: false)
            try remember(position, resourceID: twin)
            return
        }
        if facts.format == .aae {
            guard try queries.resources(ofAsset: asset.id, type: .adjustmentData).isEmpty else {
                outcomes[position] = ImportOutcome(
                    .unsupported,
                    reason: "Its photo (\(asset.originalFilename)) has other adjustments already."
                )
                return
            }
            try addPartner(position, type: .adjustmentData, to: asset)
        } else {
            var filled = asset
            JoiningPolicy.fill(&filled, from: record)
            if filled != asset {
                filled.modificationDate = transaction.now
                try transaction.updateAsset(filled, contentChanged: false)
            }
            try addPartner(position, type: .sidecar, to: filled)
        }
    }

    /// The asset that a sidecar belongs to: under the most exact name; adjustments rather to one that
    /// has none; a photo rather than a movie; the newest.
    private func sidecarAsset(of medium: StagedMedium, isAdjustment: Bool) throws -> AssetRecord? {
        for key in medium.name.sidecarKeys {
            let assets = try queries.assets(stemKey: key.stemKey, name: key.name)
                .compactMap(transaction.asset(id:))
            let ranked = try assets.map { asset in
                let digest = medium.file.digest
                let isItsOwn = try queries.resource(ofAsset: asset.id, digest: digest) != nil
                let isTaken =
                    try isAdjustment && !isItsOwn
                    && !queries.resources(ofAsset: asset.id, type: .adjustmentData).isEmpty
                let rank =
                    (isItsOwn ? 0 : 4) + (isTaken ? 2 : 0) + (asset.mediaType == .image ? 0 : 1)
                return (rank: rank, asset: asset)
            }
            if let best = ranked.min(by: { $0.rank < $1.rank }) { return best.asset }
        }
        return nil
    }

    // MARK: - Bursts

    /// Makes exactly one frame stand for a burst and carry the automatic pick.
    private func settleBurst(_ identifier: String) throws {
        let frames = try queries.frames(burstIdentifier: identifier)
            .compactMap(transaction.asset(id:))
        let representative = BurstPolicy.representative(
            of: frames.map { frame in
                BurstPolicy.Frame(
                    id: frame.id,
                    creationDate: frame.creationDate,
                    filename: frame.originalFilename,
                    picks: frame.burstSelectionTypes
                )
            }
        )
        for var frame in frames {
            frame.representsBurst = frame.id == representative
            if frame.representsBurst {
                frame.burstSelectionTypes.insert(.autoPick)
            } else {
                frame.burstSelectionTypes.remove(.autoPick)
            }
            try transaction.updateAsset(frame, contentChanged: false)
        }
    }

    // MARK: - Rows

    private mutating func addPartner(_ position: Int, type: ResourceType, to asset: AssetRecord)
        throws
    {
        try addResource(position, type: type, to: asset)
        outcomes[position] = ImportOutcome(
            .paired,
            localIdentifier: asset.localIdentifier,
            reason: remark(position)
        )
    }

    private mutating func addResource(_ position: Int, type: ResourceType, to asset: AssetRecord)
        throws
    {
        guard let medium = media[position], let (facts, record) = content(position) else { return }
        let uuid = UUID().uuidString
        let target = FilePlacement.target(
            uuid: uuid,
            pathExtension: FileExtension.of(facts, original: medium.name.pathExtension)
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

    private func remember(_ position: Int, resourceID: Int64) throws {
        guard let medium = media[position] else { return }
        try imported.record(
            medium.source,
            stemKey: medium.name.stemKey,
            resourceID: resourceID
        )
    }

    private mutating func answerTwin(_ later: Int, of first: Int) throws {
        guard let identifier = outcomes[first]?.localIdentifier, let id = resourceIDs[first] else {
            return
        }
        outcomes[later] = ImportOutcome(.duplicate, localIdentifier: identifier)
        try remember(later, resourceID: id)
    }

    private mutating func noteRendition(of position: Int, for asset: AssetRecord) {
        guard case .medium(_, _, let pixels?)? = media[position]?.content else { return }
        renditions.append(
            Rendition(
                pixels: pixels,
                assetUUID: asset.uuid,
                contentVersion: asset.contentVersion
            )
        )
    }

    // MARK: - Content

    private func content(_ position: Int) -> (facts: MediaFacts, record: AssetRecord)? {
        switch media[position]?.content {
        case .medium(let facts, let record, _), .sidecar(let facts, let record): (facts, record)
        case .known, nil: nil
        }
    }

    /// What to say about a file that came in although something is wrong with it.
    private func remark(_ position: Int) -> String? {
        guard let (facts, _) = content(position), !facts.hasReadableHeader else { return nil }
        let why = facts.warnings.first.map { ": \($0)" } ?? ""
        return "It was kept, but its picture cannot be read\(why)"
    }
}
