internal import Foundation
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// The still of a Live Photo that is edited: what a program draws of it becomes a file that says of
/// itself what the still says.
package final class EditedStill: Sendable {
    /// JPEG's quality, and HEIF's.
    private static let quality = 92

    /// The picture as it is stored, in full size.
    package let stored: CIImage
    /// How it has to be turned to be upright.
    package let orientation: CGImagePropertyOrientation
    /// The picture, upright, in full size.
    package let image: CIImage
    private let source: RecipeSource
    private let colorSpace: CGColorSpace

    /// Opens the still, which stays open.
    ///
    /// - Throws: `CIRenderingError` when it is no picture.
    package init(_ url: URL) throws(CIRenderingError) {
        let file = try PictureFile(url)
        source = file.source
        stored = CIImage(
            file.source,
            properties: ImageProperties(file.facts).dictionary,
            url: url
        )
        orientation =
            CGImagePropertyOrientation(rawValue: UInt32(file.orientation.rawValue)) ?? .up
        image = stored.oriented(orientation)
        // Cameras that write HEIF write Display P3.
        let isWide = file.facts.format == .heic || file.facts.format == .heif
        colorSpace = isWide ? .wide : .standard
    }

    /// The kinds of file that can be written.
    package enum FileType: Sendable { case jpeg, heic }

    /// Writes a picture as a file with the still's EXIF data.
    ///
    /// - Parameters:
    ///   - drawn: What was made of ``image``.
    ///   - url: Where; the file appears there whole or not at all.
    ///   - type: The kind of file.
    ///   - work: What cancels it.
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
