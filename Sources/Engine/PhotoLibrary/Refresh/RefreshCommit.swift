internal import GRDB
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// Writes the results of rereading assets, inside one write transaction.
struct RefreshCommit {
    let transaction: LibraryTransaction
    /// The outcomes of completed assets, each with the asset's row id.
    private(set) var outcomes: [(Int64, RefreshOutcome)] = []
    private var bursts: Set<String> = []

    init(transaction: LibraryTransaction) {
        self.transaction = transaction
    }

    /// Updates an asset from a reading, unless the asset or its files have changed since the
    /// reading.
    mutating func apply(_ reading: AssetReading) throws {
        let database = transaction.database
        guard let present = try transaction.asset(id: reading.assetID),
            try AssetReader.Subject.originals(ofAsset: present.id, in: database)
                == reading.resources
        else { return }
        let plan = try RefreshPlan(present, reading) {
            try Refresher.isKnown($0, in: database)
        }
        guard !plan.changesAnything || reading.isVerified else { return }
        var new = plan.new
        if plan.changesAnything {
            new.modificationDate = transaction.now
            let contentChanged = RefreshPolicy.contentDiffers(present, new)
            if contentChanged { new.contentVersion = present.contentVersion + 1 }
            try transaction.store(new, over: present, contentChanged: contentChanged)
        } else if plan.writesAnything {
            try transaction.store(new, over: present, contentChanged: false)
        }
        for resource in plan.resources { try transaction.updateResource(resource) }
        for (resource, fate) in plan.strays { try resolve(resource, fate, of: new) }
        if present.burstIdentifier != new.burstIdentifier {
            bursts.formUnion([present.burstIdentifier, new.burstIdentifier].compactMap(\.self))
        }
        outcomes.append((present.id, plan.outcome))
    }

    /// Picks the key frames of the bursts that changed.
    func finish() throws {
        for burst in bursts.sorted() { try transaction.resolveBurst(burst) }
    }

    /// Reclassifies a file that was imported as a sidecar but is not one.
    ///
    /// Its content stays at the path that its row has always had.
    private mutating func resolve(
        _ resource: ResourceRecord,
        _ fate: RefreshPlan.Fate,
        of asset: AssetRecord
    ) throws {
        var resource = resource
        switch fate {
        case .attachment:
            resource.contentType = RefreshPlan.unknownContentType
        case .alternate(let part):
            resource.type = .alternatePhoto
            resource.contentType = part.facts.contentType
            resource.pixelSize = part.record.pixelSize
        case .asset(let part):
            var record = part.record
            record.addedDate = transaction.now
            record.modificationDate = transaction.now
            // A person who hid the asset would not expect the other part of it to be visible.
            record.isHidden = asset.isHidden
            record.id = try transaction.insertAsset(record)
            if let burst = record.burstIdentifier { bursts.insert(burst) }
            resource.assetID = record.id
            resource.assetUUID = record.uuid
            resource.type =
                switch record.mediaType {
                case .video: .video
                case .audio: .audio
                case .image, .unknown: .photo
                }
            resource.contentType = part.facts.contentType
            resource.pixelSize = record.pixelSize
        }
        try transaction.updateResource(resource)
    }
}
