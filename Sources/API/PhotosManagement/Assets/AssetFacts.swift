public import Foundation
internal import PhotoModel

/// The metadata of an asset beyond the properties of `PHAsset`.
public struct AssetFacts: Sendable, Hashable, Identifiable {
    /// The asset's local identifier.
    public var localIdentifier: String
    /// The file name at import.
    public var originalFilename: String
    /// The uniform type identifier of the primary resource, detected from its content.
    public var uniformTypeIdentifier: String
    /// The title, from the file or set by a person.
    public var title: String?
    /// The description, from the file or set by a person.
    public var caption: String?
    /// The keywords, in the file's order.
    public var keywords: [String]
    /// The rating, -1...5: 0 for an unrated asset, -1 for a rejected one.
    public var rating: Int
    /// The capture time and its sources.
    public var capture: CaptureFacts?
    /// The camera and its settings.
    public var camera: CameraFacts
    /// The frame rate of a movie, in frames per second.
    public var frameRate: Double?
    /// The identifier that the still and the movie of a Live Photo share.
    public var contentIdentifier: String?
    /// A version number that increases whenever the visible pixels or frames change.
    public var contentVersion: Int
    /// The date of the move to Recently Deleted; nil for an asset that is not in Recently Deleted.
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

/// The metadata of one stored file of an asset.
public struct ResourceFacts: Sendable, Hashable, Identifiable {
    /// The role of a file in its asset.
    public enum Role: String, Sendable, Hashable, CaseIterable {
        /// Roles that correspond to the `PHAssetResourceType` cases of the same names.
        case photo, video, audio, alternatePhoto, fullSizePhoto, fullSizeVideo, adjustmentData
        /// Further roles that correspond to the `PHAssetResourceType` cases of the same names.
        case adjustmentBasePhoto, pairedVideo, fullSizePairedVideo, adjustmentBasePairedVideo
        /// Further roles that correspond to the `PHAssetResourceType` cases of the same names.
        case adjustmentBaseVideo, photoProxy
        /// An XMP sidecar; PhotoKit has no such type.
        case sidecar
    }

    /// The UUID of the resource.
    public var id: String
    /// The role of the file in its asset.
    public var role: Role
    /// The name from `PHAssetResource.originalFilename`, unique among the files of its asset.
    public var originalFilename: String
    /// The uniform type identifier, detected from the content.
    public var uniformTypeIdentifier: String
    /// The file size in bytes.
    public var fileSize: Int64
    /// The SHA-256 as 64 lowercase hexadecimal digits.
    public var sha256: String
    /// The width of the upright image in pixels; 0 for a file without pixels.
    public var pixelWidth: Int
    /// The height of the upright image in pixels; 0 for a file without pixels.
    public var pixelHeight: Int
    /// The path of the file, relative to the library's folder.
    ///
    /// The file may be read and must never be written.
    public var relativePath: String

    /// Indicates whether an edit created the file.
    ///
    /// Adjustments that were imported together with an original count as originals.
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
