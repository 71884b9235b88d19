public import Foundation
internal import PhotoModel
internal import WorkerProtocol

/// An option of thumbnails: the longer side in pixels at most.
public var kCGImageSourceThumbnailMaxPixelSize: CFString { "kCGImageSourceThumbnailMaxPixelSize" }
/// An option of thumbnails: whether they are upright; else they are turned as the stored pixels are.
public var kCGImageSourceCreateThumbnailWithTransform: CFString {
    "kCGImageSourceCreateThumbnailWithTransform"
}
/// An option of thumbnails: whether one is made where the file has none, which is so anyway.
public var kCGImageSourceCreateThumbnailFromImageIfAbsent: CFString {
    "kCGImageSourceCreateThumbnailFromImageIfAbsent"
}
/// An option of thumbnails: whether one that is in the file will not do, however small.
public var kCGImageSourceCreateThumbnailFromImageAlways: CFString {
    "kCGImageSourceCreateThumbnailFromImageAlways"
}
/// An option that asks to keep decoded pixels; nothing is kept here.
public var kCGImageSourceShouldCache: CFString { "kCGImageSourceShouldCache" }
/// An option that asks to decode at once, which is always done here.
public var kCGImageSourceShouldCacheImmediately: CFString { "kCGImageSourceShouldCacheImmediately" }
/// An option that asks for more than 8 bits a component; pixels have 8 here.
public var kCGImageSourceShouldAllowFloat: CFString { "kCGImageSourceShouldAllowFloat" }
/// An option that says what kind of file it may be; the bytes tell that here.
public var kCGImageSourceTypeIdentifierHint: CFString { "kCGImageSourceTypeIdentifierHint" }

/// How far a source has been read.
public enum CGImageSourceStatus: Int32, Sendable {
    /// The file ended too early.
    case statusUnexpectedEOF = -5
    /// The file is damaged.
    case statusInvalidData = -4
    /// The file is no picture that is known.
    case statusUnknownType = -3
    /// Its header is being read.
    case statusReadingHeader = -2
    /// Not all of it is there.
    case statusIncomplete = -1
    /// All of it is there.
    case statusComplete = 0
}

/// Opens a picture's file.
///
/// - Parameters:
///   - url: The file.
///   - options: Hints, of which none is needed.
/// - Returns: Nil when there is no file to be opened. Whether it is a picture is told by
///   `CGImageSourceGetCount`.
public func CGImageSourceCreateWithURL(_ url: CFURL, _ options: CFDictionary?) -> CGImageSource? {
    CGImageSource(url as URL)
}

/// Opens the bytes of a picture's file, which are copied.
///
/// - Parameters:
///   - data: The bytes.
///   - options: Hints, of which none is needed.
/// - Returns: Nil for no bytes.
public func CGImageSourceCreateWithData(
    _ data: CFData,
    _ options: CFDictionary?
) -> CGImageSource? {
    CGImageSource(data as Data)
}

/// The uniform type identifier by the file's content; nil for what is no picture.
public func CGImageSourceGetType(_ isrc: CGImageSource) -> CFString? {
    isrc.facts.map { $0.contentType as NSString }
}

/// How many pictures there are: the frames of an animation, 1 for others, 0 for what is no picture.
public func CGImageSourceGetCount(_ isrc: CGImageSource) -> Int {
    guard let facts = isrc.facts else { return 0 }
    return facts.isAnimated ? max(1, facts.frameCount ?? 1) : 1
}

/// Whether the file is a picture that can be read.
public func CGImageSourceGetStatus(_ isrc: CGImageSource) -> CGImageSourceStatus {
    if isrc.facts != nil { return .statusComplete }
    return isrc.isDamaged ? .statusInvalidData : .statusUnknownType
}

/// What is true of the whole file: its length.
///
/// - Parameters:
///   - isrc: The file.
///   - options: Not used.
/// - Returns: Nil for what is no picture.
public func CGImageSourceCopyProperties(
    _ isrc: CGImageSource,
    _ options: CFDictionary?
) -> CFDictionary? {
    guard isrc.facts != nil else { return nil }
    return ["FileSize": isrc.lengthInBytes] as NSDictionary
}

/// What the file says of a picture in it: size, orientation, camera, times, place and words.
///
/// The keys are `kCGImageProperty…`; values are text, numbers, arrays and dictionaries of them. Of EXIF
/// there is everything that ImageIO has a name for, of makers' notes nothing.
///
/// - Parameters:
///   - isrc: The file.
///   - index: Which picture; all of an animation say the same.
///   - options: Not used.
/// - Returns: Nil for what is no picture, and beyond the last one.
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

/// Decodes a picture, its pixels turned as they are stored: the orientation is the program's to apply.
///
/// - Parameters:
///   - isrc: The file.
///   - index: 0: of an animation, only the first frame can be decoded.
///   - options: Not used.
/// - Returns: The picture in sRGB; nil for what can't be decoded.
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

/// Makes a small picture, which costs less than decoding the whole one.
///
/// - Parameters:
///   - isrc: The file.
///   - index: 0: of an animation, only the first frame can be decoded.
///   - options: `kCGImageSourceThumbnailMaxPixelSize` and its kin; without a size the picture is as
///     large as it is.
/// - Returns: The picture in sRGB; nil for what can't be decoded.
public func CGImageSourceCreateThumbnailAtIndex(
    _ isrc: CGImageSource,
    _ index: Int,
    _ options: CFDictionary?
) -> CGImage? {
    let options = options as? [String: Any] ?? [:]
    func isSet(_ key: CFString) -> Bool { options[key as String] as? Bool ?? false }
    let side = options[kCGImageSourceThumbnailMaxPixelSize as String] as? NSNumber
    guard index == 0, let facts = isrc.facts,
        let image = isrc.uprightImage(
            side: side.map { min(max(1, $0.intValue), 1 << 16) },
            takesAnyPreview: !isSet(kCGImageSourceCreateThumbnailFromImageAlways)
        )
    else { return nil }
    let isUpright =
        isSet(kCGImageSourceCreateThumbnailWithTransform) || !facts.format.leavesTurning
    return isUpright ? image : image.turnedBack(facts.orientation)
}

/// The uniform types of the files that can be read.
public func CGImageSourceCopyTypeIdentifiers() -> CFArray {
    UTType.readableImages.map(\.identifier) as NSArray
}
