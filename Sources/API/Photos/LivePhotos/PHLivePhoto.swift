public import Foundation
package import PhotosCompanions

/// A still and the movie around the moment when it was taken.
///
/// Nothing here shows or plays it: `PHAssetResource.assetResources(for:)` gives its files. It never
/// changes, and can be used from any thread.
open class PHLivePhoto: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked because the class is open; what it stores never changes.

    private let pixels: CGSize
    /// The still as it was asked for; nil for one that was decoded from an archive.
    package let image: UIImage?
    /// Its files; none as long as it is degraded.
    let resources: [PHAssetResource]

    /// A Live Photo of nothing.
    public override init() {
        pixels = .zero
        image = nil
        resources = []
        super.init()
    }

    init(image: UIImage, resources: [PHAssetResource] = []) {
        // The pixels, whatever points they stand for.
        pixels = CGSize(
            width: image.size.width * image.scale,
            height: image.size.height * image.scale
        )
        self.image = image
        self.resources = resources
        super.init()
    }

    /// The size of its still in pixels, as it was asked for.
    open var size: CGSize { pixels }

    /// Itself: a Live Photo never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Itself: a Live Photo never changes.
    open override func copy() -> Any { self }

    // MARK: - Coding

    /// True.
    open class var supportsSecureCoding: Bool { true }

    private enum Key {
        static let width = "width"
        static let height = "height"
        static let still = "still"
        static let movie = "movie"
    }

    /// A Live Photo from an archive; nil when its files are not where they were.
    ///
    /// An archive has the paths of the files and not their bytes. They are looked into, which takes a
    /// moment.
    public required init?(coder: NSCoder) {
        let paths = [Key.still, Key.movie].compactMap { key in
            coder.decodeObject(of: NSString.self, forKey: key).map { String(describing: $0) }
        }
        let files = paths.map { URL(fileURLWithPath: $0) }
        guard let pair = try? LivePhotoPair(files, isKnownPair: true) else { return nil }
        pixels = CGSize(
            width: coder.decodeDouble(forKey: Key.width),
            height: coder.decodeDouble(forKey: Key.height)
        )
        image = nil
        resources = pair.resources
        super.init()
    }

    /// Writes size and the paths of its files.
    open func encode(with coder: NSCoder) {
        coder.encode(Double(pixels.width), forKey: Key.width)
        coder.encode(Double(pixels.height), forKey: Key.height)
        for (key, resource) in zip([Key.still, Key.movie], resources) {
            guard let path = resource.fileURL?.path else { continue }
            coder.encode(NSString(string: path), forKey: key)
        }
    }

    // MARK: - Requests

    /// Makes a Live Photo of two files: a still and a movie that say the same content identifier, as
    /// cameras write it.
    ///
    /// - Parameters:
    ///   - fileURLs: The still and the movie, in any order.
    ///   - image: What stands in for the still at first; nil for a small preview of the file.
    ///   - targetSize: Pixels; zero for all that there are.
    ///   - contentMode: How the still goes into a size of another aspect; it is never enlarged.
    ///   - resultHandler: Called several times: with the placeholder before this returns, or with a
    ///     preview, then, on the main queue, for the last time with the whole or with nil and
    ///     the reason under ``PHLivePhotoInfoErrorKey`` or ``PHLivePhotoInfoCancelledKey``. All but the
    ///     last are marked by ``PHLivePhotoInfoIsDegradedKey``.
    /// - Returns: What cancels the request.
    @discardableResult
    open class func request(
        withResourceFileURLs fileURLs: [URL],
        placeholderImage image: UIImage?,
        targetSize: CGSize,
        contentMode: PHImageContentMode,
        resultHandler: @escaping (PHLivePhoto?, [AnyHashable: Any]) -> Void
    ) -> PHLivePhotoRequestID {
        let request = LivePhotoRequest(
            files: fileURLs,
            hasPlaceholder: image != nil,
            shape: LivePhotoRequest.shape(targetSize, contentMode),
            handler: resultHandler
        )
        let id = request.register()
        if let image {
            resultHandler(PHLivePhoto(image: image), [PHLivePhotoInfoIsDegradedKey: true])
        }
        request.start()
        return id
    }

    /// Cancels a request, whose handler is then called once more, with
    /// ``PHLivePhotoInfoCancelledKey``.
    ///
    /// Harmless when it has ended, or was never made.
    open class func cancelRequest(withRequestID requestID: PHLivePhotoRequestID) {
        LivePhotoRequest.running(requestID)?.cancel()
    }

    /// Its size, for a person.
    open override var description: String {
        "<\(type(of: self)) \(size.width) × \(size.height)>"
    }
}
