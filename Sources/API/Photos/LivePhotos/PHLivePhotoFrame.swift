public import Foundation
public import PhotosCompanions

/// A frame of a Live Photo that is being edited: its still image, or a frame of its movie.
///
/// Frames are created by a ``PHLivePhotoEditingContext``, not by clients.
public protocol PHLivePhotoFrame {
    /// The image of the frame, upright, with its lower left corner at the origin.
    ///
    /// You can retain it: its pixels stay in memory as long as the image, or an image derived from
    /// it.
    var image: CIImage { get }

    /// The time of the frame from the start of the movie.
    ///
    /// For the still image, it is ``PHLivePhotoEditingContext/photoTime``.
    var time: CMTime { get }

    /// The type of the frame: still image or frame of the movie.
    var type: PHLivePhotoFrameType { get }

    /// The frame's scale relative to the still image in full size.
    ///
    /// Multiply lengths in pixels, such as a blur's radius or a border, by this scale, so that they
    /// look the same in all frames.
    var renderScale: CGFloat { get }
}

/// The type of a Live Photo's frame.
public enum PHLivePhotoFrameType: Int, Hashable, Sendable {
    /// The still image.
    case photo = 0
    /// A frame of the movie.
    case video = 1
}

/// A block that processes a frame of a Live Photo.
///
/// It is called with one frame at a time, on an unspecified thread. Its result replaces the frame.
/// Filters are rendered in one pass after it returns. To stop the edit, return nil and set the
/// error, with which the whole edit then fails.
public typealias PHLivePhotoFrameProcessingBlock = (any PHLivePhotoFrame, NSErrorPointer) ->
    CIImage?

/// The frame that is passed to a client's block.
struct LivePhotoFrame: PHLivePhotoFrame {
    let image: CIImage
    let time: CMTime
    let type: PHLivePhotoFrameType
    let renderScale: CGFloat
}
