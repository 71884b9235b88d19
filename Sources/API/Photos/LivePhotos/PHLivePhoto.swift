public import Foundation
internal import Glibc
package import PhotosCompanions

/// A still image with a movie of the moments before and after the capture.
///
/// This package does not display or play Live Photos; use `PHAssetResource.assetResources(for:)` to
/// get the files. Objects of this class are immutable and can be used from any thread.
open class PHLivePhoto: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked because the class is open. Its stored properties are immutable.

    private let pixels: CGSize
    /// The still image at the requested size, or nil for a Live Photo decoded from an archive.
    package let image: UIImage?
    /// The files, or an empty array for a degraded Live Photo.
    let resources: [PHAssetResource]

    /// Creates a Live Photo without an image and without files.
    public override init() {
        pixels = .zero
        image = nil
        resources = []
        super.init()
    }

    init(image: UIImage, resources: [PHAssetResource] = []) {
        // The size in pixels, regardless of points.
        pixels = CGSize(
            width: image.size.width * image.scale,
            height: image.size.height * image.scale
        )
        self.image = image
        self.resources = resources
        super.init()
    }

    /// The actual size of the still image in pixels, which can differ from the size that was
    /// requested.
    open var size: CGSize { pixels }

    /// Returns the Live Photo itself, because it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns the Live Photo itself, because it is immutable.
    open override func copy() -> Any { self }

    // MARK: - Coding

    /// Indicates whether the class supports secure coding, which is always true.
    open class var supportsSecureCoding: Bool { true }

    private enum Key {
        static let width = "width"
        static let height = "height"
        static let still = "still"
        static let movie = "movie"
        /// The suffix of the archive keys that store the identities of files: their device and
        /// inode numbers.
        ///
        /// An identity is checked on decoding.
        ///
        /// Only files with temporary paths have it, because such a path may later refer to another
        /// file.
        static let identity = ".identity"
    }

    /// Decodes an archived Live Photo, or returns nil if its files are no longer at the archived
    /// paths.
    ///
    /// An archive contains the paths of the files, not their bytes. The archive of a program that
    /// uses the daemon can be decoded while the archived Live Photo exists, since its paths are
    /// those of open files. Decoding blocks for a moment, because it opens and validates the files.
    public required init?(coder: NSCoder) {
        func text(_ key: String) -> String? {
            // Decoding a value that is absent fails the archive.
            guard coder.containsValue(forKey: key) else { return nil }
            return coder.decodeObject(of: NSString.self, forKey: key).map { String(describing: $0) }
        }
        let paths = [Key.still, Key.movie].compactMap { key -> String? in
            guard let path = text(key) else { return nil }
            let identity = text(key + Key.identity)
            return identity == nil || identity == Self.identity(of: path) ? path : nil
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

    /// Archives the size of the still image and the paths of the files.
    open func encode(with coder: NSCoder) {
        coder.encode(Double(pixels.width), forKey: Key.width)
        coder.encode(Double(pixels.height), forKey: Key.height)
        for (key, resource) in zip([Key.still, Key.movie], resources) {
            guard let path = resource.fileURL?.path else { continue }
            coder.encode(NSString(string: path), forKey: key)
            guard resource.file?.isTemporary == true, let identity = Self.identity(of: path) else {
                continue
            }
            coder.encode(NSString(string: identity), forKey: key + Key.identity)
        }
    }

    /// Returns, as text, the device and inode numbers of the file at a path, or nil if there is no
    /// such file.
    private static func identity(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return "\(status.st_dev):\(status.st_ino)"
    }

    // MARK: - Requests

    /// Requests a Live Photo from a still image file and a movie file.
    ///
    /// Both files must have the same content identifier, as written by cameras.
    ///
    /// - Parameters:
    ///   - fileURLs: The still image and the movie, in any order.
    ///   - image: A placeholder for the still image, or nil for a small preview of the file.
    ///   - targetSize: The size in pixels; zero requests all pixels.
    ///   - contentMode: The way to fit the still image to a size of another aspect ratio. The image
    ///     is never enlarged.
    ///   - resultHandler: Called several times. The first call has the placeholder, before this
    ///     method returns, or a preview. The last call is made on the main queue and has the
    ///     complete Live Photo, or nil and the reason under ``PHLivePhotoInfoErrorKey`` or
    ///     ``PHLivePhotoInfoCancelledKey``. All calls but the last are marked by
    ///     ``PHLivePhotoInfoIsDegradedKey``.
    /// - Returns: An identifier to cancel the request with.
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

    /// Cancels a request, and calls its handler once more, with ``PHLivePhotoInfoCancelledKey``.
    ///
    /// It has no effect on a request that has finished, or on an unknown identifier.
    open class func cancelRequest(withRequestID requestID: PHLivePhotoRequestID) {
        LivePhotoRequest.running(requestID)?.cancel()
    }

    /// The class and the size, for debugging.
    open override var description: String {
        "<\(type(of: self)) \(size.width) × \(size.height)>"
    }
}
