package import PhotoModel

/// A frame of a movie that is converted, in sealed memory.
package struct ShownFrame: Sendable {
    package let facts: MovieFrameFacts
    package let pixels: SealedPixels
}

/// What is encoded in place of a frame.
package enum DrawnFrame: Sendable {
    /// The frame itself.
    case unchanged
    /// Rows of `rgba` or `rgbx`; alpha means nothing.
    ///
    /// Of even sides, and as large as all others of the movie.
    case picture(SealedPixels)
    /// The movie is not wanted any more.
    case stopped
}

/// Shown a movie's frames, one after another; how long it takes is its own business.
package typealias FrameDrawing = (ShownFrame) -> DrawnFrame
