/// The description of a decoded movie frame, sent by a worker to the host process.
///
/// The host may replace the frame before the worker encodes it. The pixels are upright rows of red,
/// green, blue and 255.
package struct MovieFrameFacts: Codable, Hashable, Sendable {
    package var size: PixelSize
    /// The color space: sRGB or Display P3.
    package var colors: PixelColors
    /// The time of the frame, relative to the start of the movie.
    package var time: MovieTime

    package init(size: PixelSize, colors: PixelColors, time: MovieTime) {
        self.size = size
        self.colors = colors
        self.time = time
    }

    /// The memory layout of the frame's pixels.
    package var pixels: PixelBufferDescription {
        PixelBufferDescription(size: size, layout: .rgba, colors: colors)
    }
}
