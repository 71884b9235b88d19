import LibraryService
import PhotoModel

/// The fake has no pictures.
extension FakeLibrary {
    private static let unused = LibraryError(.internalError, "The fake has no pictures.")

    func image(_ request: ImageRequest) throws(LibraryError) -> (ImageReply, Descriptor)? {
        throw Self.unused
    }

    func cancelImages(_ request: ImageCancelRequest) throws(LibraryError) {}

    func imageData(_ request: ImageDataRequest) throws(LibraryError) -> (
        ImageDataReply, Descriptor
    ) {
        throw Self.unused
    }
}
