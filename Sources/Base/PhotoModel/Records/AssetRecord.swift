package import FoundationEssentials

/// The camera and its settings, as stated in the asset's file.
package struct CameraFacts: Codable, Hashable, Sendable {
    package var make: String?
    package var model: String?
    package var lens: String?
    package var software: String?
    /// The f-number.
    package var aperture: Double?
    /// The exposure time in seconds.
    package var exposureTime: Double?
    package var isoSpeed: Int?
    /// The focal length in millimeters.
    package var focalLength: Double?
    /// The equivalent focal length on 35 mm film, in millimeters.
    package var focalLengthIn35mmFilm: Double?

    package init() {}
}

/// The stored data of an asset at one version of the library.
package struct AssetRecord: Codable, Hashable, Sendable, Identifiable {
    /// The row id, which is internal and never reused.
    package var id: Int64
    package var uuid: String
    package var mediaType: MediaType
    package var mediaSubtypes: MediaSubtypes
    package var playbackStyle: PlaybackStyle
    package var sourceType: SourceTypes
    /// The size in pixels as displayed: upright and with the current edit.
    package var pixelSize: PixelSize
    /// The duration in seconds; 0 for still images.
    package var duration: Double
    /// The frame rate of a movie in frames per second.
    package var frameRate: Double?
    /// The value of `PHAsset.creationDate`.
    ///
    /// It is nil only if no source states a date, not even the file's modification time.
    package var creationDate: Date?
    /// The capture time with its time zone and sources; nil if `creationDate` is nil.
    package var captureTime: CaptureTime?
    package var modificationDate: Date
    package var addedDate: Date
    package var location: Location?
    package var isFavorite: Bool
    package var isHidden: Bool
    /// The date on which the asset was moved to Recently Deleted; nil if the asset is not there.
    package var trashedDate: Date?
    package var burstIdentifier: String?
    package var burstSelectionTypes: BurstSelectionTypes
    package var representsBurst: Bool
    /// Indicates whether the asset is the only remaining frame of its burst.
    ///
    /// Such an asset no longer counts as a burst frame.
    package var isLoneFrame: Bool {
        burstIdentifier != nil && burstSelectionTypes.contains(.alone)
    }
    /// The identifier that the still and the movie of a Live Photo share.
    package var contentIdentifier: String?
    package var hasAdjustments: Bool
    package var adjustmentFormatIdentifier: String?
    package var adjustmentTimestamp: Date?
    package var originalFilename: String
    /// The uniform type identifier of the primary resource.
    package var contentType: String
    package var title: String?
    package var caption: String?
    package var keywords: [String]
    /// The rating, -1...5: 0 for none, -1 for rejected.
    package var rating: Int
    package var camera: CameraFacts
    /// A counter that increases with each change of the pixels or frames that clients see.
    package var contentVersion: Int
    /// The raw value of `PHAsset.OriginalResourceChoice`; usually 0.
    package var originalResourceChoice: Int
    /// The version of the reader that extracted the asset's metadata.
    ///
    /// It is 0 for assets from before such versions were stored.
    package var readerVersion: Int
    /// The properties that users or programs have set; reading the files again does not overwrite
    /// them.
    ///
    /// Properties whose origin is unknown, because they are older than this record, are included.
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

/// The stored data of one file of an asset.
package struct ResourceRecord: Codable, Hashable, Sendable, Identifiable {
    /// The row id.
    package var id: Int64
    package var uuid: String
    package var assetID: Int64
    package var assetUUID: String
    package var type: ResourceType
    /// The file name at import.
    package var originalFilename: String
    /// The uniform type identifier, detected from the content and not from the name.
    package var contentType: String
    /// The path relative to the library's folder: `originals/ab/<uuid>.jpg`.
    package var path: String
    /// The size in bytes.
    package var size: Int64
    /// The SHA-256 hash as 64 lowercase hexadecimal digits.
    package var sha256: String
    /// The upright size in pixels; zeros for a file without an image.
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

    /// Indicates whether the file was created by an edit.
    ///
    /// Adjustments that were imported with an original belong to the original.
    package var isOfEdit: Bool { type.isMadeByEditing && path.hasPrefix("edits/") }
}
