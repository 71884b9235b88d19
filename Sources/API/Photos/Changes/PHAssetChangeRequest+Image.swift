internal import Foundation
internal import PhotoModel
public import PhotosCompanions

extension PHAssetChangeRequest {
    /// A request for a new asset of a picture in memory.
    ///
    /// The picture is encoded in the block: as PNG, with every pixel as it is, where it has alpha,
    /// else as JPEG of quality 95. JPEG is lossy, and no metadata of a file come along: the only way
    /// to make an asset that loses something. Where there is a file, make the asset of that.
    ///
    /// A picture without pixels, or one that cannot be encoded, is an error of the whole change.
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
