import Foundation
import LibraryService
import PhotoModel
import RenditionCodec
import Synchronization
import WorkerClient

/// The answers of a fake library to requests for pictures.
typealias FakePicture = @Sendable (ImageRequest) throws(LibraryError) -> FakeImage?

/// A picture of a fake library: gray, and of the stated size.
struct FakeImage: Sendable {
    var size: PixelSize
    var isDegraded = false
    var damage: LibraryError?

    func answer() throws(LibraryError) -> (ImageReply, ImagePixels) {
        let description = PixelBufferDescription(size: size, layout: .rgbx)
        let memory = SealedMemory.make(length: size.width * size.height * 4) { bytes in
            for index in bytes.indices { bytes[index] = 0x7f }
            return true
        }
        guard let memory else { throw LibraryError(.internalError, "There is no memory.") }
        let reply = ImageReply(
            pixels: description,
            hasAlpha: false,
            isDegraded: isDegraded,
            contentVersion: 1,
            path: "/library/originals/file.jpg",
            damage: damage
        )
        return (reply, .sealed(Descriptor(owning: memory)))
    }
}

extension FakeImage {
    /// The picture as a rendition.
    func stored() throws(LibraryError) -> StoredImage {
        let bytes = [UInt8](repeating: 0x7f, count: size.width * size.height * 3)
        let jpeg = try? bytes.withUnsafeBytes { bytes in
            try JPEGEncoder().encode(PixelRows(bytes: bytes, size: size))
        }
        guard let jpeg else { throw LibraryError(.internalError, "There is no memory.") }
        return StoredImage(
            jpeg: jpeg,
            whole: size,
            isDegraded: isDegraded,
            contentVersion: 1,
            path: "/library/originals/file.jpg"
        )
    }
}

/// The fake has the pictures that a test sets.
extension FakeLibrary {
    private static let unused = LibraryError(.internalError, "The fake has no pictures.")

    func image(_ request: ImageRequest) throws(LibraryError) -> (ImageReply, ImagePixels)? {
        let picture = state.withLock { state in
            state.imageRequests.append(request)
            return state.picture
        }
        guard let picture else { throw Self.unused }
        return try picture(request)?.answer()
    }

    func readyImages(_ request: ReadyImagesRequest) throws(LibraryError) -> ReadyImagesReply {
        let state = state.withLock { state in
            state.readyRequests.append(request.images)
            return state
        }
        try state.whileReading?(state.readyRequests.count)
        guard let picture = state.picture else { throw Self.unused }
        return ReadyImagesReply(
            answers: request.images.prefix(state.readyCount).map { image in
                if image.quality == .full, !state.hasWholeRenditions { return .unready }
                do throws(LibraryError) {
                    guard let stored = try picture(image)?.stored() else { return .unready }
                    return .rendition(stored)
                } catch {
                    return .failed(error)
                }
            }
        )
    }

    func thumbnail(_ request: ThumbnailRequest) throws(LibraryError) -> ThumbnailReply? {
        throw Self.unused
    }

    func cancel(_ request: CancelRequest) throws(LibraryError) {
        state.withLock { $0.cancelledTickets.formUnion(request.tickets) }
    }

    func imageData(_ request: ImageDataRequest) throws(LibraryError) -> (
        ImageDataReply, Descriptor
    ) {
        throw Self.unused
    }

    func movieData(_ request: MovieDataRequest) throws(LibraryError) -> (
        MovieDataReply, Descriptor
    ) {
        throw Self.unused
    }

    func adjustments(_ request: AdjustmentsRequest) throws(LibraryError) -> AdjustmentsReply {
        throw Self.unused
    }

    func renditionStatus() throws(LibraryError) -> RenditionStatusReply { throw Self.unused }

    func buildRenditions(_ request: RenditionBuildRequest) throws(LibraryError)
        -> RenditionBuildReply
    {
        throw Self.unused
    }

    func dropRenditions() throws(LibraryError) {}
}
