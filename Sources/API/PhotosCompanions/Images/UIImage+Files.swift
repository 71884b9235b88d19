public import Foundation
internal import Glibc
package import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

extension UIImage {
    /// Decodes an image from a file's data; nil if the data can't be decoded.
    ///
    /// Supports every still format that a library holds. For an animation it decodes the first
    /// frame, for a movie the first frame that isn't all dark. The confined process
    /// `photos-worker`, which starts on first use, decodes the data, so a damaged or hostile file
    /// only results in nil.
    ///
    /// The image is upright and in sRGB. The call blocks until decoding is complete.
    public convenience init?(data: Data) {
        self.init(data: data, scale: 1)
    }

    /// Decodes an image with a given scale, in pixels per point, from a file's data; nil if the
    /// data can't be decoded.
    public convenience init?(data: Data, scale: CGFloat) {
        guard let image = try? ForeignPictures.decode(data) else { return nil }
        self.init(cgImage: image, scale: scale, orientation: .up)
    }

    /// Decodes an image from a file; nil if it can't be decoded.
    ///
    /// Works like ``init(data:)``, but does not read the file into memory.
    public convenience init?(contentsOfFile path: String) {
        guard let image = try? ForeignPictures.decode(contentsOfFile: path) else { return nil }
        self.init(cgImage: image, scale: 1, orientation: .up)
    }

    /// Returns the image as PNG data, losslessly and oriented upright.
    ///
    /// - Returns: Nil if the image has no pixels or no worker is available.
    public func pngData() -> Data? {
        try? encoded(.png)
    }

    /// Returns the image as JPEG data, oriented upright and composited over white.
    ///
    /// - Parameter compressionQuality: A number from 0 (smallest file) to 1 (best image); other
    ///   values are clamped.
    /// - Returns: Nil if the image has no pixels or a side over 65,500 pixels, or if no worker is
    ///   available.
    public func jpegData(compressionQuality: CGFloat) -> Data? {
        let part = compressionQuality.isFinite ? min(max(compressionQuality, 0), 1) : 1
        return try? encoded(.jpeg(quality: max(1, Int((part * 100).rounded()))))
    }

    /// Encodes the image as a file for import into a library: PNG if the image has alpha, otherwise
    /// high-quality JPEG.
    ///
    /// - Throws: `LibraryError` with the reason if it can't be encoded.
    package func originalFile() throws(LibraryError) -> Data {
        // Only the pixels of a rendered recipe tell whether it has alpha.
        let image = try drawn()
        return try encoded(image, image.hasAlpha ? .png : .jpeg(quality: 95))
    }

    private func encoded(_ format: EncodeRequest.Format) throws(LibraryError) -> Data {
        try encoded(drawn(), format)
    }

    private func encoded(
        _ image: CGImage,
        _ format: EncodeRequest.Format
    ) throws(LibraryError) -> Data {
        try ForeignPictures.encode(image, imageOrientation.stored, as: format)
    }

    /// Returns the bitmap image, rendered from the recipe if the image has one.
    ///
    /// - Throws: `LibraryError` if the image is empty or can't be rendered.
    private func drawn() throws(LibraryError) -> CGImage {
        guard let ciImage else {
            guard let cgImage else {
                throw LibraryError(
                    .invalidRequest,
                    "The image has no pixels, so it cannot be encoded.",
                    recovery:
                        "Create it with UIImage(data:), UIImage(cgImage:) or an image request."
                )
            }
            return cgImage
        }
        do throws(CIRenderingError) {
            return try CIContext().cgImage(ciImage, from: ciImage.extent)
        } catch {
            throw LibraryError(
                .invalidResource,
                error.localizedDescription,
                reason: error.failureReason,
                recovery: error.recoverySuggestion
            )
        }
    }
}

