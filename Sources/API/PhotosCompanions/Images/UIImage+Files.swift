public import Foundation
internal import Glibc
package import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

extension UIImage {
    /// Decodes a picture from the bytes of a file; nil when they are none.
    ///
    /// Every still format that a library holds is read; of an animation the first frame, of a movie the
    /// first that shows something. The bytes are decoded in the confined process `photos-worker`,
    /// which is started when it is first needed: damaged or hostile ones cost a nil.
    ///
    /// The picture is upright and in sRGB. The call takes as long as decoding does.
    public convenience init?(data: Data) {
        self.init(data: data, scale: 1)
    }

    /// Decodes a picture from the bytes of a file, with pixels for each point; nil when they are none.
    public convenience init?(data: Data, scale: CGFloat) {
        guard let image = try? ForeignPictures.decode(data) else { return nil }
        self.init(cgImage: image, scale: scale, orientation: .up)
    }

    /// Decodes a picture from a file; nil when there is none.
    ///
    /// As ``init(data:)``, but the file is not read into memory.
    public convenience init?(contentsOfFile path: String) {
        guard let image = try? ForeignPictures.decode(contentsOfFile: path) else { return nil }
        self.init(cgImage: image, scale: 1, orientation: .up)
    }

    /// The picture as a PNG file: every pixel as it is, upright.
    ///
    /// - Returns: Nil for an image without pixels, and where no worker can be had.
    public func pngData() -> Data? {
        try? encoded(.png)
    }

    /// The picture as a JPEG file, upright, what is transparent on white.
    ///
    /// - Parameter compressionQuality: From 0, the smallest file, to 1, the best picture; what is
    ///   beyond counts as the nearest of both.
    /// - Returns: Nil for an image without pixels or with a side over 65,500 pixels, and where no
    ///   worker can be had.
    public func jpegData(compressionQuality: CGFloat) -> Data? {
        let part = compressionQuality.isFinite ? min(max(compressionQuality, 0), 1) : 1
        return try? encoded(.jpeg(quality: max(1, Int((part * 100).rounded()))))
    }

    /// The picture as a file for a library: PNG where it has alpha, else JPEG of high quality.
    ///
    /// - Throws: Why it could not be encoded.
    package func originalFile() throws(LibraryError) -> Data {
        try encoded(cgImage?.hasAlpha ?? false ? .png : .jpeg(quality: 95))
    }

    private func encoded(_ format: EncodeRequest.Format) throws(LibraryError) -> Data {
        guard let cgImage = try drawn() else {
            throw LibraryError(
                .invalidRequest,
                "The image has no pixels, so it can't be encoded.",
                recovery: "Make it with UIImage(data:), UIImage(cgImage:) or an image request."
            )
        }
        return try ForeignPictures.encode(cgImage, imageOrientation.stored, as: format)
    }
}

extension UIImage {
    /// The pixels, or those of the recipe.
    private func drawn() throws(LibraryError) -> CGImage? {
        guard let ciImage else { return cgImage }
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
    /// The same turn by EXIF's number.
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

/// Decodes and encodes pictures that are in no library, in workers of this process's own.
enum ForeignPictures {
    static func decode(_ data: Data) throws(LibraryError) -> CGImage {
        guard !data.isEmpty else {
            throw LibraryError(
                .invalidResource,
                "There are no bytes, so there is no picture.",
                recovery: "Give the bytes of an image file."
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
                "The picture \(path) can't be opened.",
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
                "The picture can't be decoded.",
                reason: reason,
                path: path
            )
        case .cancelled:
            throw LibraryError(.cancelled, "Decoding the picture was cancelled.", path: path)
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
            throw LibraryError(.internalError, "The picture can't be encoded.", reason: reason)
        }
    }

    private static func noMemory(_ length: Int) -> LibraryError {
        LibraryError(
            .inputOutput,
            "There is no memory for a picture of \(length) bytes.",
            reason: String(cString: strerror(errno)),
            recovery: "Close other programs, or ask for a smaller picture."
        )
    }
}
