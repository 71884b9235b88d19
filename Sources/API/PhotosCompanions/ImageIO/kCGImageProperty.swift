// The keys of image properties outside the nested dictionaries.

/// The key of the stored width in pixels: an integer.
public var kCGImagePropertyPixelWidth: CFString { "PixelWidth" }
/// The key of the stored height in pixels: an integer.
public var kCGImagePropertyPixelHeight: CFString { "PixelHeight" }
/// The key of the orientation: an EXIF number.
public var kCGImagePropertyOrientation: CFString { "Orientation" }
/// The key of the number of bits per component.
public var kCGImagePropertyDepth: CFString { "Depth" }
/// The key of the color model.
public var kCGImagePropertyColorModel: CFString { "ColorModel" }
/// The RGB color model.
public var kCGImagePropertyColorModelRGB: CFString { "RGB" }
/// The key of the name of the color profile.
public var kCGImagePropertyProfileName: CFString { "ProfileName" }
/// The key of a Boolean that indicates whether the image has alpha.
public var kCGImagePropertyHasAlpha: CFString { "HasAlpha" }
/// The key of the horizontal resolution in pixels per inch.
///
/// It is absent if the file states the resolution in a unit without a fixed length.
public var kCGImagePropertyDPIWidth: CFString { "DPIWidth" }
/// The key of the vertical resolution in pixels per inch.
///
/// It is absent if the file states the resolution in a unit without a fixed length.
public var kCGImagePropertyDPIHeight: CFString { "DPIHeight" }
/// The key of the whole file's size in bytes.
public var kCGImagePropertyFileSize: CFString { "FileSize" }
/// The key of the EXIF dictionary, with the camera's settings.
public var kCGImagePropertyExifDictionary: CFString { "{Exif}" }
/// The key of the TIFF dictionary, with creator, camera and software.
public var kCGImagePropertyTIFFDictionary: CFString { "{TIFF}" }
/// The key of the GPS dictionary, with the location.
public var kCGImagePropertyGPSDictionary: CFString { "{GPS}" }
/// The key of the IPTC dictionary, with descriptive metadata.
public var kCGImagePropertyIPTCDictionary: CFString { "{IPTC}" }
/// The key of the dictionary for a GIF, and for an animation in a format without a dictionary of
/// its own, such as JPEG XL.
public var kCGImagePropertyGIFDictionary: CFString { "{GIF}" }
/// The key of the dictionary for an animated PNG.
public var kCGImagePropertyPNGDictionary: CFString { "{PNG}" }
/// The key of the dictionary for an animated WebP.
public var kCGImagePropertyWebPDictionary: CFString { "{WebP}" }
/// The key of the dictionary for a JPEG's JFIF header; this dictionary is not read from files.
public var kCGImagePropertyJFIFDictionary: CFString { "{JFIF}" }
/// The key of the dictionary for Apple's maker notes.
///
/// Its keys are decimal tag numbers and its values strings and numbers, such as `"17"` for the
/// content identifier that the parts of a Live Photo share.
public var kCGImagePropertyMakerAppleDictionary: CFString { "{MakerApple}" }
/// The key of the dictionary for additional lens and camera data; this dictionary is not read from
/// files.
public var kCGImagePropertyExifAuxDictionary: CFString { "{ExifAux}" }
/// The key of the dictionary for a raw file; this dictionary is not read from files.
public var kCGImagePropertyRawDictionary: CFString { "{Raw}" }
/// The key of the dictionary for a DNG file; this dictionary is not read from files.
public var kCGImagePropertyDNGDictionary: CFString { "{DNG}" }
/// The key of the dictionary for a HEIF image sequence.
public var kCGImagePropertyHEICSDictionary: CFString { "{HEICS}" }
/// The key of the dictionary for an AVIF image sequence.
public var kCGImagePropertyAVISDictionary: CFString { "{AVIS}" }
