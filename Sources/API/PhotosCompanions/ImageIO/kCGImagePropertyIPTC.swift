// The keys of `kCGImagePropertyIPTCDictionary` that are supported.

/// The key of the title.
public var kCGImagePropertyIPTCObjectName: CFString { "ObjectName" }
/// The key of the caption.
public var kCGImagePropertyIPTCCaptionAbstract: CFString { "Caption/Abstract" }
/// The key of the keywords: an array of strings.
public var kCGImagePropertyIPTCKeywords: CFString { "Keywords" }
/// The key of the rating: an integer from 0 to 5.
public var kCGImagePropertyIPTCStarRating: CFString { "StarRating" }
