internal import Foundation
internal import PhotoModel
internal import WorkerProtocol

/// The definition of an EXIF tag: its key and the form of its value in ImageIO's dictionaries.
struct ImageTag {
    enum Form {
        case text, int, double, ints, doubles
        /// A version: four digits in the file, such as `0232`; an array of numbers in the
        /// dictionary, such as 2, 3 and 2.
        case version
        /// An angle: degrees, minutes and seconds in the file, decimal degrees in the dictionary.
        case angle
        /// A time of day: hours, minutes and seconds as numbers in the file, text in the
        /// dictionary.
        case clock
    }

    let key: String
    let form: Form
    /// The value type with which the tag is written to files.
    let stored: TagDirectories.ValueType

    init(_ key: String, _ form: Form, stored: TagDirectories.ValueType? = nil) {
        self.key = key
        self.form = form
        let usual: TagDirectories.ValueType =
            switch form {
            case .text: .text
            case .int, .ints: .short
            case .version: .undefined
            case .double, .doubles, .angle, .clock: .rational
            }
        self.stored = stored ?? usual
    }

    /// Returns the definitions of the known tags in a directory, by tag number.
    static func all(in directory: WrittenTag.Directory) -> [Int: ImageTag] {
        switch directory {
        case .photo: photo
        case .image: image
        case .gps: gps
        case .apple: [:]
        }
    }

    /// Returns the definition of a tag read from a file; nil for an unknown tag.
    static func named(_ tag: WrittenTag) -> ImageTag? {
        all(in: tag.directory)[tag.number]
    }

    /// Returns a value from a file in the form of ImageIO's dictionaries; nil if it is not valid
    /// for the tag.
    func value(_ value: WrittenTag.Value) -> Any? {
        switch (form, value) {
        case (.text, .text(let text)), (.version, .text(let text)): NSString(string: text)
        case (.int, .numbers(let numbers)): numbers.first.flatMap(Self.integer)
        case (.double, .numbers(let numbers)): numbers.first.map { NSNumber(value: $0) }
        case (.ints, .numbers(let numbers)): NSArray(array: numbers.compactMap(Self.integer))
        case (.doubles, .numbers(let numbers)):
            NSArray(array: numbers.map { NSNumber(value: $0) })
        case (.version, .numbers(let numbers)):
            Self.version(numbers).map { parts in
                NSArray(array: parts.map { NSNumber(value: $0) })
            }
        case (.angle, .numbers(let numbers)):
            NSNumber(value: Self.sum(of: numbers.map(abs)))
        case (.clock, .numbers(let numbers)) where numbers.count == 3:
            NSString(string: Self.clock(numbers))
        default: nil
        }
    }

    /// Returns the numbers of a version from its four digits, such as 2, 3 and 2 from `0232`, or 1
    /// and 0 from `0100`; nil if a number is not a byte.
    ///
    /// A file may state the version as numbers of any type and size.
    private static func version(_ numbers: [Double]) -> [Int]? {
        let bytes = numbers.compactMap { Int(exactly: $0.rounded()) }
        guard bytes.count == numbers.count, bytes.allSatisfy({ (0...255).contains($0) }) else {
            return nil
        }
        var parts = bytes.map { $0 - ((48...57).contains($0) ? 48 : 0) }
        guard parts.count == 4, parts.allSatisfy({ (0...9).contains($0) }) else { return parts }
        parts = [parts[0] * 10 + parts[1]] + parts[2...]
        if parts[2] == 0 { parts.removeLast() }
        return parts
    }

    private static func integer(_ number: Double) -> NSNumber? {
        Int(exactly: number.rounded()).map { NSNumber(value: $0) }
    }

    private static func sum(of parts: [Double]) -> Double {
        var unit = 1.0
        var result = 0.0
        for part in parts.prefix(3) {
            result += part / unit
            unit *= 60
        }
        return result
    }

