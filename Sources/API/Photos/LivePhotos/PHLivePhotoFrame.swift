public import Foundation
public import PhotosCompanions

/// A frame of a Live Photo that is being edited: its still, or a frame of its movie.
///
/// Frames come from a ``PHLivePhotoEditingContext``; there is no need to make any.
public protocol PHLivePhotoFrame {
    /// The frame's picture, upright, its lower left corner at the origin.
    ///
    /// It can be kept: its pixels stay in memory as long as it, or a picture made of it, is there.
    var image: CIImage { get }

    /// When it is shown, from the Live Photo's begin; for the still, when that was taken.
    var time: CMTime { get }

    /// Whether it is the still or a frame of the movie.
    var type: PHLivePhotoFrameType { get }

    /// How large the frame is, with the still in full size as 1.
    ///
    /// Multiply lengths in pixels with it (a blur's radius, a border), and they look the same in all
    /// frames.
    var renderScale: CGFloat { get }
}

/// What a frame of a Live Photo is.
public enum PHLivePhotoFrameType: Int, Hashable, Sendable {
    /// The still.
    case photo = 0
    /// A frame of the movie.
    case video = 1
}

/// Draws a frame of a Live Photo.
///
/// It is called with one frame at a time, on no particular thread. What it returns takes the frame's place;
/// filters are drawn after it has returned, in one pass. To give up, return nil and set the error, which
/// the whole edit then fails with.
public typealias PHLivePhotoFrameProcessingBlock = (any PHLivePhotoFrame, NSErrorPointer) ->
    CIImage?

/// A frame on its way to a program.
struct LivePhotoFrame: PHLivePhotoFrame {
    let image: CIImage
    let time: CMTime
    let type: PHLivePhotoFrameType
    let renderScale: CGFloat
}
