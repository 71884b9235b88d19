internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerClient

extension CIImage {
    /// Creates an image of a movie's frame, oriented upright.
    convenience init(_ frame: ShownFrame) {
        let memory = frame.pixels.duplicated()
        guard memory >= 0 else {
            self.init(
                PictureRecipe(),
                of: [],
                in: .empty,
                failure: CIRenderingError(
                    .unreadablePicture,
                    "The frame cannot be opened: too many files are open.",
                    recovery: "Release other frames."
                )
            )
            return
        }
        let space = frame.facts.colors == .displayP3 ? CGColorSpace.displayP3 : CGColorSpace.sRGB
        self.init(
            RecipeSource(
                .pixels(
                    frame.facts.pixels,
                    PictureRendering.PixelComponents(alpha: .ignored)
                ),
                .pixels(Descriptor(owning: memory)),
                name: "The frame"
            ),
            colorSpace: CGColorSpace(name: space)
        )
    }
}

/// The region of each rendered frame that becomes part of a movie.
///
/// All regions of a movie have the same size, with even sides.
struct FrameWindow {
    private static let sides: ClosedRange<CGFloat> = 16...16_384
    /// The maximum difference in width or height, in pixels, between a frame and the first frame.
    private static let tolerance: CGFloat = 2

    /// The size of the region, which the first frame determines; nil before the first frame.
    private(set) var size: CGSize?

    /// Returns the rectangle to render for a frame, and the image to render in it.
    ///
    /// - Parameters:
    ///   - image: The output of the composition for one frame.
    ///   - frame: The rectangle of the frame itself, which bounds an infinite image.
    /// - Returns: The image and the rectangle. The image is clamped to its extent if it is slightly
    ///   too small.
    /// - Throws: ``CIRenderingError`` if the image can't be a frame of the movie.
    mutating func place(
        _ image: CIImage,
        of frame: CGRect
    ) throws(CIRenderingError) -> (image: CIImage, rect: CGRect) {
        if let failure = image.failure { throw failure }
        let whole = Self.extent(of: image, at: frame)
        guard Self.sides.contains(whole.width), Self.sides.contains(whole.height) else {
            throw CIRenderingError(
                .invalidExtent,
                "A frame of \(Self.words(whole.size)) cannot be encoded.",
                recovery: "Crop or scale it to sides of 16 to 16,384 pixels."
            )
        }
        let even = CGSize(
            width: whole.width - whole.width.truncatingRemainder(dividingBy: 2),
            height: whole.height - whole.height.truncatingRemainder(dividingBy: 2)
        )
        let size = self.size ?? even
        guard abs(size.width - even.width) <= Self.tolerance,
            abs(size.height - even.height) <= Self.tolerance
        else {
            throw CIRenderingError(
                .invalidExtent,
                "A frame has \(Self.words(even)), but those before it have \(Self.words(size)).",
                recovery: "Use the same size for all frames of a movie."
            )
        }
        self.size = size
        // The top left corner stays in place.
        let rect = CGRect(
            x: whole.minX,
            y: whole.maxY - size.height,
            width: size.width,
            height: size.height
        )
        return (whole.contains(rect) ? image : image.clampedToExtent(), rect)
    }

    /// Returns the image's extent in whole pixels, or the frame's extent if the image is infinite.
    static func extent(of image: CIImage, at frame: CGRect) -> CGRect {
        let extent = image.extent
        if extent.isNull || extent.isEmpty { return .zero }
        let isEndless = extent.isInfinite || max(extent.width, extent.height) > 1_000_000
        return (isEndless ? frame : extent).integral
    }

    private static func words(_ size: CGSize) -> String {
        "\(Int(size.width)) × \(Int(size.height)) pixels"
    }
}
