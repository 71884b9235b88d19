package import PhotoModel

/// Asks for a picture's pixels.
///
/// What the file is, is told from its bytes.
package struct DecodeRequest: Codable, Hashable, Sendable {
    /// What of a file is decoded.
    package enum Part: String, Codable, Hashable, Sendable {
        case picture
        /// The numbers of its gain map, as they are stored, whatever the shape and the colors say.
        case gainMap
    }

    /// Which frame of a movie is decoded.
    package struct Moment: Codable, Hashable, Sendable {
        /// From the movie's begin.
        package var time: MovieTime
        /// Whether the frame is turned upright, as the movie says.
        package var isTurned: Bool

        package init(time: MovieTime, isTurned: Bool) {
            self.time = time
            self.isTurned = isTurned
        }
    }

    package var part: Part
    /// Nil for the first frame that shows something, upright.
    package var moment: Moment?
    package var shape: PixelShape
    package var layout: PixelBufferLayout
    package var colors: PixelColors
    /// Whether a preview that the camera embedded will do even when it is smaller than what is wanted.
    ///
    /// One that is large enough is taken anyhow, where all of the picture is not wanted.
    package var takesAnyPreview: Bool
    /// Of an HDR layout: how many times brighter than white a pixel may be; 0 for as bright as the file
    /// says.
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

/// What a decoded file was.
package struct DecodedFacts: Codable, Hashable, Sendable {
    package var format: MediaFormat
    /// Uniform type identifier by content.
    package var contentType: String
    /// Upright pixels that there are in full.
    package var fullSize: PixelSize
    /// Whether the last component is alpha, not one throughout.
    package var hasAlpha: Bool
    /// Why a part of the picture is missing, in words for people; nil for one that is whole.
    package var damage: String?
    /// How the numbers of a gain map are meant that was asked for.
    package var gainMap: GainMap?
    /// When the frame of a movie is shown that was asked for by its time.
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

/// Asks for pixels as a file.
package struct EncodeRequest: Codable, Hashable, Sendable {
    package enum Format: Codable, Hashable, Sendable {
        /// 1...100, libjpeg's scale; alpha is laid on white.
        case jpeg(quality: Int)
        case png
    }

    package var format: Format
    package var pixels: PixelBufferDescription
    /// Whether the fourth byte is alpha.
    package var hasAlpha: Bool
    /// How the pixels are turned before they are encoded.
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
