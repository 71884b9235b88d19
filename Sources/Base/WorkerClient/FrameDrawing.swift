package import PhotoModel

/// A frame of a movie that is being converted, in sealed memory.
package struct ShownFrame: Sendable {
    package let facts: MovieFrameFacts
    package let pixels: SealedPixels
}

/// The result of handling a movie frame: keep it, replace it, or stop the conversion.
package enum DrawnFrame: Sendable {
    /// The frame is encoded unchanged.
    case unchanged
    /// The replacement for the frame, in rows of `rgba` or `rgbx`; alpha is ignored.
    ///
    /// The sides are even, and all replacements in a movie have the same size.
    case picture(SealedPixels)
    /// The conversion must be canceled.
    case stopped
}

/// A handler that receives a movie's frames one after another, without a time limit.
package typealias FrameDrawing = (ShownFrame) -> DrawnFrame
