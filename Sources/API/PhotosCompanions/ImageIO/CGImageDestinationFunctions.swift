public import Foundation

/// The key of the compression quality, from 0 to 1; 0.9 by default.
public var kCGImageDestinationLossyCompressionQuality: CFString {
    "kCGImageDestinationLossyCompressionQuality"
}
/// The key of the maximum length of the longer side in pixels; a larger image is scaled down.
public var kCGImageDestinationImageMaxPixelSize: CFString { "kCGImageDestinationImageMaxPixelSize" }
/// The key of a Boolean that determines whether an image copied from a source to a JPEG or HEIC
/// file keeps its gain map.
public var kCGImageDestinationPreserveGainMap: CFString { "kCGImageDestinationPreserveGainMap" }
/// The key of a Boolean that determines whether a thumbnail is embedded.
///
/// It is ignored, and no thumbnail is embedded.
public var kCGImageDestinationEmbedThumbnail: CFString { "kCGImageDestinationEmbedThumbnail" }
/// The key of a Boolean that determines whether colors are converted to a color space that is
/// suitable for sharing.
///
/// It is ignored, and colors are always in sRGB or Display P3.
public var kCGImageDestinationOptimizeColorForSharing: CFString {
    "kCGImageDestinationOptimizeColorForSharing"
}

/// Returns the uniform type identifiers of the file types that can be written.
///
/// HEIC requires libheif's encoder. Without that encoder, ``CGImageDestinationFinalize(_:)``
/// returns false for HEIC.
public func CGImageDestinationCopyTypeIdentifiers() -> CFArray {
    CGImageDestination.Format.allCases.map { NSString(string: $0.rawValue) } as NSArray
}

/// Creates a destination that writes a file.
///
/// - Parameters:
///   - url: The file's location. Finalizing creates the file atomically and replaces an existing
///     one.
///   - type: `public.jpeg`, `public.png`, `public.tiff` or `public.heic`.
///   - count: The number of images, which must be 1.
///   - options: Ignored.
/// - Returns: Nil if the type can't be written, the count is not 1, or the URL is not a file URL.
public func CGImageDestinationCreateWithURL(
    _ url: CFURL,
    _ type: CFString,
    _ count: Int,
    _ options: CFDictionary?
) -> CGImageDestination? {
    let url = url as URL
    guard url.isFileURL else { return nil }
    return CGImageDestination(.file(url), type: type as String, count: count)
}

/// Creates a destination that writes to memory.
///
/// - Parameters:
///   - data: Receives the file's data, which replaces its contents when the destination is
///     finalized.
///   - type: `public.jpeg`, `public.png`, `public.tiff` or `public.heic`.
///   - count: The number of images, which must be 1.
///   - options: Ignored.
/// - Returns: Nil if the type can't be written or the count is not 1.
public func CGImageDestinationCreateWithData(
    _ data: CFMutableData,
    _ type: CFString,
    _ count: Int,
    _ options: CFDictionary?
) -> CGImageDestination? {
    CGImageDestination(.data(data), type: type as String, count: count)
}

/// Sets properties (`kCGImageProperty…` keys) and options for the images that are added afterward.
public func CGImageDestinationSetProperties(
    _ idst: CGImageDestination,
    _ properties: CFDictionary?
) {
    idst.set(PropertyValue.dictionary(properties) ?? [:])
}

/// Adds an image.
///
/// - Parameters:
///   - idst: The destination.
///   - image: The pixels in stored orientation. JPEG composites transparency over white.
///   - properties: The image's metadata, under `kCGImageProperty…` keys, and options
///     (`kCGImageDestination…`). The orientation states how to rotate the pixels for display.
public func CGImageDestinationAddImage(
    _ idst: CGImageDestination,
    _ image: CGImage,
    _ properties: CFDictionary?
) {
    idst.add(image, PropertyValue.dictionary(properties) ?? [:])
}

/// Adds an image from a source, with the image's metadata; the pixels are re-encoded.
///
/// - Parameters:
///   - idst: The destination.
///   - isrc: The image source.
///   - index: The index of the image: 0.
///   - properties: Metadata that overrides the source's, and options. Dictionaries are merged, and
///     `kCFNull` removes a key or a whole dictionary.
public func CGImageDestinationAddImageFromSource(
    _ idst: CGImageDestination,
    _ isrc: CGImageSource,
    _ index: Int,
    _ properties: CFDictionary?
) {
    idst.add(isrc, at: index, PropertyValue.dictionary(properties) ?? [:])
}

/// Writes the file; logs the error on failure.
///
/// - Returns: Whether the file was written. False also if the number of images differs from the
///   declared count, or if the destination was already finalized.
@discardableResult
public func CGImageDestinationFinalize(_ idst: CGImageDestination) -> Bool {
    do throws(CIRenderingError) {
        try idst.write()
        return true
    } catch {
        RenderingLog.record(error)
        return false
    }
}
