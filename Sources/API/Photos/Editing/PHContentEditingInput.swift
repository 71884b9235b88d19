public import Foundation
internal import LibraryService
internal import PhotoModel
public import PhotosCompanions

/// The input of an editing session: the files of an asset, and the adjustments of its last edit.
///
/// The asset is a photo, a video or a Live Photo. The input is created by
/// ``PHAsset/requestContentEditingInput(with:completionHandler:)`` and is immutable. Its files are
/// the library's own: they may be read, but must not be written to. For a program that uses the
/// daemon, their URLs are valid as long as the input exists.
open class PHContentEditingInput: NSObject, @unchecked Sendable {
    // Unchecked because the class is open. Its state is set once, before it is shared.

    /// The loaded files and the record of the asset.
    struct Found {
        var record: AssetRecord
        var connection: LibraryConnection
        /// The resource of the image or the video.
        var resource: ResourceRecord
        var still: LibraryFile?
        var orientation: Int32 = 1
        var movie: AVAsset?
        /// The movie of a Live Photo.
        var paired: (record: ResourceRecord, file: LibraryFile)?
        var adjustmentData: PHAdjustmentData?
        var image: UIImage?
    }

    /// The loaded files and the asset's record, or nil for an input without an asset.
    let found: Found?

    /// Creates an input that has no asset and whose properties have default values.
    ///
    /// Programs subclass the class to make a test double.
    public override init() {
        found = nil
        super.init()
    }

    init(_ found: Found) {
        self.found = found
        super.init()
    }

    /// The media type of the asset.
    open var mediaType: PHAssetMediaType {
        found.flatMap { PHAssetMediaType(rawValue: $0.record.mediaType.rawValue) } ?? .unknown
    }

    /// The media subtypes of the files to edit.
    open var mediaSubtypes: PHAssetMediaSubtype {
        guard let found else { return [] }
        var subtypes = found.record.mediaSubtypes
        if found.paired != nil {
            subtypes.insert(.photoLive)
        } else {
            subtypes.remove(.photoLive)
        }
        return PHAssetMediaSubtype(rawValue: subtypes.rawValue)
    }

    /// The date on which the photo or video was taken.
    open var creationDate: Date? { found?.record.creationDate }

    /// The location where the photo or video was taken.
    open var location: CLLocation? {
        guard let record = found?.record, let place = record.location else { return nil }
        return CLLocation(place, timestamp: record.creationDate ?? record.addedDate)
    }

    /// The type identifier of the file to edit.
    open var uniformTypeIdentifier: String? { found?.resource.contentType }

    /// The content type of the file to edit.
    open var contentType: UTType? { uniformTypeIdentifier.flatMap { UTType($0) } }

    /// The playback style of the files to edit.
    open var playbackStyle: PHAsset.PlaybackStyle {
        guard let found else { return .unsupported }
        if found.paired != nil { return .livePhoto }
        let style = PHAsset.PlaybackStyle(rawValue: found.record.playbackStyle.rawValue)
        return style == .livePhoto ? .image : style ?? .unsupported
    }

    /// The adjustments of the last edit; nil if there are none, or if the editor cannot continue
    /// from them.
    ///
    /// The editor declares whether it can in
    /// ``PHContentEditingInputRequestOptions/canHandleAdjustmentData``.
    open var adjustmentData: PHAdjustmentData? { found?.adjustmentData }

    /// The upright image of at most 2048 pixels per side; for a video, its first frame.
    open var displaySizeImage: UIImage? { found?.image }

    /// The URL of the image file, or nil for a video.
    open var fullSizeImageURL: URL? { found?.still?.url }

    /// The EXIF orientation (1...8) that makes the pixels of ``fullSizeImageURL`` upright.
    ///
    /// It is 1 for HEIF, AVIF, JPEG XL and RAW files, because their decoders apply the orientation.
    open var fullSizeImageOrientation: Int32 { found?.orientation ?? 1 }

    /// The video, or nil for a photo.
    open var audiovisualAsset: AVAsset? { found?.movie }

    /// The video; an older name of ``audiovisualAsset``.
    open var avAsset: AVAsset? { audiovisualAsset }

    /// The Live Photo, or nil for any other asset.
    ///
    /// Its still image is ``displaySizeImage``, and is missing if that image was skipped.
    open var livePhoto: PHLivePhoto? {
        guard let found, let paired = found.paired else { return nil }
        let request = ResourceListRequest(assetUUID: found.record.uuid)
        let all = (try? found.connection.service().listResources(request))?.resources.named ?? []
        let halves = [(found.resource, found.still), (paired.record, paired.file)]
        return PHLivePhoto(
            image: found.image ?? UIImage(),
            resources: halves.map { record, file in
                PHAssetResource(
                    record: all.first { $0.uuid == record.uuid } ?? record,
                    connection: found.connection,
                    file: file
                )
            }
        )
    }

    /// The content type and the file, for debugging.
    open override var description: String {
        let url = fullSizeImageURL ?? (audiovisualAsset as? AVURLAsset)?.url
        let type = uniformTypeIdentifier ?? "no type"
        return "<\(Swift.type(of: self)) \(type), \(url?.path ?? "no file")>"
    }
}
