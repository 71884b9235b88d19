internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// A still image file that is used as a source for recipes.
struct PictureFile {
    let source: RecipeSource
    /// The metadata that a worker read from the file.
    let facts: MediaFacts
    /// The orientation of the stored pixels; `up` if the decoder already applies the orientation.
    let orientation: PhotoModel.Orientation

    /// Opens a file and has a worker read its metadata.
    init(_ url: URL) throws(CIRenderingError) {
        guard url.isFileURL else {
            throw CIRenderingError(
                .unreadablePicture,
                "“\(url.absoluteString)” is not a file.",
                recovery: "Download it first, and create the URL with URL(fileURLWithPath:)."
            )
        }
        // O_NONBLOCK: opening a named pipe would otherwise block until it has a writer.
        let number = Glibc.open(url.path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard number >= 0 else {
            throw CIRenderingError(
                .unreadablePicture,
                "The image “\(url.path)” cannot be opened.",
                reason: String(cString: strerror(errno)) + ".",
                recovery: "Check the path and the file's permissions."
            )
        }
        try self.init(Descriptor(owning: number), name: url.lastPathComponent)
    }

    /// Creates a picture file from an image file's data in memory, and has a worker read its
    /// metadata.
    init(_ data: Data) throws(CIRenderingError) {
        guard !data.isEmpty else {
            throw CIRenderingError(
                .unreadablePicture,
                "The data is empty, so it is not an image."
            )
        }
        let memory = SealedMemory.make(length: data.count) { buffer in
            data.copyBytes(to: buffer)
            return true
        }
        guard let memory else { throw RecipeSource.noMemory(data.count) }
        try self.init(Descriptor(owning: memory), name: "The picture")
    }

    private init(_ file: Descriptor, name: String) throws(CIRenderingError) {
        func unreadable(_ reason: String) -> CIRenderingError {
            CIRenderingError(.unreadablePicture, "“\(name)” cannot be read.", reason: reason)
        }
        let request = ProbeRequest(filename: name, renditionSide: 0, wantsTags: true)
        let answer: ProbeAnswer
        do {
            answer = try withExtendedLifetime(file) { () throws(WorkerError) in
                try ForeignWorkers.pool.probe(request, descriptor: file.number)
            }
        } catch {
            throw CIRenderingError(.notRendered, error.message, recovery: error.recovery)
        }
        switch answer {
        case .unsupported(let reason), .failed(let reason, _): throw unreadable(reason)
        case .facts(let facts, _):
            guard !facts.format.isMovie, !facts.format.isSidecar else {
                throw unreadable("It is not a still image.")
            }
            guard facts.hasReadableHeader else {
                throw unreadable(facts.warnings.first ?? "Its pixels cannot be decoded.")
            }
            let isStored = facts.format.leavesTurning
            guard let size = isStored ? facts.storedSize : facts.displaySize, size.width > 0,
                size.height > 0
            else { throw unreadable("It does not declare its size.") }
            self.facts = facts
            orientation = isStored ? facts.orientation : .up
            source = RecipeSource(.file(size), .file(file), name: name)
        }
    }
}
