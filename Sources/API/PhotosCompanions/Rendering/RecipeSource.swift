internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import WorkerClient

/// Image data for recipes: a file that stays open, or pixels in memory.
final class RecipeSource: Sendable {
    /// The storage of the source's bytes.
    enum Content: Sendable {
        /// An image file of any format, on disk or in sealed memory.
        case file(Descriptor)
        /// Rows of pixels in sealed memory.
        case pixels(Descriptor)
        /// Pixels that are copied into sealed memory on demand.
        case image(CGImage)
    }

    /// The description of the source in rendering requests to the process `photos-worker`: a file,
    /// or pixels and their format.
    let description: PictureRendering.Source
    /// The name of the source in messages.
    let name: String
    private let content: Content

    init(_ description: PictureRendering.Source, _ content: Content, name: String) {
        self.description = description
        self.content = content
        self.name = name
    }

    /// Creates a source from a bitmap image.
    convenience init(_ image: CGImage) {
        let alpha: PictureRendering.PixelComponents.Alpha = image.hasAlpha ? .straight : .ignored
        self.init(
            .pixels(image.memory.description, PictureRendering.PixelComponents(alpha: alpha)),
            .image(image),
            name: "The image"
        )
    }

    /// Indicates whether the source is a file with its own metadata.
    var isFile: Bool {
        if case .file = content { true } else { false }
    }

    /// Returns a descriptor for reading the bytes.
    ///
    /// - Throws: ``CIRenderingError`` if memory can't be allocated.
    func open() throws(CIRenderingError) -> Descriptor {
        switch content {
        case .file(let descriptor), .pixels(let descriptor): return descriptor
        case .image(let image):
            let copy = image.memory.withBytes { bytes in
                SealedMemory.make(length: bytes.count) { buffer in
                    buffer.copyMemory(from: bytes)
                    return true
                }
            }
            guard let copy else { throw Self.noMemory(image.height * image.bytesPerRow) }
            return Descriptor(owning: copy)
        }
    }

    /// Returns the error for a failed allocation.
    static func noMemory(_ length: Int) -> CIRenderingError {
        CIRenderingError(
            .notRendered,
            "There is not enough memory for an image of \(length) bytes.",
            reason: String(cString: strerror(errno)) + ".",
            recovery: "Quit other programs, or draw a smaller image."
        )
    }
}
