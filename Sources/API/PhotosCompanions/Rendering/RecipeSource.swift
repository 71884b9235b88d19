internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import WorkerClient

/// A picture that recipes start from: a file that stays open, or pixels in memory.
final class RecipeSource: Sendable {
    /// Where the bytes are.
    enum Content: Sendable {
        /// A file of any kind, or its bytes in sealed memory.
        case file(Descriptor)
        /// Rows of pixels in sealed memory.
        case pixels(Descriptor)
        /// Pixels that are copied into sealed memory when they are wanted.
        case image(CGImage)
    }

    /// What a worker is told of it.
    let description: PictureRendering.Source
    /// For words to people.
    let name: String
    private let content: Content

    init(_ description: PictureRendering.Source, _ content: Content, name: String) {
        self.description = description
        self.content = content
        self.name = name
    }

    /// The pixels of an image.
    convenience init(_ image: CGImage) {
        let alpha: PictureRendering.PixelComponents.Alpha = image.hasAlpha ? .straight : .ignored
        self.init(
            .pixels(image.memory.description, PictureRendering.PixelComponents(alpha: alpha)),
            .image(image),
            name: "The image"
        )
    }

    /// Whether it is a file with metadata of its own.
    var isFile: Bool {
        if case .file = content { true } else { false }
    }

    /// The bytes, open for reading.
    ///
    /// - Throws: When there is no memory for them.
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

    /// What is thrown where bytes find no memory.
    static func noMemory(_ length: Int) -> CIRenderingError {
        CIRenderingError(
            .notRendered,
            "There is no memory for a picture of \(length) bytes.",
            reason: String(cString: strerror(errno)) + ".",
            recovery: "Close other programs, or draw a smaller picture."
        )
    }
}
