public import Photos

/// An image that a request delivered.
public struct DeliveredImage: Sendable {
    /// The image.
    public var image: UIImage
    /// Indicates whether a better image follows, or could be requested.
    public var isDegraded: Bool
    /// The reason why part of the image is missing, a `PHPhotosError`; nil for an intact image.
    public var damage: (any Error)?
}
