/// A request to render a recipe.
package struct PictureRendering: Codable, Hashable, Sendable {
    /// An input image of a recipe; its bytes are passed separately.
    package enum Source: Codable, Hashable, Sendable {
        /// A file in any format that the library reads, with its size in pixels.
        ///
        /// The orientation that the file states is not applied.
        case file(PixelSize)
        /// Rows of pixels.
        case pixels(PixelBufferDescription, PixelComponents)

        package var size: PixelSize {
            switch self {
            case .file(let size): size
            case .pixels(let description, _): description.size
            }
        }
    }

    /// The order of a pixel's components and the meaning of the last one.
    package struct PixelComponents: Codable, Hashable, Sendable {
        package enum Alpha: String, Codable, Hashable, Sendable {
            /// The last component has no meaning.
            case ignored
            case straight
            /// The color components are multiplied by alpha.
            case premultiplied
        }

        package var alpha: Alpha
        /// Indicates whether blue is the first component and red the third.
        package var isBlueFirst: Bool

        package init(alpha: Alpha, isBlueFirst: Bool = false) {
            self.alpha = alpha
            self.isBlueFirst = isBlueFirst
        }
    }

    /// The format of the result.
    package enum Output: Codable, Hashable, Sendable {
        /// Rows of pixels in the layout `rgba` or `rgbaHalf`.
        ///
        /// The last component is always alpha, never `ignored`.
        case pixels(PixelBufferLayout, PixelComponents)
        /// JPEG with a quality of 1...100, libjpeg's scale; transparent parts become black.
        case jpeg(quality: Int)
        case png
        /// HEIF with a quality of 1...100 and 8 bits per component.
        case heif(quality: Int)
        /// Uncompressed TIFF.
        case tiff
    }

    /// The source whose EXIF metadata is copied to the file, and the orientation to write.
    package struct Metadata: Codable, Hashable, Sendable {
        package var source: Int
        package var orientation: Orientation

        package init(source: Int, orientation: Orientation) {
            self.source = source
            self.orientation = orientation
        }
    }

    /// The maximum number of sources of a rendering, which limits the open files of a renderer.
    package static let maximumSources = 32

    package var recipe: PictureRecipe
    package var sources: [Source]
    /// The part of the image to render, with integer coordinates.
    ///
    /// Pixels outside the image's extent are transparent.
    package var region: RecipeRectangle
    package var output: Output
    package var colors: PixelColors
    /// Indicates whether operations receive linear light instead of sRGB-encoded values.
    package var isLinear: Bool
    package var metadata: Metadata?
    /// The metadata for the file; it replaces the EXIF metadata of a source.
    package var attachments: PictureAttachments?

    package init(
        recipe: PictureRecipe,
        sources: [Source],
        region: RecipeRectangle,
        output: Output,
        colors: PixelColors,
        isLinear: Bool = true,
        metadata: Metadata? = nil,
        attachments: PictureAttachments? = nil
    ) {
        self.recipe = recipe
        self.sources = sources
        self.region = region
        self.output = output
        self.colors = colors
        self.isLinear = isLinear
        self.metadata = metadata
        self.attachments = attachments
    }
}
