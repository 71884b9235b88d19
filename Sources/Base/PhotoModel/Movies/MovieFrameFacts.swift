/// A frame of a movie that is shown before it is encoded: rows of red, green, blue and 255, upright.
package struct MovieFrameFacts: Codable, Hashable, Sendable {
    package var size: PixelSize
    /// sRGB or Display P3.
    package var colors: PixelColors
    /// From the movie's begin.
    package var time: MovieTime

    package init(size: PixelSize, colors: PixelColors, time: MovieTime) {
        self.size = size
        self.colors = colors
        self.time = time
    }

    /// How its pixels lie in memory.
    package var pixels: PixelBufferDescription {
        PixelBufferDescription(size: size, layout: .rgba, colors: colors)
    }
}
