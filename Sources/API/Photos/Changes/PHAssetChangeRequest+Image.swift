internal import Foundation
internal import PhotoModel
public import PhotosCompanions

extension PHAssetChangeRequest {
    /// Creates a request for a new asset from an image in memory.
    ///
    /// The image is encoded inside the block: as PNG, with unchanged pixels, if it has alpha,
    /// otherwise as JPEG with quality 95. JPEG is lossy and a file's metadata is not included, so
    /// this is the only way to create an asset that loses information. Create the asset from a file
    /// if there is one.
    ///
    /// An image without pixels, or one that cannot be encoded, makes the whole change fail.
    @discardableResult
    public class func creationRequestForAsset(from image: UIImage) -> Self {
        let call = "PHAssetChangeRequest.creationRequestForAsset(from:)"
        let request = PHAssetCreationRequest(creatingAs: call)
        do throws(LibraryError) {
            request.add(.photo, .data(try image.originalFile()), name: nil, nil)
        } catch {
            request.recorder.fail(call, error)
        }
        return typed(request, as: Self.self)
    }
}
