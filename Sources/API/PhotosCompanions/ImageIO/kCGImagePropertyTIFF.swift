// The keys of `kCGImagePropertyTIFFDictionary`: TIFF's names.

/// A description.
public var kCGImagePropertyTIFFImageDescription: CFString { "ImageDescription" }
/// Who made the camera.
public var kCGImagePropertyTIFFMake: CFString { "Make" }
/// The camera.
public var kCGImagePropertyTIFFModel: CFString { "Model" }
/// How the pixels are turned for display: EXIF's number.
public var kCGImagePropertyTIFFOrientation: CFString { "Orientation" }
/// Pixels for each unit across.
public var kCGImagePropertyTIFFXResolution: CFString { "XResolution" }
/// Pixels for each unit down.
public var kCGImagePropertyTIFFYResolution: CFString { "YResolution" }
/// The unit: 2 for inches, 3 for centimetres.
public var kCGImagePropertyTIFFResolutionUnit: CFString { "ResolutionUnit" }
/// What wrote the file.
public var kCGImagePropertyTIFFSoftware: CFString { "Software" }
/// When it was changed last.
public var kCGImagePropertyTIFFDateTime: CFString { "DateTime" }
/// Who made it.
public var kCGImagePropertyTIFFArtist: CFString { "Artist" }
/// The computer that it was made on.
public var kCGImagePropertyTIFFHostComputer: CFString { "HostComputer" }
/// The white point: an array of numbers.
public var kCGImagePropertyTIFFWhitePoint: CFString { "WhitePoint" }
/// The primaries: an array of numbers.
public var kCGImagePropertyTIFFPrimaryChromaticities: CFString { "PrimaryChromaticities" }
/// How the pixels are compressed.
public var kCGImagePropertyTIFFCompression: CFString { "Compression" }
/// What pixel values mean.
public var kCGImagePropertyTIFFPhotometricInterpretation: CFString { "PhotometricInterpretation" }
/// Whose rights there are.
public var kCGImagePropertyTIFFCopyright: CFString { "Copyright" }
/// The document that the picture was scanned from.
public var kCGImagePropertyTIFFDocumentName: CFString { "DocumentName" }
/// How far from the left edge it lies on its page.
public var kCGImagePropertyTIFFXPosition: CFString { "XPosition" }
/// How far from the top edge it lies on its page.
public var kCGImagePropertyTIFFYPosition: CFString { "YPosition" }
/// The transfer function; not read.
public var kCGImagePropertyTIFFTransferFunction: CFString { "TransferFunction" }
/// Pixels across of a tile.
public var kCGImagePropertyTIFFTileWidth: CFString { "TileWidth" }
/// Pixels down of a tile.
public var kCGImagePropertyTIFFTileLength: CFString { "TileLength" }
