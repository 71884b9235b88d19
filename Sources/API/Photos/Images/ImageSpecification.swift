internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import ProgramAccess

/// A request for a picture, freed of what a client may change or say in several ways.
struct ImageSpecification: Sendable {
    let record: AssetRecord
    let connection: LibraryConnection
    let version: ImageRequest.Version
    let delivery: PHImageRequestOptionsDeliveryMode
    /// What the last result is.
    let shape: PixelShape
    /// What stands in for it while it is made; the same where the shape has a size.
    let earlierShape: PixelShape
    let range: PixelRange
    let takesLarger: Bool
    let wantsSecondEarlier: Bool
    /// What the program was permitted when it asked: pictures from before a choice are not handed out
    /// after it.
    let generation: Int

    /// Nil for an asset of no library, or one that is gone.
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

    /// Whether an early result may be all that was asked for.
    var canBeReadyEarly: Bool { shape == earlierShape }

    func request(
        _ quality: ImageRequest.Quality,
        shape: PixelShape? = nil,
        range: PixelRange? = nil,
        priority: ImageRequest.Priority = .visible,
        ticket: String? = nil
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

    /// A headroom that makes sense; 0 for as much as there is.
    private static func headroom(_ value: CGFloat) -> Double {
        value.isFinite && value > 0 ? max(1, Double(value)) : 0
    }

    /// A size that makes sense; nil for all pixels, which a side of zero or less asks for.
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
