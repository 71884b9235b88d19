/// What is to be made of a recipe.
package struct PictureRendering: Codable, Hashable, Sendable {
    /// A picture that a recipe starts from; its bytes come beside it.
    package enum Source: Codable, Hashable, Sendable {
        /// A file of any kind that the library reads, not turned as its orientation says; its size in
        /// pixels.
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

    /// How the components of a pixel lie and what the last one means.
    package struct PixelComponents: Codable, Hashable, Sendable {
        package enum Alpha: String, Codable, Hashable, Sendable {
            /// The last component means nothing.
            case ignored
            case straight
            /// Colours are multiplied with it.
            case premultiplied
        }

        package var alpha: Alpha
        /// Whether blue comes first and red third.
        package var isBlueFirst: Bool

        package init(alpha: Alpha, isBlueFirst: Bool = false) {
            self.alpha = alpha
            self.isBlueFirst = isBlueFirst
        }
    }

    /// What comes of it.
    package enum Output: Codable, Hashable, Sendable {
        /// Rows of `rgba` or `rgbaHalf`; there alpha is never ignored.
        case pixels(PixelBufferLayout, PixelComponents)
        /// 1...100, libjpeg's scale; what is transparent becomes black.
        case jpeg(quality: Int)
        case png
        /// 1...100; 8 bits a component.
        case heif(quality: Int)
        /// Not compressed.
        case tiff
    }

    /// Which source's EXIF a file gets, and which orientation it says.
    package struct Metadata: Codable, Hashable, Sendable {
        package var source: Int
        package var orientation: Orientation

        package init(source: Int, orientation: Orientation) {
            self.source = source
            self.orientation = orientation
        }
    }

    /// No recipe needs more pictures: a renderer has so many files open at once.
    package static let maximumSources = 8

    package var recipe: PictureRecipe
    package var sources: [Source]
    /// What of the picture is wanted: whole numbers; beside the picture there is nothing.
    package var region: RecipeRectangle
    package var output: Output
    package var colors: PixelColors
    /// Whether operations see light; otherwise sRGB's signal.
    package var isLinear: Bool
    package var metadata: Metadata?
    /// What a file gets in place of a source's EXIF.
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
