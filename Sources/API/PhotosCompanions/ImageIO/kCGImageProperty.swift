// The keys of what a file says of a picture, outside of the dictionaries in it.

/// Pixels across, as stored: an integer.
public var kCGImagePropertyPixelWidth: CFString { "PixelWidth" }
/// Pixels down, as stored: an integer.
public var kCGImagePropertyPixelHeight: CFString { "PixelHeight" }
/// How the pixels are turned for display: EXIF's number.
public var kCGImagePropertyOrientation: CFString { "Orientation" }
/// Bits of a colour component.
public var kCGImagePropertyDepth: CFString { "Depth" }
/// What the colours are made of.
public var kCGImagePropertyColorModel: CFString { "ColorModel" }
/// Red, green and blue.
public var kCGImagePropertyColorModelRGB: CFString { "RGB" }
/// The name of the colour profile.
public var kCGImagePropertyProfileName: CFString { "ProfileName" }
/// Whether there is alpha: a truth value.
public var kCGImagePropertyHasAlpha: CFString { "HasAlpha" }
/// Pixels for each inch across.
public var kCGImagePropertyDPIWidth: CFString { "DPIWidth" }
/// Pixels for each inch down.
public var kCGImagePropertyDPIHeight: CFString { "DPIHeight" }
/// Bytes of the file: of the whole source.
public var kCGImagePropertyFileSize: CFString { "FileSize" }
/// The dictionary of what the camera did.
public var kCGImagePropertyExifDictionary: CFString { "{Exif}" }
/// The dictionary of who made the picture, and with what.
public var kCGImagePropertyTIFFDictionary: CFString { "{TIFF}" }
/// The dictionary of the place.
public var kCGImagePropertyGPSDictionary: CFString { "{GPS}" }
/// The dictionary of words about the picture.
public var kCGImagePropertyIPTCDictionary: CFString { "{IPTC}" }
/// The dictionary of an animated GIF.
public var kCGImagePropertyGIFDictionary: CFString { "{GIF}" }
/// The dictionary of a PNG.
public var kCGImagePropertyPNGDictionary: CFString { "{PNG}" }
/// The dictionary of a JPEG's own header; not read.
public var kCGImagePropertyJFIFDictionary: CFString { "{JFIF}" }
/// The dictionary of what Apple's cameras note: text and numbers by the decimal numbers of their tags, such as
/// `"17"` for what the halves of a Live Photo share.
public var kCGImagePropertyMakerAppleDictionary: CFString { "{MakerApple}" }
/// The dictionary of what else is known of the lens and the camera; not read.
public var kCGImagePropertyExifAuxDictionary: CFString { "{ExifAux}" }
/// The dictionary of a camera's raw file; not read.
public var kCGImagePropertyRawDictionary: CFString { "{Raw}" }
/// The dictionary of a digital negative; not read.
public var kCGImagePropertyDNGDictionary: CFString { "{DNG}" }
/// The dictionary of an animation in a HEIF file; not read.
public var kCGImagePropertyHEICSDictionary: CFString { "{HEICS}" }
