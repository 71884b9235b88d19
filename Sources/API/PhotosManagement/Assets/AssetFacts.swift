public import Foundation
internal import PhotoModel

/// What a library knows of an asset beyond `PHAsset`'s properties.
public struct AssetFacts: Sendable, Hashable, Identifiable {
    /// The asset.
    public var localIdentifier: String
    /// The name it was imported under.
    public var originalFilename: String
    /// Uniform type identifier of the primary resource, by content.
    public var uniformTypeIdentifier: String
    /// A title that the file or a person gave.
    public var title: String?
    /// A description that the file or a person gave.
    public var caption: String?
    /// Keywords, in the file's order.
    public var keywords: [String]
    /// -1...5: 0 when there is none, -1 for a rejected asset.
    public var rating: Int
    /// When it was captured, and how that is known.
    public var capture: CaptureFacts?
    /// What the camera was.
    public var camera: CameraFacts
    /// Frames per second of a movie.
    public var frameRate: Double?
    /// What a still and its movie share when they are a Live Photo.
    public var contentIdentifier: String?
    /// Rises whenever the pixels or frames that clients see change.
    public var contentVersion: Int
    /// When it was moved to Recently Deleted; nil for an asset that was not.
    public var trashedDate: Date?

    /// The local identifier.
    public var id: String { localIdentifier }

    init(_ record: AssetRecord) {
        localIdentifier = record.localIdentifier
        originalFilename = record.originalFilename
        uniformTypeIdentifier = record.contentType
        title = record.title
        caption = record.caption
        keywords = record.keywords
        rating = record.rating
        capture = record.captureTime.map(CaptureFacts.init)
        camera = CameraFacts(record.camera)
        frameRate = record.frameRate
        contentIdentifier = record.contentIdentifier
        contentVersion = record.contentVersion
        trashedDate = record.trashedDate
    }
}

/// What a library knows of one stored file of an asset.
public struct ResourceFacts: Sendable, Hashable, Identifiable {
    /// The part that a file plays in its asset.
    public enum Role: String, Sendable, Hashable, CaseIterable {
        /// The names are those of `PHAssetResourceType`.
        case photo, video, audio, alternatePhoto, fullSizePhoto, fullSizeVideo, adjustmentData
        /// Further names of `PHAssetResourceType`.
        case adjustmentBasePhoto, pairedVideo, fullSizePairedVideo, adjustmentBasePairedVideo
        /// Further names of `PHAssetResourceType`.
        case adjustmentBaseVideo, photoProxy
        /// An XMP sidecar, for which PhotoKit has no name.
        case sidecar
    }

    /// The resource's own identifier.
    public var id: String
    /// The part it plays.
    public var role: Role
    /// The name of `PHAssetResource.originalFilename`, which no other file of its asset has.
    public var originalFilename: String
    /// Uniform type identifier, by content.
    public var uniformTypeIdentifier: String
    /// Bytes.
    public var fileSize: Int64
    /// 64 lower-case hexadecimal digits.
    public var sha256: String
    /// Upright pixels; 0 when it has none.
    public var pixelWidth: Int
    /// Upright pixels; 0 when it has none.
    public var pixelHeight: Int
    /// Where the file lies, below the library's folder.
    ///
    /// To be looked at, never to be written.
    public var relativePath: String

    /// Whether an edit made it; adjustments that were imported beside an original are an original.
    public var isOfEdit: Bool

    init(_ record: ResourceRecord) {
        id = record.uuid
        role = Role(record.type)
        originalFilename = record.originalFilename
        uniformTypeIdentifier = record.contentType
        fileSize = record.size
        sha256 = record.sha256
        pixelWidth = record.pixelSize.width
        pixelHeight = record.pixelSize.height
        relativePath = record.path
        isOfEdit = record.isOfEdit
    }
}

extension ResourceFacts.Role {
    fileprivate init(_ type: ResourceType) {
        self =
            switch type {
            case .photo: .photo
            case .video: .video
            case .audio: .audio
            case .alternatePhoto: .alternatePhoto
            case .fullSizePhoto: .fullSizePhoto
            case .fullSizeVideo: .fullSizeVideo
            case .adjustmentData: .adjustmentData
            case .adjustmentBasePhoto: .adjustmentBasePhoto
            case .pairedVideo: .pairedVideo
            case .fullSizePairedVideo: .fullSizePairedVideo
            case .adjustmentBasePairedVideo: .adjustmentBasePairedVideo
            case .adjustmentBaseVideo: .adjustmentBaseVideo
            case .photoProxy: .photoProxy
            case .sidecar: .sidecar
            }
    }
}
