internal import Foundation
internal import Glibc
internal import LibraryService
package import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// A file of no library, as a worker sees it.
package struct ForeignFile: Sendable {
    /// Where it is.
    package let url: URL
    /// Its length in bytes.
    package let size: Int64
    /// Whether it is a movie; else it is a still.
    package let isMovie: Bool
    /// Uniform type identifier by content.
    package let contentType: String
    /// Upright pixels; zeros where they are not known.
    package let pixelSize: PixelSize
    /// What the halves of a Live Photo share.
    package let contentIdentifier: String?
    private let file: Descriptor

    /// Opens a file and has a worker look into it.
    ///
    /// - Throws: `missingResource`, `inputOutput`, `invalidResource` or `workerUnavailable`.
    package init(_ url: URL) throws(LibraryError) {
        self.url = url
        guard url.isFileURL else {
            throw LibraryError(
                .invalidRequest,
                "“\(url.absoluteString)” is not a file.",
                recovery: "Make the URL with URL(fileURLWithPath:)."
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
        case .unsupported(let reason), .failed(let reason):
            throw Self.invalid(url, reason: reason)
        }
        isMovie = facts.format.isMovie
        contentType = facts.contentType
        pixelSize = facts.displaySize ?? PixelSize(width: 0, height: 0)
        contentIdentifier = facts.contentIdentifier
    }

    /// The picture, upright, in a shape.
    ///
    /// - Parameters:
    ///   - shape: What is wanted.
    ///   - takesAnyPreview: Whether a preview that the camera embedded will do, however small.
    ///   - work: What cancels it.
    /// - Returns: The picture in sRGB.
    /// - Throws: `invalidResource`, `cancelled` or `workerUnavailable`.
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
                    "There is no memory for the picture “\(url.lastPathComponent)”.",
                    recovery: "Ask for a smaller picture.",
                    path: url.path
                )
            }
            return UIImage(cgImage: CGImage(memory: memory, hasAlpha: facts.hasAlpha))
        case .unsupported(let reason), .failed(let reason):
            throw Self.invalid(url, reason: reason)
        case .cancelled:
            throw LibraryError(.cancelled, "Decoding “\(url.lastPathComponent)” was cancelled.")
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
            "“\(url.lastPathComponent)” can't be read.",
            reason: reason,
            path: url.path
        )
    }
}

extension Descriptor {
    /// Opens a file of no library for reading; a pipe or a device is not waited for.
    ///
    /// - Throws: `missingResource` or `inputOutput`.
    convenience init(foreign url: URL) throws(LibraryError) {
        let number = open(url.path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard number >= 0 else {
            throw LibraryError(
                errno == ENOENT ? .missingResource : .inputOutput,
                "“\(url.path)” can't be opened.",
                reason: String(cString: strerror(errno)) + ".",
                recovery: "Check the path and the file's permissions.",
                path: url.path
            )
        }
        self.init(owning: number)
    }
}

/// Work on foreign files that can be stopped.
package final class ForeignWork: Sendable {
    let cancellation = WorkCancellation()

    package init() {}

    /// Whether nobody wants it any more.
    package var isCancelled: Bool { cancellation.isCancelled }

    /// Harmless when it has ended.
    package func cancel() { cancellation.cancel() }
}
