internal import Dispatch
internal import Foundation
internal import PhotoModel
public import Photos
internal import Synchronization

/// An edit of a photo in the open format, from asking for the photo to saving.
///
/// An edit that was saved in this format is gone on with: it begins with the original and the
/// adjustments so far. Anything else begins with what is shown.
public struct PhotoEdit {
    /// The photo.
    public let asset: PHAsset
    /// What the library gave to begin with.
    public let input: PHContentEditingInput
    /// What is done to the photo.
    public var adjustments: PhotoAdjustments

    /// Asks for what the edit begins with, and waits for it.
    ///
    /// Blocks its thread: not for the main thread of a program with a window.
    ///
    /// - Throws: `PHPhotosError`; `requestNotSupportedForAsset` for a video.
    public init(of asset: PHAsset) throws {
        guard asset.mediaType == .image else {
            throw PHPhotosError(
                LibraryError(
                    .notSupportedForAsset,
                    "The asset cannot be edited here.",
                    reason: "It is no photo, and filters are for photos.",
                    recovery: "Edit videos in a program that makes them.",
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

    /// Whether this edit continues the one that the photo is shown with, so that ``adjustments`` describe it
    /// in full.
    public var continuesPresentEdit: Bool { input.adjustmentData != nil }

    /// The picture that the edit begins with, upright, in full size.
    ///
    /// - Throws: `PHPhotosError` when its file cannot be read.
    public func picture() throws -> CIImage {
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
        return image.oriented(forExifOrientation: input.fullSizeImageOrientation)
    }

    /// The edited picture in full size; nothing is drawn yet.
    ///
    /// - Throws: `PHPhotosError` when the file cannot be read.
    public func editedPicture() throws -> CIImage { adjustments.applied(to: try picture()) }

    /// Draws the edited picture as a JPEG file, for `PHAssetChangeRequest.contentEditingOutput`.
    ///
    /// Takes as long as decoding, drawing and encoding all pixels does.
    ///
    /// - Parameter quality: 0...1.
    /// - Returns: The output, with its adjustment data.
    /// - Throws: `PHPhotosError` or `CIRenderingError`.
    public func output(quality: Double = 0.92) throws -> PHContentEditingOutput {
        let output = PHContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = try adjustments.adjustmentData()
        let picture = try editedPicture()
        let colors = picture.colorSpace?.name == CGColorSpace.displayP3
        let name = colors ? CGColorSpace.displayP3 : CGColorSpace.sRGB
        guard let space = CGColorSpace(name: name) else { throw PHPhotosError(.internalError) }
        let key = CIImageRepresentationOption(
            rawValue: "kCGImageDestinationLossyCompressionQuality"
        )
        try CIContext().writeJPEGRepresentation(
            of: picture,
            to: output.renderedContentURL,
            colorSpace: space,
            options: [key: quality]
        )
        return output
    }
}
