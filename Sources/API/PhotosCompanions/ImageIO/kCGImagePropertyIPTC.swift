// The keys of `kCGImagePropertyIPTCDictionary`, as far as they are read.

/// The title.
public var kCGImagePropertyIPTCObjectName: CFString { "ObjectName" }
/// The caption.
public var kCGImagePropertyIPTCCaptionAbstract: CFString { "Caption/Abstract" }
/// The keywords: an array of text.
public var kCGImagePropertyIPTCKeywords: CFString { "Keywords" }
/// From 0 to 5 stars: an integer.
public var kCGImagePropertyIPTCStarRating: CFString { "StarRating" }
