package import PhotoModel

/// The pixels of an image reply.
///
/// A service in another process can pass only sealed memory.
package enum ImagePixels: Sendable {
    /// Memory written by a worker; it is mapped, not copied, after its seals are checked.
    case sealed(Descriptor)
    /// Pixels that the service itself decoded, in this process.
    case block(PixelBlock)
}
