public import Foundation
internal import PhotoModel
internal import WorkerProtocol

/// A thumbnail option: the maximum length of the longer side in pixels.
public var kCGImageSourceThumbnailMaxPixelSize: CFString { "kCGImageSourceThumbnailMaxPixelSize" }
/// A thumbnail option: whether the thumbnail is oriented upright; otherwise it has the stored
/// orientation.
public var kCGImageSourceCreateThumbnailWithTransform: CFString {
    "kCGImageSourceCreateThumbnailWithTransform"
}
/// A thumbnail option: whether to create a thumbnail if the file has none.
///
/// It is ignored, and a thumbnail is always created.
public var kCGImageSourceCreateThumbnailFromImageIfAbsent: CFString {
    "kCGImageSourceCreateThumbnailFromImageIfAbsent"
}
/// A thumbnail option: whether to ignore an embedded thumbnail that is smaller than the requested
/// size.
public var kCGImageSourceCreateThumbnailFromImageAlways: CFString {
    "kCGImageSourceCreateThumbnailFromImageAlways"
}
/// An option to cache decoded pixels.
///
/// It is ignored, and nothing is cached.
public var kCGImageSourceShouldCache: CFString { "kCGImageSourceShouldCache" }
/// An option to decode immediately.
///
/// It is ignored, and images are always decoded immediately.
public var kCGImageSourceShouldCacheImmediately: CFString { "kCGImageSourceShouldCacheImmediately" }
/// An option to allow more than 8 bits per component.
///
/// It is ignored, and components always have 8 bits.
public var kCGImageSourceShouldAllowFloat: CFString { "kCGImageSourceShouldAllowFloat" }
/// An option that hints at the file type.
///
/// It is ignored, and the type is detected from the content.
public var kCGImageSourceTypeIdentifierHint: CFString { "kCGImageSourceTypeIdentifierHint" }

/// The status of an image source.
public enum CGImageSourceStatus: Int32, Sendable {
    /// The file ended unexpectedly.
    case statusUnexpectedEOF = -5
    /// The file is damaged.
    case statusInvalidData = -4
    /// The file type is unknown.
    case statusUnknownType = -3
    /// The header is being read.
    case statusReadingHeader = -2
    /// The file is incomplete.
    case statusIncomplete = -1
    /// The file is complete.
    case statusComplete = 0
}

/// Opens an image file.
///
/// - Parameters:
///   - url: The file.
///   - options: Hints, all of which are ignored.
/// - Returns: Nil if no file can be opened. `CGImageSourceGetCount` returns 0 if it is not an
///   image.
public func CGImageSourceCreateWithURL(_ url: CFURL, _ options: CFDictionary?) -> CGImageSource? {
    CGImageSource(url as URL)
}

/// Opens an image file in memory; the data is copied.
///
/// - Parameters:
///   - data: The data.
///   - options: Hints, all of which are ignored.
/// - Returns: Nil if the data is empty.
public func CGImageSourceCreateWithData(
    _ data: CFData,
    _ options: CFDictionary?
) -> CGImageSource? {
    CGImageSource(data as Data)
}

/// Returns the uniform type identifier, detected from the content; nil if the file is not an image.
public func CGImageSourceGetType(_ isrc: CGImageSource) -> CFString? {
    isrc.facts.map { $0.contentType as NSString }
}

/// Returns the number of images in a file: the frames of an animation, 1 for a still image, or 0 if
/// the file is not an image.
public func CGImageSourceGetCount(_ isrc: CGImageSource) -> Int {
    guard let facts = isrc.facts else { return 0 }
    return facts.isAnimated ? max(1, facts.frameCount ?? 1) : 1
}

/// Returns the status of a source, which states whether the file is an image that can be read.
public func CGImageSourceGetStatus(_ isrc: CGImageSource) -> CGImageSourceStatus {
    if isrc.facts != nil { return .statusComplete }
    return isrc.isDamaged ? .statusInvalidData : .statusUnknownType
}

/// Returns the properties of the whole file: its size in bytes.
///
/// - Parameters:
///   - isrc: The image source.
///   - options: Ignored.
/// - Returns: Nil if the file is not an image.
public func CGImageSourceCopyProperties(
    _ isrc: CGImageSource,
    _ options: CFDictionary?
) -> CFDictionary? {
    guard isrc.facts != nil else { return nil }
    return ["FileSize": isrc.lengthInBytes] as NSDictionary
}

/// Returns the properties of an image: size, orientation, camera, dates, location and descriptive
/// text.
///
/// The keys are `kCGImageProperty…`; the values are strings, numbers, and arrays and dictionaries
/// of them. EXIF data includes the tags that ImageIO names, except those whose keys are documented
/// as not read. Only Apple's maker notes are included.
///
/// - Parameters:
///   - isrc: The image source.
///   - index: The index of the image; all frames of an animation have the same properties.
///   - options: Ignored.
/// - Returns: Nil if the file is not an image or the index is out of range.
public func CGImageSourceCopyPropertiesAtIndex(
    _ isrc: CGImageSource,
    _ index: Int,
    _ options: CFDictionary?
) -> CFDictionary? {
    guard (0..<CGImageSourceGetCount(isrc)).contains(index), let found = isrc.properties else {
        return nil
    }
    return found as NSDictionary
}

/// Decodes an image in stored orientation; the program must apply the orientation.
///
/// - Parameters:
///   - isrc: The image source.
///   - index: 0, because only the first frame of an animation can be decoded.
///   - options: Ignored.
/// - Returns: The image in sRGB; nil if it can't be decoded.
public func CGImageSourceCreateImageAtIndex(
    _ isrc: CGImageSource,
    _ index: Int,
    _ options: CFDictionary?
) -> CGImage? {
    guard index == 0, let facts = isrc.facts,
        let image = isrc.uprightImage(side: nil, takesAnyPreview: false)
    else { return nil }
    return facts.format.leavesTurning ? image.turnedBack(facts.orientation) : image
}

/// Creates a thumbnail, which costs less than decoding the whole image.
///
/// - Parameters:
///   - isrc: The image source.
///   - index: 0, because only the first frame of an animation can be decoded.
///   - options: `kCGImageSourceThumbnailMaxPixelSize` and the other thumbnail options; without a
///     finite size the image is not scaled.
/// - Returns: The image in sRGB; nil if it can't be decoded.
public func CGImageSourceCreateThumbnailAtIndex(
    _ isrc: CGImageSource,
    _ index: Int,
    _ options: CFDictionary?
) -> CGImage? {
    let options = PropertyValue.dictionary(options) ?? [:]
    func isSet(_ key: CFString) -> Bool { PropertyValue.truth(options[key as String]) }
    let side = PropertyValue.number(options[kCGImageSourceThumbnailMaxPixelSize as String])
    guard index == 0, let facts = isrc.facts,
        let image = isrc.uprightImage(
            side: side.flatMap { $0.isFinite ? Int(min(max(1, $0), 65_536)) : nil },
            takesAnyPreview: !isSet(kCGImageSourceCreateThumbnailFromImageAlways)
        )
    else { return nil }
    let isUpright =
        isSet(kCGImageSourceCreateThumbnailWithTransform) || !facts.format.leavesTurning
    return isUpright ? image : image.turnedBack(facts.orientation)
}

/// Returns the uniform type identifiers of the file types that can be read.
public func CGImageSourceCopyTypeIdentifiers() -> CFArray {
    UTType.readableImages.map(\.identifier) as NSArray
}
