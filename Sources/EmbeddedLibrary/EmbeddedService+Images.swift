internal import ImagePipeline
internal import LibraryService
internal import PhotoModel

extension EmbeddedService {
    func image(_ request: ImageRequest) throws(LibraryError) -> (ImageReply, Descriptor)? {
        try mapped { try images.image(request) }
    }

    func cancelImages(_ request: ImageCancelRequest) throws(LibraryError) {
        images.cancel(request)
    }

    func imageData(_ request: ImageDataRequest) throws(LibraryError) -> (
        ImageDataReply, Descriptor
    ) {
        try mapped { try images.imageData(request) }
    }
}
