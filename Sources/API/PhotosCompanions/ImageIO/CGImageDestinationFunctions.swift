public import Foundation

/// The quality with which pixels are compressed, from 0 to 1; 0.9 where it is not there.
public var kCGImageDestinationLossyCompressionQuality: CFString {
    "kCGImageDestinationLossyCompressionQuality"
}
/// The longer side in pixels at most: the picture is made smaller.
public var kCGImageDestinationImageMaxPixelSize: CFString { "kCGImageDestinationImageMaxPixelSize" }
/// Whether a picture that is added from a source keeps its gain map, in JPEG and HEIC files.
public var kCGImageDestinationPreserveGainMap: CFString { "kCGImageDestinationPreserveGainMap" }
/// Whether a small picture goes into the file, which none does here.
public var kCGImageDestinationEmbedThumbnail: CFString { "kCGImageDestinationEmbedThumbnail" }
/// Whether colors are brought to what all programs show; they are sRGB or Display P3 here anyway.
public var kCGImageDestinationOptimizeColorForSharing: CFString {
    "kCGImageDestinationOptimizeColorForSharing"
}

/// The uniform types of the files that can be written.
///
/// HEIC needs libheif's encoder; where it is missing, ``CGImageDestinationFinalize(_:)`` gives false.
public func CGImageDestinationCopyTypeIdentifiers() -> CFArray {
    CGImageDestination.Format.allCases.map { NSString(string: $0.rawValue) } as NSArray
}

/// Begins a file.
///
/// - Parameters:
///   - url: Where it goes; it appears there whole when it is finalized, in place of one that is there.
///   - type: `public.jpeg`, `public.png`, `public.tiff` or `public.heic`.
///   - count: How many pictures it has: 1.
///   - options: Not used.
/// - Returns: Nil for a type that can't be written, for another count, and for what is no file.
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

/// Begins a file in memory.
///
/// - Parameters:
///   - data: Gets the file's bytes, in place of what it has, when the file is finalized.
///   - type: `public.jpeg`, `public.png`, `public.tiff` or `public.heic`.
///   - count: How many pictures it has: 1.
///   - options: Not used.
/// - Returns: Nil for a type that can't be written, and for another count.
public func CGImageDestinationCreateWithData(
    _ data: CFMutableData,
    _ type: CFString,
    _ count: Int,
    _ options: CFDictionary?
) -> CGImageDestination? {
    CGImageDestination(.data(data), type: type as String, count: count)
}

/// Sets what holds for the pictures that are added after this: `kCGImageProperty…` keys, and options.
public func CGImageDestinationSetProperties(
    _ idst: CGImageDestination,
    _ properties: CFDictionary?
) {
    idst.set(PropertyValue.dictionary(properties) ?? [:])
}

/// Adds the pixels of an image.
///
/// - Parameters:
///   - idst: The file.
///   - image: The pixels, as they are to be stored; what is transparent becomes white in JPEG.
///   - properties: What the file says of the picture, under `kCGImageProperty…` keys, and options
///     (`kCGImageDestination…`). The orientation says how the pixels are turned for display.
public func CGImageDestinationAddImage(
    _ idst: CGImageDestination,
    _ image: CGImage,
    _ properties: CFDictionary?
) {
    idst.add(image, PropertyValue.dictionary(properties) ?? [:])
}

/// Adds a picture of another file, with what it says of itself; its pixels are encoded anew.
///
/// - Parameters:
///   - idst: The file.
///   - isrc: The other file.
///   - index: Which of its pictures: 0.
///   - properties: What the file says in place of what the other one says, and options; dictionaries are
///     joined, and `kCFNull` takes a key or a whole dictionary away.
public func CGImageDestinationAddImageFromSource(
    _ idst: CGImageDestination,
    _ isrc: CGImageSource,
    _ index: Int,
    _ properties: CFDictionary?
) {
    idst.add(isrc, at: index, PropertyValue.dictionary(properties) ?? [:])
}

/// Writes the file; why there is none is logged.
///
/// - Returns: Whether it is there. False also for a file whose pictures are not as many as were announced,
///   and for one that was written already.
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
