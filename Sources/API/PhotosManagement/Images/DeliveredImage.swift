public import Photos

/// A picture that a request gave.
public struct DeliveredImage: Sendable {
    /// The picture.
    public var image: UIImage
    /// Whether a better one follows, or could have been had.
    public var isDegraded: Bool
    /// Why a part of it is missing, a `PHPhotosError`; nil for one that is whole.
    public var damage: (any Error)?
}
