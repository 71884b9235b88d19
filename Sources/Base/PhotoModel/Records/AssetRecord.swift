package import FoundationEssentials

/// What the camera and its settings were, as the file says.
package struct CameraFacts: Codable, Hashable, Sendable {
    package var make: String?
    package var model: String?
    package var lens: String?
    package var software: String?
    /// The f-number.
    package var aperture: Double?
    /// Seconds.
    package var exposureTime: Double?
    package var isoSpeed: Int?
    /// Millimetres.
    package var focalLength: Double?
    /// Millimetres on 35 mm film.
    package var focalLengthIn35mmFilm: Double?

    package init() {}
}

/// Everything that is stored about an asset, as of one version of the library.
package struct AssetRecord: Codable, Hashable, Sendable, Identifiable {
    /// The row id: inside only, never reused.
    package var id: Int64
    package var uuid: String
    package var mediaType: MediaType
    package var mediaSubtypes: MediaSubtypes
    package var playbackStyle: PlaybackStyle
    package var sourceType: SourceTypes
    /// Upright pixels of the current version.
    package var pixelSize: PixelSize
    /// Seconds; 0 for still images.
    package var duration: Double
    /// Frames per second of a movie.
    package var frameRate: Double?
    /// What `PHAsset.creationDate` says.
    ///
    /// Nil only when nothing tells, not even the file's time.
    package var creationDate: Date?
    /// The capture time with its parts; nil when `creationDate` is.
    package var captureTime: CaptureTime?
    package var modificationDate: Date
    package var addedDate: Date
    package var location: Location?
    package var isFavorite: Bool
    package var isHidden: Bool
    /// When it was moved to Recently Deleted; nil for an asset that was not.
    package var trashedDate: Date?
    package var burstIdentifier: String?
    package var burstSelectionTypes: BurstSelectionTypes
    package var representsBurst: Bool
    /// Whether it is the only frame of its burst that is there: then it counts as in none.
    package var isLoneFrame: Bool {
        burstIdentifier != nil && burstSelectionTypes.contains(.alone)
    }
    /// What a still and its movie share when they are a Live Photo.
    package var contentIdentifier: String?
    package var hasAdjustments: Bool
    package var adjustmentFormatIdentifier: String?
    package var adjustmentTimestamp: Date?
    package var originalFilename: String
    /// Uniform type identifier of the primary resource.
    package var contentType: String
    package var title: String?
    package var caption: String?
    package var keywords: [String]
    /// -1...5: 0 when there is none, -1 for rejected.
    package var rating: Int
    package var camera: CameraFacts
    /// Rises whenever the pixels or frames that clients see change.
    package var contentVersion: Int
    /// The raw value of `PHAsset.OriginalResourceChoice`; 0 for most.
    package var originalResourceChoice: Int
    /// The version of the reader that its facts come from; 0 for one before versions were stored.
    package var readerVersion: Int
    /// What people and programs set: reading the files again leaves it alone.
    ///
    /// Of values from before this was kept, those count too of which it cannot be known.
    package var personFacts: SettableFacts

    package init(
        id: Int64,
        uuid: String,
        mediaType: MediaType,
        originalFilename: String,
        contentType: String,
        addedDate: Date
    ) {
        self.id = id
        self.uuid = uuid
        self.mediaType = mediaType
        self.mediaSubtypes = []
        self.playbackStyle = .unsupported
        self.sourceType = .userLibrary
        self.pixelSize = PixelSize(width: 0, height: 0)
        self.duration = 0
        self.modificationDate = addedDate
        self.addedDate = addedDate
        self.isFavorite = false
        self.isHidden = false
        self.burstSelectionTypes = []
        self.representsBurst = false
        self.hasAdjustments = false
        self.originalFilename = originalFilename
        self.contentType = contentType
        self.keywords = []
        self.rating = 0
        self.camera = CameraFacts()
        self.contentVersion = 1
        self.originalResourceChoice = 0
        self.readerVersion = 0
        self.personFacts = []
    }

    package var localIdentifier: String { uuid + ObjectKind.asset.identifierSuffix }
}

/// Everything that is stored about one file of an asset.
package struct ResourceRecord: Codable, Hashable, Sendable, Identifiable {
    /// The row id.
    package var id: Int64
    package var uuid: String
    package var assetID: Int64
    package var assetUUID: String
    package var type: ResourceType
    /// The name it was imported under.
    package var originalFilename: String
    /// Uniform type identifier by content, not by name.
    package var contentType: String
    /// Below the library's folder: `originals/ab/<uuid>.jpg`.
    package var path: String
    /// Bytes.
    package var size: Int64
    /// 64 lower-case hexadecimal digits.
    package var sha256: String
    /// Upright pixels; zeros when it has none.
    package var pixelSize: PixelSize

    package init(
        id: Int64,
        uuid: String,
        assetID: Int64,
        assetUUID: String,
        type: ResourceType,
        originalFilename: String,
        contentType: String,
        path: String,
        size: Int64,
        sha256: String,
        pixelSize: PixelSize
    ) {
        self.id = id
        self.uuid = uuid
        self.assetID = assetID
        self.assetUUID = assetUUID
        self.type = type
        self.originalFilename = originalFilename
        self.contentType = contentType
        self.path = path
        self.size = size
        self.sha256 = sha256
        self.pixelSize = pixelSize
    }

    /// Whether an edit made it: adjustments that were imported beside an original are an original.
    package var isOfEdit: Bool { type.isMadeByEditing && path.hasPrefix("edits/") }
}
