package import PhotoModel

/// A request to decode an image to pixels.
///
/// The file type is detected from the content.
package struct DecodeRequest: Codable, Hashable, Sendable {
    /// The part of a file to decode.
    package enum Part: String, Codable, Hashable, Sendable {
        case picture
        /// The stored values of the image's gain map; the requested shape and colors are ignored.
        case gainMap
    }

    /// The movie frame to decode.
    package struct Moment: Codable, Hashable, Sendable {
        /// The frame's time, from the start of the movie.
        package var time: MovieTime
        /// Indicates whether the frame is rotated upright, as the movie's matrix specifies.
        package var isTurned: Bool

        package init(time: MovieTime, isTurned: Bool) {
            self.time = time
            self.isTurned = isTurned
        }
    }

    package var part: Part
    /// The movie frame to decode; nil for the first frame that is not dark.
    ///
    /// With nil, the frame is rotated upright.
    package var moment: Moment?
    package var shape: PixelShape
    package var layout: PixelBufferLayout
    package var colors: PixelColors
    /// Indicates whether an embedded camera preview smaller than the requested size may be used.
    ///
    /// A preview that is at least as large as the requested size is always used, unless the full
    /// size is requested.
    package var takesAnyPreview: Bool
    /// The headroom of an extended-range layout: the maximum brightness as a multiple of white.
    ///
    /// 0 stands for the headroom that the file states.
    package var headroom: Double

    package init(
        shape: PixelShape,
        layout: PixelBufferLayout,
        colors: PixelColors = .sRGB,
        takesAnyPreview: Bool = false,
        headroom: Double = 0,
        part: Part = .picture,
        moment: Moment? = nil
    ) {
        self.moment = moment
        self.part = part
        self.shape = shape
        self.layout = layout
        self.colors = colors
        self.takesAnyPreview = takesAnyPreview
        self.headroom = headroom
    }
}

/// The properties of a decoded file.
package struct DecodedFacts: Codable, Hashable, Sendable {
    package var format: MediaFormat
    /// The uniform type identifier detected from the content.
    package var contentType: String
    /// The full upright size in pixels.
    package var fullSize: PixelSize
    /// Indicates whether the last component is alpha with at least one value below 1.
    package var hasAlpha: Bool
    /// The reason why a part of the image is missing, as text for users; nil for a complete image.
    package var damage: String?
    /// The parameters of the gain map, if it was requested.
    package var gainMap: GainMap?
    /// The presentation time of the decoded movie frame, if the frame was requested by time.
    package var time: MovieTime?

    package init(
        format: MediaFormat,
        contentType: String,
        fullSize: PixelSize,
        hasAlpha: Bool,
        damage: String? = nil,
        gainMap: GainMap? = nil,
        time: MovieTime? = nil
    ) {
        self.time = time
        self.gainMap = gainMap
        self.damage = damage
        self.format = format
        self.contentType = contentType
        self.fullSize = fullSize
        self.hasAlpha = hasAlpha
    }
}

/// A request to encode pixels to a file.
package struct EncodeRequest: Codable, Hashable, Sendable {
    package enum Format: Codable, Hashable, Sendable {
        /// JPEG with a quality of 1...100, libjpeg's scale; alpha is composited over white.
        case jpeg(quality: Int)
        case png
    }

    package var format: Format
    package var pixels: PixelBufferDescription
    /// Indicates whether the fourth byte of a pixel is alpha.
    package var hasAlpha: Bool
    /// The orientation to apply before encoding.
    package var orientation: Orientation

    package init(
        format: Format,
        pixels: PixelBufferDescription,
        hasAlpha: Bool,
        orientation: Orientation = .up
    ) {
        self.format = format
        self.pixels = pixels
        self.hasAlpha = hasAlpha
        self.orientation = orientation
    }
}
