package import PhotoLibrary
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// The images that workers are making for all clients of a library.
///
/// Equal requests share one piece of work, whoever makes them. A loader joins it only after its
/// client's access to the asset was checked, so the work itself reads with full access.
package final class ImageWork: Sendable {
    /// The key of an image that workers make.
    struct Key: Hashable, Sendable {
        var resourceUUID: String
        var contentVersion: Int
        var shape: PixelShape
        var range: PixelRange
    }

    /// The result of a worker.
    struct Made: Sendable {
        var pixels: SealedPixels
        var memory: PixelMemory
        var hasAlpha: Bool
        /// The reason why a part of the image is missing; nil for a complete image.
        var damage: String?
        /// The reason why a rendition of the image could not be stored; nil if it was stored, or if
        /// none was requested.
        var storageError: LibraryError?
    }

    let coalescer = RequestCoalescer<Key, Made>()
    /// Opens asset files with full access, regardless of the requesting client's permissions.
    let files: ResourceFetcher

    /// The number of images that are being made.
    package var count: Int { coalescer.count }

    /// The number of requests that wait for images in progress.
    package var requestCount: Int { coalescer.requestCount }

    /// Creates an instance for a library; `files` opens the library's files with full access.
    package init(files: ResourceFetcher) { self.files = files }
}
