package import PhotoModel

/// A frame of a movie in conversion, in sealed memory.
package struct ShownFrame: Sendable {
    package let facts: MovieFrameFacts
    package let pixels: SealedPixels
}

/// The replacement for a movie frame.
package enum DrawnFrame: Sendable {
    /// The frame is encoded unchanged.
    case unchanged
    /// Rows of `rgba` or `rgbx`; alpha is ignored.
    ///
    /// The sides are even, and all replacements in a movie have the same size.
    case picture(SealedPixels)
    /// The conversion is canceled.
    case stopped
}

/// A handler that receives a movie's frames one after another; its duration is not limited.
package typealias FrameDrawing = (ShownFrame) -> DrawnFrame
