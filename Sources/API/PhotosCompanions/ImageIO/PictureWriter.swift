internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerClient

/// A writer that uses a worker to encode one image and its metadata as a file.
struct PictureWriter {
    private let format: CGImageDestination.Format
    private let properties: [String: Any]
    private let image: CIImage
    private let gainMap: AuxiliaryGainMap?

    init(_ picture: CGImageDestination.Picture, _ format: CGImageDestination.Format) {
        self.format = format
        properties = picture.properties
        gainMap = picture.gainMap
        var image = Self.scaled(picture.image, properties)
        if format == .jpeg, picture.mayHaveAlpha {
            let white = CIImage(color: .white).cropped(to: image.extent)
            image = image.composited(over: white)
        }
        self.image = image
        colorSpace = picture.image.colorSpace ?? .standard
    }

    private let colorSpace: CGColorSpace

    func file() throws(CIRenderingError) -> SealedMemory {
        // Nonlinear processing keeps pixels exact that are only copied.
        let drawing = Drawing(isLinear: false, priority: .visible)
        var attachments = PictureAttachments()
        let orientation = PropertyTags.orientation(properties)
        attachments.orientation = orientation ?? .up
        attachments.tags =
            PropertyTags(
                properties,
                size: PixelSize(width: Int(image.extent.width), height: Int(image.extent.height)),
                isSRGB: colorSpace == .standard
            ).directories
        attachments.xmp = XMPWriter.packet(properties)
        if format == .jpeg || format == .tiff { attachments.iptc = IPTCWriter.block(properties) }
        var map: RecipeSource?
        if let gainMap, format == .jpeg || format == .heic {
            let pixels = try gainMap.pixels()
            attachments.gainMap = PictureAttachments.GainMapPicture(
                source: 0,
                size: gainMap.size,
                isGray: gainMap.isGray,
                xmp: XMPWriter.packet(gainMap.map)
            )
            map = pixels
        }
        return try drawing.file(
            image,
            as: output,
            colorSpace,
            attachments: attachments,
            gainMap: map
        )
    }

    private var output: PictureRendering.Output {
        switch format {
        case .jpeg: .jpeg(quality: quality)
        case .heic: .heif(quality: quality)
        case .png: .png
        case .tiff: .tiff
        }
    }

    /// The quality on libjpeg's scale, 1...100.
    private var quality: Int {
        let said = PropertyValue.number(properties["kCGImageDestinationLossyCompressionQuality"])
        guard let said, said.isFinite else { return 90 }
        return max(1, Int((min(max(said, 0), 1) * 100).rounded()))
    }

    /// Returns the image, scaled down if its longer side exceeds the maximum in the properties.
    private static func scaled(_ image: CIImage, _ properties: [String: Any]) -> CIImage {
        let most = PropertyValue.number(properties["kCGImageDestinationImageMaxPixelSize"])
        let longer = Double(max(image.extent.width, image.extent.height))
        guard let most, most >= 1, longer > most else { return image }
        let factor = most / longer
        let across = max(1, (Double(image.extent.width) * factor).rounded())
        let down = max(1, (Double(image.extent.height) * factor).rounded())
        return image.adding(
            .scale(
                horizontal: across / Double(image.extent.width),
                vertical: down / Double(image.extent.height)
            )
        )
    }
}

extension CGImage {
    /// The image, converted to SDR if it is HDR; nil if memory can't be allocated.
    var plain: CGImage? {
        guard memory.description.layout == .rgbaHalf else { return self }
        let description = PixelBufferDescription(
            size: memory.description.size,
            layout: .rgba,
            colors: .displayP3
        )
        guard let length = description.length else { return nil }
        let made = SealedMemory.make(length: length) { buffer in
            memory.withBytes { PlainPixels.make(of: $0, into: buffer) }
            return true
        }
        guard let made else { return nil }
        let owner = Descriptor(owning: made)
        let pixels = withExtendedLifetime(owner) {
            PixelMemory(
                description: description,
                descriptor: owner.number,
                maximumSide: WorkerPool.maximumDecodedSide
            )
        }
        return pixels.map { CGImage(memory: $0, hasAlpha: hasAlpha) }
    }
}