    private static func clock(_ parts: [Double]) -> String {
        parts.map { part in
            let number = Int(exactly: part.rounded(.down)) ?? 0
            return number < 10 ? "0\(max(0, number))" : "\(number)"
        }.joined(separator: ":")
    }

    private static let photo: [Int: ImageTag] = [
        0x829a: ImageTag("ExposureTime", .double),
        0x829d: ImageTag("FNumber", .double),
        0x8822: ImageTag("ExposureProgram", .int),
        0x8824: ImageTag("SpectralSensitivity", .text),
        0x8827: ImageTag("ISOSpeedRatings", .ints),
        0x8830: ImageTag("SensitivityType", .int),
        0x8831: ImageTag("StandardOutputSensitivity", .int, stored: .long),
        0x8832: ImageTag("RecommendedExposureIndex", .int, stored: .long),
        0x8833: ImageTag("ISOSpeed", .int, stored: .long),
        0x8834: ImageTag("ISOSpeedLatitudeyyy", .int, stored: .long),
        0x8835: ImageTag("ISOSpeedLatitudezzz", .int, stored: .long),
        0x9000: ImageTag("ExifVersion", .version),
        0x9003: ImageTag("DateTimeOriginal", .text),
        0x9004: ImageTag("DateTimeDigitized", .text),
        0x9010: ImageTag("OffsetTime", .text),
        0x9011: ImageTag("OffsetTimeOriginal", .text),
        0x9012: ImageTag("OffsetTimeDigitized", .text),
        0x9101: ImageTag("ComponentsConfiguration", .ints, stored: .undefined),
        0x9102: ImageTag("CompressedBitsPerPixel", .double),
        0x9201: ImageTag("ShutterSpeedValue", .double, stored: .signedRational),
        0x9202: ImageTag("ApertureValue", .double),
        0x9203: ImageTag("BrightnessValue", .double, stored: .signedRational),
        0x9204: ImageTag("ExposureBiasValue", .double, stored: .signedRational),
        0x9205: ImageTag("MaxApertureValue", .double),
        0x9206: ImageTag("SubjectDistance", .double),
        0x9207: ImageTag("MeteringMode", .int),
        0x9208: ImageTag("LightSource", .int),
        0x9209: ImageTag("Flash", .int),
        0x920a: ImageTag("FocalLength", .double),
        0x9214: ImageTag("SubjectArea", .ints),
        0x9290: ImageTag("SubsecTime", .text),
        0x9291: ImageTag("SubsecTimeOriginal", .text),
        0x9292: ImageTag("SubsecTimeDigitized", .text),
        0xa000: ImageTag("FlashPixVersion", .version),
        0xa001: ImageTag("ColorSpace", .int),
        0xa002: ImageTag("PixelXDimension", .int, stored: .long),
        0xa003: ImageTag("PixelYDimension", .int, stored: .long),
        0xa004: ImageTag("RelatedSoundFile", .text),
        0xa20b: ImageTag("FlashEnergy", .double),
        0xa20e: ImageTag("FocalPlaneXResolution", .double),
        0xa20f: ImageTag("FocalPlaneYResolution", .double),
        0xa210: ImageTag("FocalPlaneResolutionUnit", .int),
        0xa214: ImageTag("SubjectLocation", .ints),
        0xa215: ImageTag("ExposureIndex", .double),
        0xa217: ImageTag("SensingMethod", .int),
        0xa300: ImageTag("FileSource", .int, stored: .undefined),
        0xa301: ImageTag("SceneType", .int, stored: .undefined),
        0xa401: ImageTag("CustomRendered", .int),
        0xa402: ImageTag("ExposureMode", .int),
        0xa403: ImageTag("WhiteBalance", .int),
        0xa404: ImageTag("DigitalZoomRatio", .double),
        0xa405: ImageTag("FocalLenIn35mmFilm", .int),
        0xa406: ImageTag("SceneCaptureType", .int),
        0xa407: ImageTag("GainControl", .int),
        0xa408: ImageTag("Contrast", .int),
        0xa409: ImageTag("Saturation", .int),
        0xa40a: ImageTag("Sharpness", .int),
        0xa40c: ImageTag("SubjectDistRange", .int),
        0xa420: ImageTag("ImageUniqueID", .text),
        0xa430: ImageTag("CameraOwnerName", .text),
        0xa431: ImageTag("BodySerialNumber", .text),
        0xa432: ImageTag("LensSpecification", .doubles),
        0xa433: ImageTag("LensMake", .text),
        0xa434: ImageTag("LensModel", .text),
        0xa435: ImageTag("LensSerialNumber", .text),
        0xa460: ImageTag("CompositeImage", .int),
        0xa461: ImageTag("SourceImageNumberOfCompositeImage", .ints),
        0xa500: ImageTag("Gamma", .double),
    ]

