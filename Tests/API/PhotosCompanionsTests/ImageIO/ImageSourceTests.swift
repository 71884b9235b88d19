import Foundation
import PhotoModel
import PhotosCompanions
import SamplePhotos
import TestSupport
import Testing

/// The properties that files declare, by ImageIO's names, compared with exiftool.
@Suite(.timeLimit(.minutes(2))) struct ImageSourceTests {
    /// The keys of ImageIO, and exiftool's names for the same properties.
    static var numbers: [(String, CFString, String)] {
        [
            ("{Exif}", kCGImagePropertyExifFNumber, "ExifIFD:FNumber"),
            ("{Exif}", kCGImagePropertyExifExposureTime, "ExifIFD:ExposureTime"),
            ("{Exif}", kCGImagePropertyExifFocalLength, "ExifIFD:FocalLength"),
            ("{Exif}", kCGImagePropertyExifFocalLenIn35mmFilm, "ExifIFD:FocalLengthIn35mmFormat"),
            ("{Exif}", kCGImagePropertyExifExposureBiasValue, "ExifIFD:ExposureCompensation"),
            ("{Exif}", kCGImagePropertyExifMeteringMode, "ExifIFD:MeteringMode"),
            ("{Exif}", kCGImagePropertyExifFlash, "ExifIFD:Flash"),
            ("{Exif}", kCGImagePropertyExifWhiteBalance, "ExifIFD:WhiteBalance"),
            ("{GPS}", kCGImagePropertyGPSLatitude, "GPS:GPSLatitude"),
            ("{GPS}", kCGImagePropertyGPSLongitude, "GPS:GPSLongitude"),
            ("{GPS}", kCGImagePropertyGPSAltitude, "GPS:GPSAltitude"),
            ("{GPS}", kCGImagePropertyGPSImgDirection, "GPS:GPSImgDirection"),
            ("{TIFF}", kCGImagePropertyTIFFXResolution, "IFD0:XResolution"),
        ]
    }

    static var texts: [(String, CFString, String)] {
        [
            ("{TIFF}", kCGImagePropertyTIFFMake, "IFD0:Make"),
            ("{TIFF}", kCGImagePropertyTIFFModel, "IFD0:Model"),
            ("{TIFF}", kCGImagePropertyTIFFSoftware, "IFD0:Software"),
            ("{TIFF}", kCGImagePropertyTIFFDateTime, "IFD0:ModifyDate"),
            ("{Exif}", kCGImagePropertyExifDateTimeOriginal, "ExifIFD:DateTimeOriginal"),
            ("{Exif}", kCGImagePropertyExifOffsetTimeOriginal, "ExifIFD:OffsetTimeOriginal"),
            ("{Exif}", kCGImagePropertyExifSubsecTimeOriginal, "ExifIFD:SubSecTimeOriginal"),
            ("{Exif}", kCGImagePropertyExifLensModel, "ExifIFD:LensModel"),
            ("{GPS}", kCGImagePropertyGPSLatitudeRef, "GPS:GPSLatitudeRef"),
            ("{GPS}", kCGImagePropertyGPSLongitudeRef, "GPS:GPSLongitudeRef"),
            ("{GPS}", kCGImagePropertyGPSTimeStamp, "GPS:GPSTimeStamp"),
            ("{GPS}", kCGImagePropertyGPSDateStamp, "GPS:GPSDateStamp"),
        ]
    }

    static let files = [
        "apple", "gps", "cameras", "portrait", "raw", "timezone",
    ].flatMap { folder in
        let names =
            (try? FileManager.default.contentsOfDirectory(atPath: SharedData.file(folder).path))
            ?? []
        let extensions: Set = ["jpg", "jpeg", "heic", "dng", "tif", "nef"]
        return names.filter { extensions.contains(($0 as NSString).pathExtension.lowercased()) }
            .sorted().prefix(3).map { SharedData.file("\(folder)/\($0)") }
    }

    private func source(_ url: URL) throws -> CGImageSource {
        try #require(CGImageSourceCreateWithURL(url as CFURL, nil))
    }

    private func properties(_ url: URL) throws -> [String: Any] {
        let found = CGImageSourceCopyPropertiesAtIndex(try source(url), 0, nil)
        return try #require(found as? [String: Any])
    }

    @Test(.needsSharedData) func theyAreWhatExiftoolReads() throws {
        // Runs once for all files, because its start takes long.
        let json = try MediaTool.run("exiftool", ["-json", "-n", "-G1"] + Self.files.map(\.path))
        let rows = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
        #expect(rows?.count == Self.files.count)
        for (url, facts) in zip(Self.files, rows ?? []) {
            try compare(try properties(url), with: facts, of: url.lastPathComponent)
        }
    }

    private func compare(
        _ found: [String: Any],
        with facts: [String: Any],
        of file: String
    ) throws {
        for (dictionary, key, name) in Self.numbers {
            guard let wanted = (facts[name] as? NSNumber)?.doubleValue else { continue }
            let part = found[dictionary] as? [String: Any]
            let value = try #require(
                (part?[key as String] as? NSNumber)?.doubleValue,
                "\(file) \(name)"
            )
            // The signs of angles and heights are in another tag.
            let error = min(abs(value - wanted), abs(value - abs(wanted)))
            #expect(error <= max(abs(wanted) * 1e-6, 1e-9), "\(file) \(name): \(value)")
        }
        for (dictionary, key, name) in Self.texts {
            guard let wanted = facts[name] as? String else { continue }
            let part = found[dictionary] as? [CFString: Any]
            let value = (part?[key] as? String)?.trimmingCharacters(in: .whitespaces)
            // Satellite time is in whole seconds.
            let rest = name == "GPS:GPSTimeStamp" ? wanted.prefix(8) : wanted[...]
            #expect(value == rest.trimmingCharacters(in: .whitespaces), "\(file) \(name)")
        }
        if let speed = facts["ExifIFD:ISO"] as? Int, speed < 65535 {
            let part = found["{Exif}"] as? [String: Any]
            let speeds = part?[kCGImagePropertyExifISOSpeedRatings as String] as? [Int]
            #expect(speeds == [speed], "\(file)")
        }
    }

    @Test(.needsSharedData) func storedPixelsKeepTheirTurn() throws {
        let folder = SharedData.file("orientation")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.lowercased().hasSuffix(".jpg") && $0.contains("Landscape") }
        try #require(names.count >= 8)
        let options =
            [
                kCGImageSourceThumbnailMaxPixelSize: 60,
                kCGImageSourceCreateThumbnailFromImageAlways: true,
            ] as CFDictionary
        let upright =
            [
                kCGImageSourceThumbnailMaxPixelSize: 60,
                kCGImageSourceCreateThumbnailWithTransform: true,
                kCGImageSourceCreateThumbnailFromImageAlways: true,
            ] as CFDictionary
        for name in names {
            let url = folder.appendingPathComponent(name)
            let source = try source(url)
            let facts = try properties(url)
            let orientation = try #require(facts["Orientation"] as? Int)
            let wide = try #require(CGImageSourceCreateThumbnailAtIndex(source, 0, upright))
            #expect(wide.width > wide.height, "\(name)")
            let stored = try #require(CGImageSourceCreateThumbnailAtIndex(source, 0, options))
            #expect((stored.width > stored.height) == (orientation < 5), "\(name)")
            // Rotated by the tag, the stored pixels are the upright ones.
            let turn = try #require(CGImagePropertyOrientation(rawValue: UInt32(orientation)))
            let turned = UIImage(
                cgImage: stored,
                scale: 1,
                orientation: try #require(Self.turns[turn])
            )
            let again = try #require(turned.pngData().flatMap { UIImage(data: $0) }?.cgImage)
            #expect(again.width == wide.width && again.height == wide.height, "\(name)")
            #expect(again.dataProvider?.data == wide.dataProvider?.data, "\(name)")
        }
    }

    @Test(.needsSharedData) func theWholePictureIsAsLargeAsTheFileSays() throws {
        let url = SharedData.file("orientation/letter-f-6.jpg")
        let facts = try properties(url)
        let image = try #require(CGImageSourceCreateImageAtIndex(try source(url), 0, nil))
        #expect(image.width == facts["PixelWidth"] as? Int)
        #expect(image.height == facts["PixelHeight"] as? Int)
        #expect(facts["Orientation"] as? Int == 6)
    }

    private static let turns: [CGImagePropertyOrientation: UIImage.Orientation] = [
        .up: .up, .down: .down, .left: .left, .right: .right, .upMirrored: .upMirrored,
        .downMirrored: .downMirrored, .leftMirrored: .leftMirrored,
        .rightMirrored: .rightMirrored,
    ]

    @Test func whatIsNoPictureHasNothing() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("text.jpg")
        try Data("no picture".utf8).write(to: url)
        let source = try source(url)
        #expect(CGImageSourceGetCount(source) == 0)
        #expect(CGImageSourceGetType(source) == nil)
        #expect(CGImageSourceGetStatus(source) == .statusInvalidData)
        #expect(CGImageSourceCopyPropertiesAtIndex(source, 0, nil) == nil)
        #expect(CGImageSourceCreateImageAtIndex(source, 0, nil) == nil)
        #expect(CGImageSourceCreateThumbnailAtIndex(source, 0, nil) == nil)
        let missing = folder.file("missing.jpg") as CFURL
        #expect(CGImageSourceCreateWithURL(missing, nil) == nil)
        #expect(CGImageSourceCreateWithURL(folder.url as CFURL, nil) == nil)
        #expect(CGImageSourceCreateWithData(Data() as CFData, nil) == nil)
    }

    private static func thumbnail(
        _ source: CGImageSource,
        _ options: [CFString: Any]
    ) throws -> [Int] {
        var options = options
        options[kCGImageSourceCreateThumbnailFromImageAlways] = true
        let image = try #require(
            CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary)
        )
        return [image.width, image.height]
    }

    @Test func thumbnailOptionsAreNumbersOfAnyType() throws {
        let photo = SamplePhoto(
            Picture(.sea, seed: 3),
            size: PixelSize(width: 64, height: 96),
            metadata: SampleMetadata(orientation: .right)
        )
        let data = try SampleFile.jpeg(photo)
        let source = try #require(CGImageSourceCreateWithData(data as CFData, nil))
        let key = kCGImageSourceThumbnailMaxPixelSize
        let sizes: [Any] = [
            CGFloat(48), 48, 48.0, Float(48), UInt16(48), NSNumber(value: 48), CGFloat(48.9),
        ]
        for size in sizes {
            let found = try Self.thumbnail(source, [key: size])
            #expect(found == [48, 32], "\(type(of: size)) \(size)")
        }
        let large: [Any] = [CGFloat.infinity, CGFloat.nan, 1e300, CGFloat(1e6), Int.max]
        for size in large {
            let found = try Self.thumbnail(source, [key: size])
            #expect(found == [96, 64], "\(type(of: size)) \(size)")
        }
        let upright: [Any] = [true, 1, CGFloat(1), NSNumber(value: true)]
        for isUpright in upright {
            let found = try Self.thumbnail(
                source,
                [key: 48, kCGImageSourceCreateThumbnailWithTransform: isUpright]
            )
            #expect(found == [32, 48], "\(type(of: isUpright))")
        }
        for value: Any in [1, CGFloat(1), true] {
            let options: [CIImageOption: Any] = [.applyOrientationProperty: value]
            let image = try #require(CIImage(data: data, options: options))
            #expect(image.extent.size == CGSize(width: 64, height: 96), "\(type(of: value))")
        }
        let stored = try #require(CIImage(data: data, options: [.applyOrientationProperty: 0]))
        #expect(stored.extent.size == CGSize(width: 96, height: 64))
    }

    /// Returns a JPEG that states the versions of EXIF and FlashPix as floating-point numbers.
    private static func photo(version numbers: [Double]) throws -> Data {
        func little(_ number: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        func entry(_ number: UInt16, _ type: UInt16, _ count: Int, _ value: Int) -> [UInt8] {
            little(number) + little(type) + little(UInt32(count)) + little(UInt32(value))
        }
        // The first directory refers to the second one at byte 26, whose values are at byte 68.
        var block: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
        block += little(UInt16(1)) + entry(0x8769, 4, 1, 26) + little(UInt32(0))
        block += little(UInt16(3)) + entry(0x9000, 12, numbers.count, 68)
        block += entry(0xa000, 12, numbers.count, 68) + entry(0xa001, 3, 1, 1)
        block += little(UInt32(0))
        for number in numbers { block += little(number.bitPattern) }
        let payload = Array("Exif\0\0".utf8) + block
        let length = UInt16(payload.count + 2)
        let size = PixelSize(width: 32, height: 24)
        let sample = [UInt8](try SampleFile.jpeg(SamplePhoto(Picture(.sea, seed: 5), size: size)))
        // The EXIF data of the sample is in its first segment.
        try #require(Array(sample.prefix(4)) == [0xff, 0xd8, 0xff, 0xe1])
        let rest = sample.dropFirst(4 + (Int(sample[4]) << 8 | Int(sample[5])))
        return Data([0xff, 0xd8, 0xff, 0xe1, UInt8(length >> 8), UInt8(length & 0xff)])
            + Data(payload) + Data(rest)
    }

    @Test(
        "A version that consists of bytes is read, another one is left out",
        arguments: [
            ([48, 50, 51, 50], [2, 3, 2]), ([48, 49, 48, 48], [1, 0]), ([7, 255], [7, 255]),
            ([1e300], nil), ([48, 50, -1e300, 48], nil), ([1e19, 48, 48, 48], nil),
            ([48, 50, 51, 256], nil), ([-1], nil),
        ] as [([Double], [Int]?)]
    )
    func versions(_ row: ([Double], [Int]?)) throws {
        let data = try Self.photo(version: row.0)
        let source = try #require(CGImageSourceCreateWithData(data as CFData, nil))
        let found = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [String: Any]
        let picture = try #require(CIImage(data: data))
        for properties in [try #require(found), picture.properties] {
            let exif = try #require(properties["{Exif}"] as? [String: Any])
            for key in [kCGImagePropertyExifVersion, kCGImagePropertyExifFlashPixVersion] {
                #expect(exif[key as String] as? [Int] == row.1, "\(key)")
            }
            #expect(exif[kCGImagePropertyExifColorSpace as String] as? Int == 1)
        }
    }

    @Test func bytesInMemoryAreRead() throws {
        let photo = SamplePhoto(
            Picture(.sea, seed: 3),
            size: PixelSize(width: 96, height: 64),
            metadata: SampleMetadata(orientation: .right)
        )
        let data = try SampleFile.jpeg(photo)
        let source = try #require(CGImageSourceCreateWithData(data as CFData, nil))
        #expect(CGImageSourceGetCount(source) == 1)
        #expect(CGImageSourceGetStatus(source) == .statusComplete)
        #expect(CGImageSourceGetType(source) as String? == "public.jpeg")
        let whole = CGImageSourceCopyProperties(source, nil) as? [String: Any]
        #expect(whole?[kCGImagePropertyFileSize as String] as? Int == data.count)
        #expect(CGImageSourceCopyPropertiesAtIndex(source, 1, nil) == nil)
        let image = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
        #expect([image.width, image.height].sorted() == [64, 96])
    }
}
