internal import Foundation
internal import Glibc
internal import LibraryService
package import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// A file outside any library, with the metadata that a worker read from it.
package struct ForeignFile: Sendable {
    /// The file's location.
    package let url: URL
    /// The length in bytes.
    package let size: Int64
    /// Indicates whether the file is a movie; otherwise it is a still image.
    package let isMovie: Bool
    /// The uniform type identifier, detected from the content.
    package let contentType: String
    /// The size of the upright image in pixels; zero if unknown.
    package let pixelSize: PixelSize
    /// The content identifier that the parts of a Live Photo share.
    package let contentIdentifier: String?
    private let file: Descriptor

    /// Opens a file and has a worker read its metadata.
    ///
    /// - Throws: `invalidRequest`, `missingResource`, `inputOutput`, `invalidResource` or
    ///   `workerUnavailable`.
    package init(_ url: URL) throws(LibraryError) {
        self.url = url
        guard url.isFileURL else {
            throw LibraryError(
                .invalidRequest,
                "“\(url.absoluteString)” is not a file.",
                recovery: "Create the URL with URL(fileURLWithPath:)."
            )
        }
        file = try Descriptor(foreign: url)
        let number = file.number
        var status = stat()
        size = fstat(number, &status) == 0 ? Int64(status.st_size) : 0
        let request = ProbeRequest(filename: url.lastPathComponent, renditionSide: 0)
        let facts: MediaFacts
        switch try Self.ask({ () throws(WorkerError) in
            try ForeignWorkers.pool.probe(request, descriptor: number)
        }) {
        case .facts(let found, _) where !found.format.isSidecar: facts = found
        case .facts: throw Self.invalid(url, reason: "It is neither a still nor a movie.")
        case .unsupported(let reason), .failed(let reason, _):
            throw Self.invalid(url, reason: reason)
        }
        isMovie = facts.format.isMovie
        contentType = facts.contentType
        pixelSize = facts.displaySize ?? PixelSize(width: 0, height: 0)
        contentIdentifier = facts.contentIdentifier
    }

    /// Decodes the image, oriented upright.
    ///
    /// - Parameters:
    ///   - shape: The requested size and crop.
    ///   - takesAnyPreview: Whether an embedded preview suffices, however small.
    ///   - work: The object that can cancel the call.
    /// - Returns: The image in sRGB.
    /// - Throws: `invalidResource`, `inputOutput`, `cancelled` or `workerUnavailable`.
    package func picture(
        _ shape: PixelShape,
        takesAnyPreview: Bool = false,
        work: ForeignWork
    ) throws(LibraryError) -> UIImage {
        let request = DecodeRequest(
            shape: shape,
            layout: .rgba,
            takesAnyPreview: takesAnyPreview
        )
        let answer = try Self.ask { () throws(WorkerError) in
            try ForeignWorkers.pool.decode(
                request,
                descriptor: file.number,
                cancellation: work.cancellation
            )
        }
        switch answer {
        case .pixels(let facts, let pixels):
            guard let memory = pixels.mapped() else {
                throw LibraryError(
                    .inputOutput,
                    "There is not enough memory for the image “\(url.lastPathComponent)”.",
                    recovery: "Request a smaller image.",
                    path: url.path
                )
            }
            return UIImage(cgImage: CGImage(memory: memory, hasAlpha: facts.hasAlpha))
        case .unsupported(let reason), .failed(let reason):
            throw Self.invalid(url, reason: reason)
        case .cancelled:
            throw LibraryError(.cancelled, "Decoding “\(url.lastPathComponent)” was canceled.")
        }
    }

    private static func ask<Answer>(
        _ body: () throws(WorkerError) -> Answer
    ) throws(LibraryError) -> Answer {
        do throws(WorkerError) {
            return try body()
        } catch {
            throw LibraryError(.workerUnavailable, error.message, recovery: error.recovery)
        }
    }

    private static func invalid(_ url: URL, reason: String) -> LibraryError {
        LibraryError(
            .invalidResource,
            "“\(url.lastPathComponent)” cannot be read.",
            reason: reason,
            path: url.path
        )
    }
}

extension Descriptor {
    /// Opens a file outside any library for reading, without blocking on a pipe or device.
    ///
    /// - Throws: `missingResource` or `inputOutput`.
    convenience init(foreign url: URL) throws(LibraryError) {
        let number = open(url.path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard number >= 0 else {
            throw LibraryError(
                errno == ENOENT ? .missingResource : .inputOutput,
                "“\(url.path)” cannot be opened.",
                reason: String(cString: strerror(errno)) + ".",
                recovery: "Check the path and the file's permissions.",
                path: url.path
            )
        }
        self.init(owning: number)
    }
}

/// A cancelable unit of work on files outside any library.
package final class ForeignWork: Sendable {
    let cancellation = WorkCancellation()

    package init() {}

    /// Indicates whether the work has been canceled.
    package var isCancelled: Bool { cancellation.isCancelled }

    /// Cancels the work; has no effect once it has finished.
    package func cancel() { cancellation.cancel() }
}
