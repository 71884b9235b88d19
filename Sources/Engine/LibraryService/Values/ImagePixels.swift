package import PhotoModel

/// The pixels that an answer comes with.
///
/// A service in another process can hand out sealed memory only.
package enum ImagePixels: Sendable {
    /// What a worker wrote: mapped, not copied, once its seals are checked.
    case sealed(Descriptor)
    /// What the service itself decoded, in this process.
    case block(PixelBlock)
}
