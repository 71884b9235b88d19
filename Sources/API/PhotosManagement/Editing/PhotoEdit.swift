internal import Dispatch
internal import Foundation
internal import PhotoModel
public import Photos
internal import Synchronization

/// An edit of a photo in the open adjustment format, from requesting the input to saving the
/// result.
///
/// A Live Photo remains one: the frames of its movie are edited like its still. Movies are not
/// edited.
///
/// An edit that was saved in this format is resumed: the edit starts from the original and the
/// saved adjustments. For any other photo, the edit starts from the current version.
public struct PhotoEdit {
    /// The photo to edit.
    public let asset: PHAsset
    /// The input that the library provided.
    public let input: PHContentEditingInput
    /// The adjustments to apply to the photo.
    public var adjustments: PhotoAdjustments

    /// Requests the editing input of a photo, and waits for it.
    ///
    /// Blocks the calling thread. Do not call it on the main thread of a program with a window.
    ///
    /// - Throws: `PHPhotosError`; `requestNotSupportedForAsset` for a video.
    public init(of asset: PHAsset) throws {
        guard asset.mediaType == .image else {
            throw PHPhotosError(
                LibraryError(
                    .notSupportedForAsset,
                    "The asset cannot be edited with these adjustments.",
                    reason:
                        "It is a movie or an audio file, and these adjustments are for photos and Live"
                        + " Photos.",
                    recovery: "Edit movies with another program, which can save its rendering with"
                        + " PHContentEditingOutput.",
                    identifiers: [asset.localIdentifier]
                )
            )
        }
        let options = PHContentEditingInputRequestOptions()
        options.skipsDisplaySizeImage = true
        options.canHandleAdjustmentData = { data in (try? PhotoAdjustments(data)) != nil }
        let found = Mutex<Result<PHContentEditingInput, any Error>?>(nil)
        let done = DispatchSemaphore(value: 0)
        asset.requestContentEditingInput(with: options) { input, info in
            let error = info[PHContentEditingInputErrorKey] as? any Error
            let result: Result<PHContentEditingInput, any Error> =
                input.map { .success($0) } ?? .failure(error ?? PHPhotosError(.userCancelled))
            found.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        guard let result = found.withLock({ $0 }) else { throw PHPhotosError(.internalError) }
        self.asset = asset
        input = try result.get()
        adjustments = try input.adjustmentData.map { try PhotoAdjustments($0) } ?? .init()
    }

    /// Indicates whether this edit continues the photo's current edit, so that ``adjustments``
    /// describe the whole edit.
    public var continuesPresentEdit: Bool { input.adjustmentData != nil }

    /// Returns the image that the edit starts from, upright, in full size.
    ///
    /// - Throws: `PHPhotosError` when its file cannot be read.
    public func picture() throws -> CIImage {
        try stored().oriented(forExifOrientation: input.fullSizeImageOrientation)
    }

    /// Returns the image that the edit starts from, as its decoder returns it.
    private func stored() throws -> CIImage {
        guard let url = input.fullSizeImageURL, let image = CIImage(contentsOf: url) else {
            throw PHPhotosError(
                LibraryError(
                    .invalidResource,
                    "The file of the photo cannot be read.",
                    recovery: "Run photos verify --full.",
                    path: input.fullSizeImageURL?.path,
                    identifiers: [asset.localIdentifier]
                )
            )
        }
        return image
    }

    /// Returns the edited image in full size, with rendering deferred.
    ///
    /// - Throws: `PHPhotosError` when the file cannot be read.
    public func editedPicture() throws -> CIImage { adjustments.applied(to: try picture()) }

    /// Renders the edited photo as a JPEG file, for `PHAssetChangeRequest.contentEditingOutput`.
    ///
    /// The file is in Display P3 if the photo has a color profile other than sRGB, otherwise in
    /// sRGB. Transparent parts are composited over white.
    ///
    /// For a Live Photo, the frames of its movie are rendered too. Decoding, rendering and encoding
    /// all pixels takes its time and blocks the calling thread.
    ///
    /// - Parameter quality: The JPEG quality, 0...1. Stills of Live Photos always use 0.92.
    /// - Returns: The output, with its adjustment data.
    /// - Throws: `PHPhotosError` or `CIRenderingError`.
    public func output(quality: Double = 0.92) throws -> PHContentEditingOutput {
        let output = PHContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = try adjustments.adjustmentData()
        if let context = try edge({ () throws(LibraryError) in
            try PHLivePhotoEditingContext(opening: input)
        }) {
            try draw(context, into: output)
        } else {
            try drawStill(into: output, quality: quality)
        }
        return output
    }

    /// Renders all frames of a Live Photo.
    private func draw(
        _ context: PHLivePhotoEditingContext,
        into output: PHContentEditingOutput
    ) throws {
        let adjustments = adjustments
        let still = context.fullSizeImage.oriented(context.orientation)
        let filters = adjustments.enhancement(of: still)
        context.frameProcessor = { frame, _ in
            adjustments.applied(
                to: frame.image,
                enhancedBy: filters,
                scale: Double(frame.renderScale)
            )
        }
        try context.saveLivePhotoAndWait(to: output)
    }

    private func drawStill(into output: PHContentEditingOutput, quality: Double) throws {
        // An image that was modified has no color space.
        let colors = try stored().colorSpace ?? CGColorSpace(name: CGColorSpace.sRGB)
        guard let space = colors else { throw PHPhotosError(.internalError) }
        let edited = try editedPicture()
        // JPEG has no transparency.
        let white = CIImage(color: .white).cropped(to: edited.extent)
        let picture = edited.composited(over: white)
        let key = CIImageRepresentationOption(
            rawValue: "kCGImageDestinationLossyCompressionQuality"
        )
        try CIContext().writeJPEGRepresentation(
            of: picture,
            to: output.renderedContentURL,
            colorSpace: space,
            options: [key: quality]
        )
    }
}
