internal import Foundation
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// The still image of a Live Photo that a program edits.
///
/// The image that the program derives from it is written to a file with the metadata of the
/// original.
package final class EditedStill: Sendable {
    /// The quality of JPEG and HEIF files, on libjpeg's scale.
    private static let quality = 92

    /// The image in stored orientation and full size.
    package let stored: CIImage
    /// The orientation of the stored image.
    package let orientation: CGImagePropertyOrientation
    /// The image, oriented upright, in full size.
    package let image: CIImage
    private let source: RecipeSource
    private let colorSpace: CGColorSpace

    /// Opens the still image and keeps its file open.
    ///
    /// - Throws: `CIRenderingError` if the file is not an image.
    package init(_ url: URL) throws(CIRenderingError) {
        let file = try PictureFile(url)
        source = file.source
        stored = CIImage(
            file.source,
            properties: ImageProperties(file.facts).dictionary,
            url: url,
            colorSpace: file.facts.colorSpace
        )
        orientation =
            CGImagePropertyOrientation(rawValue: UInt32(file.orientation.rawValue)) ?? .up
        image = stored.oriented(orientation)
        // Cameras write HEIF files in Display P3.
        let isHEIF = file.facts.format == .heic || file.facts.format == .heif
        colorSpace = isHEIF ? .wide : file.facts.colorSpace
    }

    /// The file types that can be written.
    package enum FileType: Sendable { case jpeg, heic }

    /// Writes an image as a file with the still's EXIF data.
    ///
    /// - Parameters:
    ///   - drawn: The image that was derived from ``image``.
    ///   - url: The file's location; the write is atomic.
    ///   - type: The file type.
    ///   - work: The object that can cancel the call.
    /// - Throws: `CIRenderingError`.
    package func write(
        _ drawn: CIImage,
        to url: URL,
        as type: FileType,
        work: ForeignWork
    ) throws(CIRenderingError) {
        let file = try CIContext().drawing.file(
            drawn,
            in: FrameWindow.extent(of: drawn, at: image.extent),
            as: type == .jpeg ? .jpeg(quality: Self.quality) : .heif(quality: Self.quality),
            colorSpace,
            describedBy: source,
            cancellation: work.cancellation
        )
        try CIContext.write(file, to: url)
    }
}
