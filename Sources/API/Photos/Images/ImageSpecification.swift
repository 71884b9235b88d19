internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import ProgramAccess

/// An image request with all options normalized to immutable values.
struct ImageSpecification: Sendable {
    let record: AssetRecord
    let connection: LibraryConnection
    let version: ImageRequest.Version
    let delivery: PHImageRequestOptionsDeliveryMode
    /// The shape of the final result.
    let shape: PixelShape
    /// The shape of the images that are delivered before the final result.
    ///
    /// It equals `shape` unless `shape` requests all pixels.
    let earlierShape: PixelShape
    let range: PixelRange
    let takesLarger: Bool
    let wantsSecondEarlier: Bool
    /// The value, at the time of the request, of a counter that increases when any program's
    /// permission changes.
    ///
    /// It prevents the delivery of images that were cached before a change of permission. It is 0
    /// for the library's owner, who needs no permission.
    let generation: Int

    /// Creates a specification; returns nil for an asset that has no library or could not be
    /// loaded.
    init?(
        _ asset: PHAsset,
        targetSize: CGSize,
        contentMode: PHImageContentMode,
        options: PHImageRequestOptions?
    ) {
        guard let record = asset.record, let connection = asset.connection else { return nil }
        let options = options ?? PHImageRequestOptions()
        self.record = record
        self.connection = connection
        generation = connection.permission?.program.generation ?? 0
        version = ImageRequest.Version(options.version)
        delivery = options.isSynchronous ? .highQualityFormat : options.deliveryMode
        wantsSecondEarlier = options.allowSecondaryDegradedImage
        let size = Self.pixels(targetSize)
        let crop = size == nil ? nil : Self.crop(options.normalizedCropRect)
        let isExact = options.resizeMode == .exact
        let fitting: PixelShape.Fitting =
            contentMode == .aspectFit
            ? (isExact ? .exactFit : .fit) : (isExact ? .exactFill : .fill)
        let isWhole = size == nil || options.resizeMode == .none
        shape =
            isWhole ? PixelShape(crop: crop) : PixelShape(size: size, fitting: fitting, crop: crop)
        let screen = PixelSize(width: 1024, height: 1024)
        earlierShape =
            isWhole ? PixelShape(size: size ?? screen, fitting: .fit, crop: crop) : shape
        range =
            options.preferHDR
            ? .high(headroom: Self.headroom(options.targetHDRHeadroom)) : .standard
        takesLarger = options.resizeMode == .fast
    }

    /// The file from which the image is made.
    var file: DownloadRequest.File { .image(assetUUID: record.uuid, version: version) }

    /// Indicates whether an early result can be the complete result.
    var canBeReadyEarly: Bool { shape == earlierShape }

    func request(
        _ quality: ImageRequest.Quality,
        shape: PixelShape? = nil,
        range: PixelRange? = nil,
        priority: ImageRequest.Priority = .visible,
        ticket: CallTicket? = nil
    ) -> ImageRequest {
        ImageRequest(
            assetUUID: record.uuid,
            version: version,
            shape: shape ?? self.shape,
            range: range ?? self.range,
            quality: quality,
            priority: priority,
            takesLarger: takesLarger,
            ticket: ticket
        )
    }

    /// Returns the HDR headroom for a client's value: at least 1, or 0 if the value is invalid.
    ///
    /// A valid value is positive and finite. 0 selects the maximum available headroom.
    private static func headroom(_ value: CGFloat) -> Double {
        value.isFinite && value > 0 ? max(1, Double(value)) : 0
    }

    /// Returns a size in whole pixels, or nil if a side is not positive or is too large.
    ///
    /// Nil selects all pixels.
    static func pixels(_ size: CGSize) -> PixelSize? {
        guard size.width.isFinite, size.height.isFinite, size.width > 0, size.height > 0,
            size.width < 16_777_216, size.height < 16_777_216
        else { return nil }
        return PixelSize(
            width: max(1, Int(size.width.rounded())),
            height: max(1, Int(size.height.rounded()))
        )
    }

    private static func crop(_ rectangle: CGRect) -> UnitRectangle? {
        let standard = rectangle.standardized
        guard standard.width > 0, standard.height > 0 else { return nil }
        return UnitRectangle(
            x: standard.minX,
            y: standard.minY,
            width: standard.width,
            height: standard.height
        )
    }
}

extension ImageRequest.Version {
    init(_ version: PHImageRequestOptionsVersion) {
        self =
            switch version {
            case .current: .current
            case .unadjusted: .unadjusted
            case .original: .original
            }
    }
}
