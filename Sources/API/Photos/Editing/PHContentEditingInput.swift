public import Foundation
internal import LibraryService
internal import PhotoModel
public import PhotosCompanions

/// What an editor begins with: the files of a photo, a video or a Live Photo, and what an editor did
/// before.
///
/// Made by ``PHAsset/requestContentEditingInput(with:completionHandler:)``. It never changes. The files
/// are the library's own: they may be read, and must not be written to.
open class PHContentEditingInput: NSObject, @unchecked Sendable {
    // Unchecked because the class is open; what it stores is set once, before anybody else has it.

    /// What was found, with the asset's own values.
    struct Found {
        var record: AssetRecord
        var connection: LibraryConnection
        /// The picture, or the video.
        var resource: ResourceRecord
        var stillURL: URL?
        var orientation: Int32 = 1
        var movie: AVAsset?
        /// The movie of a Live Photo.
        var paired: (record: ResourceRecord, url: URL)?
        var adjustmentData: PHAdjustmentData?
        var image: UIImage?
    }

    /// Nil for an input of no asset.
    let found: Found?

    /// An input of no asset, without values.
    ///
    /// Programs subclass the class as a test double.
    public override init() {
        found = nil
        super.init()
    }

    init(_ found: Found) {
        self.found = found
        super.init()
    }

    /// What kind of medium it is.
    open var mediaType: PHAssetMediaType {
        found.flatMap { PHAssetMediaType(rawValue: $0.record.mediaType.rawValue) } ?? .unknown
    }

    /// What is special about the files that the editor begins with.
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

    /// When the photo or video was taken.
    open var creationDate: Date? { found?.record.creationDate }

    /// Where the photo or video was taken.
    open var location: CLLocation? {
        guard let record = found?.record, let place = record.location else { return nil }
        return CLLocation(place, timestamp: record.creationDate ?? record.addedDate)
    }

    /// What kind of file the editor begins with.
    open var uniformTypeIdentifier: String? { found?.resource.contentType }

    /// What kind of file the editor begins with.
    open var contentType: UTType? { uniformTypeIdentifier.flatMap { UTType($0) } }

    /// How it is presented.
    open var playbackStyle: PHAsset.PlaybackStyle {
        guard let found else { return .unsupported }
        if found.paired != nil { return .livePhoto }
        let style = PHAsset.PlaybackStyle(rawValue: found.record.playbackStyle.rawValue)
        return style == .livePhoto ? .image : style ?? .unsupported
    }

    /// What an editor did before, for one that said that it can go on with it; else nil.
    open var adjustmentData: PHAdjustmentData? { found?.adjustmentData }

    /// The picture, upright and no larger than 2048 pixels; of a video its first frame.
    open var displaySizeImage: UIImage? { found?.image }

    /// The file of the picture; nil for a video.
    open var fullSizeImageURL: URL? { found?.stillURL }

    /// How the pixels of ``fullSizeImageURL`` have to be turned to be upright: EXIF's number, 1...8.
    ///
    /// 1 for HEIF files, whose decoders turn.
    open var fullSizeImageOrientation: Int32 { found?.orientation ?? 1 }

    /// The video; nil for a photo.
    open var audiovisualAsset: AVAsset? { found?.movie }

    /// The older name of ``audiovisualAsset``.
    open var avAsset: AVAsset? { audiovisualAsset }

    /// The Live Photo, its still as ``displaySizeImage``; nil for anything else, and where that image
    /// was skipped it has no still.
    open var livePhoto: PHLivePhoto? {
        guard let found, let paired = found.paired else { return nil }
        let request = ResourceListRequest(assetUUID: found.record.uuid)
        let all = (try? found.connection.service().listResources(request))?.resources.named ?? []
        let halves = [(found.resource, found.stillURL), (paired.record, paired.url)]
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

    /// The medium and the file, for a person.
    open override var description: String {
        let url = fullSizeImageURL ?? (audiovisualAsset as? AVURLAsset)?.url
        let type = uniformTypeIdentifier ?? "no type"
        return "<\(Swift.type(of: self)) \(type), \(url?.path ?? "no file")>"
    }
}
