import Foundation
import PhotosCompanions
import TestSupport
import Testing

/// Files that programs write with ImageIO, checked by exiftool and our own reader.
@Suite(.timeLimit(.minutes(3))) struct ImageDestinationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static let types: [(String, String)] = [
        ("public.jpeg", "jpg"), ("public.png", "png"), ("public.tiff", "tif"),
        ("public.heic", "heic"),
    ]

    // MARK: - Programs

    /// Writes a picture with the place and time of its capture.
    private func save(_ image: CGImage, type: CFString, to url: URL) -> Bool {
        let gps: [CFString: Any] = [
            kCGImagePropertyGPSLatitude: 48.137154, kCGImagePropertyGPSLatitudeRef: "N",
            kCGImagePropertyGPSLongitude: 11.576124, kCGImagePropertyGPSLongitudeRef: "E",
            kCGImagePropertyGPSAltitude: 519.5, kCGImagePropertyGPSAltitudeRef: 0,
            kCGImagePropertyGPSTimeStamp: "12:34:56", kCGImagePropertyGPSDateStamp: "2024:05:06",
        ]
        let exif: [CFString: Any] = [
            kCGImagePropertyExifDateTimeOriginal: "2024:05:06 14:34:56",
            kCGImagePropertyExifOffsetTimeOriginal: "+02:00",
            kCGImagePropertyExifSubsecTimeOriginal: "123",
            kCGImagePropertyExifExposureTime: 1.0 / 120, kCGImagePropertyExifFNumber: 1.8,
            kCGImagePropertyExifISOSpeedRatings: [64], kCGImagePropertyExifFocalLength: 4.25,
            kCGImagePropertyExifExposureBiasValue: -0.5,
            kCGImagePropertyExifLensModel: "Back Camera", kCGImagePropertyExifFlash: 16,
            kCGImagePropertyExifUserComment: "Grüße",
            kCGImagePropertyExifRecommendedExposureIndex: 64,
            kCGImagePropertyExifLensSpecification: [4.25, 4.25, 1.8, 1.8],
        ]
        let tiff: [CFString: Any] = [
            kCGImagePropertyTIFFMake: "Apple", kCGImagePropertyTIFFModel: "iPhone 11",
            kCGImagePropertyTIFFSoftware: "Test", kCGImagePropertyTIFFArtist: "Ansel",
            kCGImagePropertyTIFFDocumentName: "Roll 7",
        ]
        let properties: [CFString: Any] = [
            kCGImagePropertyGPSDictionary: gps, kCGImagePropertyExifDictionary: exif,
            kCGImagePropertyTIFFDictionary: tiff,
            kCGImagePropertyIPTCDictionary: [
                kCGImagePropertyIPTCObjectName: "A title & more",
                kCGImagePropertyIPTCCaptionAbstract: "A caption",
                kCGImagePropertyIPTCKeywords: ["one", "zwei"],
                kCGImagePropertyIPTCStarRating: 4,
            ] as [CFString: Any],
            kCGImagePropertyOrientation: CGImagePropertyOrientation.right.rawValue,
            kCGImageDestinationLossyCompressionQuality: 0.8,
        ]
        guard
            let destination = CGImageDestinationCreateWithURL(url as CFURL, type, 1, nil)
        else { return false }
        CGImageDestinationAddImage(destination, image, properties as CFDictionary)
        return CGImageDestinationFinalize(destination)
    }

    /// The usual way to remove the place before a picture is shared.
    private func removingLocation(from data: Data) -> Data? {
        guard let source = CGImageSourceCreateWithData(data as CFData, nil),
            let type = CGImageSourceGetType(source)
        else { return nil }
        let count = CGImageSourceGetCount(source)
        let mutableData = NSMutableData(data: data)
        guard
            let destination = CGImageDestinationCreateWithData(
                mutableData as CFMutableData,
                type,
                count,
                nil
            )
        else { return nil }
        let removeProperties: CFDictionary =
            [kCGImagePropertyGPSDictionary: kCFNull as Any] as CFDictionary
        for i in 0..<count {
            CGImageDestinationAddImageFromSource(destination, source, i, removeProperties)
        }
        guard CGImageDestinationFinalize(destination) else { return nil }
        return mutableData as Data
    }

    /// The way in which programs make the still of a Live Photo.
    private func addAssetID(_ identifier: String, toImage url: URL, saveTo target: URL) -> URL? {
        guard
            let destination = CGImageDestinationCreateWithURL(
                target as CFURL,
                kUTTypeJPEG,
                1,
                nil
            ),
            let source = CGImageSourceCreateWithURL(url as CFURL, nil),
            var properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [String: Any]
        else { return nil }
        properties[kCGImagePropertyMakerAppleDictionary as String] = ["17": identifier]
        CGImageDestinationAddImageFromSource(destination, source, 0, properties as CFDictionary)
        CGImageDestinationFinalize(destination)
        return target
    }

    // MARK: - Results

    @Test(.needsProgram("exiftool"), arguments: types)
    func othersReadWhatIsWritten(_ type: (String, String)) throws {
        let url = folder.file("written.\(type.1)")
        try #require(save(try Pictures.image(), type: type.0 as CFString, to: url))
        let tags = try ExifTool.tags(of: url)
        #expect(tags["EXIF:Make"] == "Apple" && tags["EXIF:Model"] == "iPhone 11")
        #expect(tags["EXIF:Artist"] == "Ansel" && tags["EXIF:DocumentName"] == "Roll 7")
        #expect(tags["EXIF:DateTimeOriginal"] == "2024:05:06 14:34:56")
        #expect(tags["EXIF:OffsetTimeOriginal"] == "+02:00")
        #expect(tags["EXIF:SubSecTimeOriginal"] == "123")
        let exposure = try #require(tags["EXIF:ExposureTime"].flatMap { Double($0) })
        #expect(abs(exposure - 1.0 / 120) < 1e-9)
        #expect(tags["EXIF:FNumber"] == "1.8" && tags["EXIF:ISO"] == "64")
        #expect(tags["EXIF:FocalLength"] == "4.25" && tags["EXIF:Flash"] == "16")
        #expect(tags["EXIF:ExposureCompensation"] == "-0.5")
        #expect(tags["EXIF:LensModel"] == "Back Camera")
        #expect(tags["EXIF:LensInfo"] == "4.25 4.25 1.8 1.8")
        #expect(tags["EXIF:UserComment"] == "Grüße")
        #expect(tags["EXIF:RecommendedExposureIndex"] == "64")
        #expect(tags["EXIF:Orientation"] == "6")
        #expect(tags["EXIF:ExifImageWidth"] == "64" && tags["EXIF:ExifImageHeight"] == "48")
        let latitude = try #require(tags["EXIF:GPSLatitude"].flatMap { Double($0) })
        #expect(abs(latitude - 48.137154) < 1e-9)
        #expect(tags["EXIF:GPSLongitudeRef"] == "E" && tags["EXIF:GPSAltitude"] == "519.5")
        #expect(tags["EXIF:GPSTimeStamp"] == "12:34:56")
        #expect(tags["XMP:Title"] == "A title & more" && tags["XMP:Description"] == "A caption")
        #expect(tags["XMP:Rating"] == "4")
        #expect(tags["XMP:Subject"]?.contains("zwei") == true)
        if type.1 == "jpg" || type.1 == "tif" {
            #expect(tags["IPTC:ObjectName"] == "A title & more")
        }
        #expect(try ExifTool.complaints(about: url) == [])
    }

    @Test(arguments: types)
    func whatIsWrittenIsReadAgain(_ type: (String, String)) throws {
        let url = folder.file("again.\(type.1)")
        let image = try Pictures.image()
        try #require(save(image, type: type.0 as CFString, to: url))
        let source = try #require(CGImageSourceCreateWithURL(url as CFURL, nil))
        #expect(CGImageSourceGetType(source) as String? == type.0)
        let read = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [CFString: Any]
        let properties = try #require(read)
        let exif = try #require(properties[kCGImagePropertyExifDictionary] as? [CFString: Any])
        #expect(exif[kCGImagePropertyExifLensModel] as? String == "Back Camera")
        #expect(exif[kCGImagePropertyExifUserComment] as? String == "Grüße")
        #expect(exif[kCGImagePropertyExifVersion] as? [Int] == [2, 3, 2])
        #expect(exif[kCGImagePropertyExifRecommendedExposureIndex] as? Int == 64)
        let tiff = properties[kCGImagePropertyTIFFDictionary] as? [CFString: Any]
        #expect(tiff?[kCGImagePropertyTIFFDocumentName] as? String == "Roll 7")
        let stored = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
        // HEIF is decoded upright; after a quarter turn clockwise, the left side is on top.
        if type.1 == "heic" {
            #expect(properties[kCGImagePropertyOrientation] as? Int == 1)
            #expect(stored.width == 48 && stored.height == 64)
            #expect(Pictures.isNear(try Pictures.pixel(24, 8, of: stored), [255, 0, 0]))
            #expect(Pictures.isNear(try Pictures.pixel(24, 56, of: stored), [0, 0, 255]))
        } else {
            #expect(properties[kCGImagePropertyOrientation] as? Int == 6)
            #expect(stored.width == 64 && stored.height == 48)
            #expect(Pictures.isNear(try Pictures.pixel(8, 24, of: stored), [255, 0, 0]))
            #expect(Pictures.isNear(try Pictures.pixel(56, 24, of: stored), [0, 0, 255]))
        }
    }

    @Test(.needsProgram("exiftool"), arguments: types)
    func thePlaceIsRemovedAndAllElseStays(_ type: (String, String)) throws {
        let url = folder.file("place.\(type.1)")
        try #require(save(try Pictures.image(), type: type.0 as CFString, to: url))
        let data = try #require(removingLocation(from: try Data(contentsOf: url)))
        let target = folder.file("no-place.\(type.1)")
        try data.write(to: target)
        let (before, after) = (try ExifTool.tags(of: url), try ExifTool.tags(of: target))
        #expect(before.keys.contains { $0.contains("GPS") })
        #expect(!after.keys.contains { $0.contains("GPS") })
        for name in ["Make", "DateTimeOriginal", "FNumber", "LensModel", "UserComment"] {
            #expect(after["EXIF:\(name)"] == before["EXIF:\(name)"])
        }
        #expect(after["XMP:Title"] == "A title & more")
    }

    @Test(.needsSharedData, .needsProgram("exiftool"))
    func ofACamerasFileNothingIsLost() throws {
        let original = SharedData.file("hdr-gainmap/iphone13mini-gainmap-new.jpg")
        let target = try #require(
            addAssetID("B6D2C7A0-1111", toImage: original, saveTo: folder.file("live.jpg"))
        )
        let (before, after) = (try ExifTool.tags(of: original), try ExifTool.tags(of: target))
        #expect(after["MakerNotes:MediaGroupUUID"] == "B6D2C7A0-1111")
        let names = [
            "Make", "Model", "Software", "DateTimeOriginal", "OffsetTimeOriginal", "FNumber",
            "ExposureTime", "ISO", "FocalLength", "FocalLengthIn35mmFormat", "LensModel",
            "LensInfo", "MeteringMode", "BrightnessValue", "ShutterSpeedValue", "SubjectArea",
            "GPSLatitude", "GPSLongitude", "GPSAltitude", "GPSImgDirection", "Orientation",
            "SceneType", "CompositeImage",
        ]
        for name in names {
            guard let value = before["EXIF:\(name)"] else { continue }
            let number = Double(value), found = after["EXIF:\(name)"]
            if let number, let found = found.flatMap({ Double($0) }) {
                #expect(abs(number - found) <= abs(number) * 1e-6, "\(name)")
            } else {
                #expect(found == value, "\(name)")
            }
        }
        // The brightness of the gain map.
        #expect(after["MakerNotes:HDRHeadroom"] != nil)
        let source = try #require(CGImageSourceCreateWithURL(target as CFURL, nil))
        let read = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [CFString: Any]
        let notes = read?[kCGImagePropertyMakerAppleDictionary] as? [String: Any]
        #expect(notes?["17"] as? String == "B6D2C7A0-1111")
    }

    @Test func qualityAndSizeAreAsAskedFor() throws {
        let big = try Pictures.image(width: 400, height: 300)
        func length(_ quality: Double, _ type: CFString) throws -> Int {
            let data = NSMutableData()
            let destination = try #require(
                CGImageDestinationCreateWithData(data, type, 1, nil)
            )
            let options = [kCGImageDestinationLossyCompressionQuality: quality]
            CGImageDestinationAddImage(destination, big, options as CFDictionary)
            #expect(CGImageDestinationFinalize(destination))
            return data.length
        }
        for type in [kUTTypeJPEG, UTType.heic.identifier as CFString] {
            #expect(try length(0.1, type) < length(1, type))
        }
        let data = NSMutableData()
        let destination = try #require(
            CGImageDestinationCreateWithData(data, kUTTypeJPEG, 1, nil)
        )
        let options = [kCGImageDestinationImageMaxPixelSize: 100]
        CGImageDestinationAddImage(destination, big, options as CFDictionary)
        #expect(CGImageDestinationFinalize(destination))
        let source = try #require(CGImageSourceCreateWithData(data, nil))
        let small = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
        #expect(small.width == 100 && small.height == 75)
    }

    @Test func transparentPixelsStayOrBecomeWhite() throws {
        let image = try Pictures.image(isTransparentAbove: true)
        for (type, name) in Self.types {
            let data = NSMutableData()
            let destination = try #require(
                CGImageDestinationCreateWithData(data, type as CFString, 1, nil)
            )
            CGImageDestinationAddImage(destination, image, nil)
            #expect(CGImageDestinationFinalize(destination))
            let source = try #require(CGImageSourceCreateWithData(data, nil))
            let read = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
            let isOpaque = read.alphaInfo == .noneSkipLast
            #expect(isOpaque == (name == "jpg"), "\(name)")
            if name == "jpg" {
                #expect(Pictures.isNear(try Pictures.pixel(8, 8, of: read), [255, 255, 255]))
            }
            #expect(Pictures.isNear(try Pictures.pixel(8, 40, of: read), [255, 0, 0]))
        }
    }

    @Test(.needsProgram("exiftool")) func commonPropertiesHoldForWhatComesAfter() throws {
        let url = folder.file("common.png")
        let destination = try #require(
            CGImageDestinationCreateWithURL(url as CFURL, kUTTypePNG, 1, nil)
        )
        let tiff = [kCGImagePropertyTIFFDictionary: [kCGImagePropertyTIFFMake: "Maker"]]
        CGImageDestinationSetProperties(destination, tiff as CFDictionary)
        let exif = [kCGImagePropertyExifDictionary: [kCGImagePropertyExifFlash: 1]]
        CGImageDestinationAddImage(destination, try Pictures.image(), exif as CFDictionary)
        #expect(CGImageDestinationFinalize(destination))
        let tags = try ExifTool.tags(of: url)
        #expect(tags["EXIF:Make"] == "Maker" && tags["EXIF:Flash"] == "1")
    }

    @Test func whatCanNotBeWrittenIsRefused() throws {
        let data = NSMutableData()
        #expect(CGImageDestinationCreateWithData(data, "public.nothing", 1, nil) == nil)
        #expect(CGImageDestinationCreateWithData(data, kUTTypeJPEG, 2, nil) == nil)
        let empty = try #require(CGImageDestinationCreateWithData(data, kUTTypeJPEG, 1, nil))
        #expect(!CGImageDestinationFinalize(empty))
        let nowhere = folder.file("nothing/here.jpg")
        let image = try Pictures.image()
        #expect(!save(image, type: kUTTypeJPEG, to: nowhere))
        let twice = try #require(CGImageDestinationCreateWithData(data, kUTTypeJPEG, 1, nil))
        CGImageDestinationAddImage(twice, image, nil)
        #expect(CGImageDestinationFinalize(twice))
        #expect(!CGImageDestinationFinalize(twice))
        let types = CGImageDestinationCopyTypeIdentifiers() as? [String]
        #expect(types?.contains("public.heic") == true)
    }
}
