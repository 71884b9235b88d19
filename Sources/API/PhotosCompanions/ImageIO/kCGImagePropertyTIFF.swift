// The keys of `kCGImagePropertyTIFFDictionary`, named as in TIFF.

/// The key of the description.
public var kCGImagePropertyTIFFImageDescription: CFString { "ImageDescription" }
/// The key of the camera manufacturer.
public var kCGImagePropertyTIFFMake: CFString { "Make" }
/// The key of the camera model.
public var kCGImagePropertyTIFFModel: CFString { "Model" }
/// The key of the orientation: an EXIF number.
public var kCGImagePropertyTIFFOrientation: CFString { "Orientation" }
/// The key of the horizontal resolution in pixels per unit.
public var kCGImagePropertyTIFFXResolution: CFString { "XResolution" }
/// The key of the vertical resolution in pixels per unit.
public var kCGImagePropertyTIFFYResolution: CFString { "YResolution" }
/// The key of the resolution's unit: 2 for inches, 3 for centimeters.
public var kCGImagePropertyTIFFResolutionUnit: CFString { "ResolutionUnit" }
/// The key of the software that wrote the file.
public var kCGImagePropertyTIFFSoftware: CFString { "Software" }
/// The key of the modification date.
public var kCGImagePropertyTIFFDateTime: CFString { "DateTime" }
/// The key of the creator.
public var kCGImagePropertyTIFFArtist: CFString { "Artist" }
/// The key of the computer on which the image was created.
public var kCGImagePropertyTIFFHostComputer: CFString { "HostComputer" }
/// The key of the white point: an array of numbers.
public var kCGImagePropertyTIFFWhitePoint: CFString { "WhitePoint" }
/// The key of the primary chromaticities: an array of numbers.
public var kCGImagePropertyTIFFPrimaryChromaticities: CFString { "PrimaryChromaticities" }
/// The key of the compression method.
public var kCGImagePropertyTIFFCompression: CFString { "Compression" }
/// The key of the photometric interpretation: the meaning of pixel values.
public var kCGImagePropertyTIFFPhotometricInterpretation: CFString { "PhotometricInterpretation" }
/// The key of the copyright notice.
public var kCGImagePropertyTIFFCopyright: CFString { "Copyright" }
/// The key of the name of the document that the image was scanned from.
public var kCGImagePropertyTIFFDocumentName: CFString { "DocumentName" }
/// The key of the image's distance from the left edge of the page.
public var kCGImagePropertyTIFFXPosition: CFString { "XPosition" }
/// The key of the image's distance from the top edge of the page.
public var kCGImagePropertyTIFFYPosition: CFString { "YPosition" }
/// The key of the transfer function, which is not read from files.
public var kCGImagePropertyTIFFTransferFunction: CFString { "TransferFunction" }
/// The key of the tile width in pixels.
public var kCGImagePropertyTIFFTileWidth: CFString { "TileWidth" }
/// The key of the tile height in pixels.
public var kCGImagePropertyTIFFTileLength: CFString { "TileLength" }