extension UIImage.Orientation {
    /// The corresponding EXIF orientation.
    fileprivate var stored: PhotoModel.Orientation {
        switch self {
        case .up: .up
        case .down: .down
        case .left: .left
        case .right: .right
        case .upMirrored: .upMirrored
        case .downMirrored: .downMirrored
        case .leftMirrored: .leftMirrored
        case .rightMirrored: .rightMirrored
        }
    }
}

/// A decoder and encoder for images outside any library.
///
/// Both use `photos-worker` processes that this process starts.
enum ForeignPictures {
    static func decode(_ data: Data) throws(LibraryError) -> CGImage {
        guard !data.isEmpty else {
            throw LibraryError(
                .invalidResource,
                "The data is empty, so it is not an image.",
                recovery: "Use the data of an image file."
            )
        }
        let memory = SealedMemory.make(length: data.count) { buffer in
            data.copyBytes(to: buffer)
            return true
        }
        guard let memory else { throw noMemory(data.count) }
        defer { close(memory) }
        return try decode(memory, path: nil)
    }

    static func decode(contentsOfFile path: String) throws(LibraryError) -> CGImage {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard file >= 0 else {
            throw LibraryError(
                .inputOutput,
                "The image \(path) cannot be opened.",
                reason: String(cString: strerror(errno)),
                path: path
            )
        }
        defer { close(file) }
        return try decode(file, path: path)
    }

    private static func decode(_ file: Int32, path: String?) throws(LibraryError) -> CGImage {
        let request = DecodeRequest(shape: PixelShape(), layout: .rgba)
        let answer: DecodeAnswer
        do {
            answer = try ForeignWorkers.pool.decode(request, descriptor: file)
        } catch {
            throw LibraryError(.workerUnavailable, error.message, recovery: error.recovery)
        }
        switch answer {
        case .pixels(let facts, let pixels):
            guard let memory = pixels.mapped() else {
                throw noMemory(pixels.description.length ?? 0)
            }
            return CGImage(memory: memory, hasAlpha: facts.hasAlpha)
        case .unsupported(let reason), .failed(let reason):
            throw LibraryError(
                .invalidResource,
                "The image cannot be decoded.",
                reason: reason,
                path: path
            )
        case .cancelled:
            throw LibraryError(.cancelled, "Decoding the image was canceled.", path: path)
        }
    }

    static func encode(
        _ image: CGImage,
        _ orientation: PhotoModel.Orientation,
        as format: EncodeRequest.Format
    ) throws(LibraryError) -> Data {
        let memory = image.memory
        let isBright = memory.description.layout == .rgbaHalf
        let description =
            isBright
            ? PixelBufferDescription(
                size: memory.description.size,
                layout: .rgba,
                colors: .displayP3
            ) : memory.description
        let length = memory.withBytes { isBright ? $0.count / 2 : $0.count }
        let copy = SealedMemory.make(length: length) { buffer in
            memory.withBytes { bytes in
                if isBright {
                    PlainPixels.make(of: bytes, into: buffer)
                } else {
                    buffer.copyMemory(from: bytes)
                }
            }
            return true
        }
        guard let copy else { throw noMemory(length) }
        defer { close(copy) }
        let request = EncodeRequest(
            format: format,
            pixels: description,
            hasAlpha: image.hasAlpha,
            orientation: orientation
        )
        let answer: EncodeAnswer
        do {
            answer = try ForeignWorkers.pool.encode(request, descriptor: copy)
        } catch {
            throw LibraryError(.workerUnavailable, error.message, recovery: error.recovery)
        }
        switch answer {
        case .file(let file): return file.withBytes { Data($0) }
        case .failed(let reason):
            throw LibraryError(.internalError, "The image cannot be encoded.", reason: reason)
        }
    }

    private static func noMemory(_ length: Int) -> LibraryError {
        LibraryError(
            .inputOutput,
            "There is not enough memory for an image of \(length) bytes.",
            reason: String(cString: strerror(errno)),
            recovery: "Quit other programs, or request a smaller image."
        )
    }
}