    private static let image: [Int: ImageTag] = [
        0x010d: ImageTag("DocumentName", .text),
        0x010e: ImageTag("ImageDescription", .text),
        0x010f: ImageTag("Make", .text),
        0x0110: ImageTag("Model", .text),
        0x0112: ImageTag("Orientation", .int),
        0x011a: ImageTag("XResolution", .double),
        0x011b: ImageTag("YResolution", .double),
        0x011e: ImageTag("XPosition", .double),
        0x011f: ImageTag("YPosition", .double),
        0x0128: ImageTag("ResolutionUnit", .int),
        0x0131: ImageTag("Software", .text),
        0x0132: ImageTag("DateTime", .text),
        0x013b: ImageTag("Artist", .text),
        0x013c: ImageTag("HostComputer", .text),
        0x013e: ImageTag("WhitePoint", .doubles),
        0x013f: ImageTag("PrimaryChromaticities", .doubles),
        0x0142: ImageTag("TileWidth", .int, stored: .long),
        0x0143: ImageTag("TileLength", .int, stored: .long),
        0x0103: ImageTag("Compression", .int),
        0x0106: ImageTag("PhotometricInterpretation", .int),
        0x8298: ImageTag("Copyright", .text),
    ]

    private static let gps: [Int: ImageTag] = [
        0x0000: ImageTag("GPSVersion", .ints, stored: .byte),
        0x0001: ImageTag("LatitudeRef", .text),
        0x0002: ImageTag("Latitude", .angle),
        0x0003: ImageTag("LongitudeRef", .text),
        0x0004: ImageTag("Longitude", .angle),
        0x0005: ImageTag("AltitudeRef", .int, stored: .byte),
        0x0006: ImageTag("Altitude", .double),
        0x0007: ImageTag("TimeStamp", .clock),
        0x0008: ImageTag("Satellites", .text),
        0x0009: ImageTag("Status", .text),
        0x000a: ImageTag("MeasureMode", .text),
        0x000b: ImageTag("DOP", .double),
        0x000c: ImageTag("SpeedRef", .text),
        0x000d: ImageTag("Speed", .double),
        0x000e: ImageTag("TrackRef", .text),
        0x000f: ImageTag("Track", .double),
        0x0010: ImageTag("ImgDirectionRef", .text),
        0x0011: ImageTag("ImgDirection", .double),
        0x0012: ImageTag("MapDatum", .text),
        0x0013: ImageTag("DestLatitudeRef", .text),
        0x0014: ImageTag("DestLatitude", .angle),
        0x0015: ImageTag("DestLongitudeRef", .text),
        0x0016: ImageTag("DestLongitude", .angle),
        0x0017: ImageTag("DestBearingRef", .text),
        0x0018: ImageTag("DestBearing", .double),
        0x0019: ImageTag("DestDistanceRef", .text),
        0x001a: ImageTag("DestDistance", .double),
        0x001d: ImageTag("DateStamp", .text),
        0x001e: ImageTag("Differential", .int),
        0x001f: ImageTag("HPositioningError", .double),
    ]
}
