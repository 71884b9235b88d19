import Foundation
import PhotosCompanions
import TestSupport
import Testing

/// Every property that programs can write, as exiftool reads it.
///
/// The names of ImageIO are those of the EXIF standard, and so are nearly all of exiftool's.
@Suite(.timeLimit(.minutes(2)), .needsProgram("exiftool")) struct PropertyKeyTests {
    /// A key, the value that is written, exiftool's name and its value.
    struct Row {
        let key: CFString
        let value: Any
        let name: String
        let read: String

        init(_ key: CFString, _ value: Any, _ name: String? = nil, _ read: String? = nil) {
            self.key = key
            self.value = value
            self.name = name ?? key as String
            self.read = read ?? "\(value)"
        }
    }

    static var exif: [Row] {
        [
            Row(kCGImagePropertyExifExposureTime, 0.25), Row(kCGImagePropertyExifFNumber, 2.5),
            Row(kCGImagePropertyExifExposureProgram, 2),
            Row(kCGImagePropertyExifSpectralSensitivity, "spectrum"),
            Row(kCGImagePropertyExifISOSpeedRatings, [200], "ISO", "200"),
            Row(kCGImagePropertyExifSensitivityType, 2),
            Row(kCGImagePropertyExifStandardOutputSensitivity, 70_001),
            Row(kCGImagePropertyExifRecommendedExposureIndex, 70_002),
            Row(kCGImagePropertyExifISOSpeed, 70_003),
            Row(kCGImagePropertyExifISOSpeedLatitudeyyy, 70_004),
            Row(kCGImagePropertyExifISOSpeedLatitudezzz, 70_005),
            Row(kCGImagePropertyExifVersion, [2, 3, 1], nil, "0231"),
            Row(kCGImagePropertyExifDateTimeOriginal, "2024:05:06 07:08:09"),
            Row(kCGImagePropertyExifDateTimeDigitized, "2024:05:06 07:08:10", "CreateDate"),
            Row(kCGImagePropertyExifOffsetTime, "+01:00"),
            Row(kCGImagePropertyExifOffsetTimeOriginal, "+02:00"),
            Row(kCGImagePropertyExifOffsetTimeDigitized, "+03:00"),
            Row(kCGImagePropertyExifComponentsConfiguration, [1, 2, 3, 0], nil, "1 2 3 0"),
            Row(kCGImagePropertyExifCompressedBitsPerPixel, 1.5),
            // APEX: the exposure time is 2 to the power of minus the value.
            Row(kCGImagePropertyExifShutterSpeedValue, 3, nil, "0.125"),
            Row(kCGImagePropertyExifApertureValue, 4),
            Row(kCGImagePropertyExifBrightnessValue, -1.5),
            Row(kCGImagePropertyExifExposureBiasValue, -0.5, "ExposureCompensation"),
            Row(kCGImagePropertyExifMaxApertureValue, 2),
            Row(kCGImagePropertyExifSubjectDistance, 3.5), Row(kCGImagePropertyExifMeteringMode, 5),
            Row(kCGImagePropertyExifLightSource, 9), Row(kCGImagePropertyExifFlash, 16),
            Row(kCGImagePropertyExifFocalLength, 4.25),
            Row(kCGImagePropertyExifSubjectArea, [10, 20, 5, 6], nil, "10 20 5 6"),
            Row(kCGImagePropertyExifSubsecTime, "11", "SubSecTime"),
            Row(kCGImagePropertyExifSubsecTimeOriginal, "12", "SubSecTimeOriginal"),
            Row(kCGImagePropertyExifSubsecTimeDigitized, "13", "SubSecTimeDigitized"),
            Row(kCGImagePropertyExifFlashPixVersion, [1, 0], "FlashpixVersion", "0100"),
            Row(kCGImagePropertyExifRelatedSoundFile, "SOUND.WAV"),
            Row(kCGImagePropertyExifFlashEnergy, 7.5),
            Row(kCGImagePropertyExifFocalPlaneXResolution, 800.5),
            Row(kCGImagePropertyExifFocalPlaneYResolution, 801.5),
            Row(kCGImagePropertyExifFocalPlaneResolutionUnit, 3),
            Row(kCGImagePropertyExifSubjectLocation, [7, 8], nil, "7 8"),
            Row(kCGImagePropertyExifExposureIndex, 1.25), Row(kCGImagePropertyExifSensingMethod, 2),
            Row(kCGImagePropertyExifFileSource, 3), Row(kCGImagePropertyExifSceneType, 1),
            Row(kCGImagePropertyExifCustomRendered, 1), Row(kCGImagePropertyExifExposureMode, 1),
            Row(kCGImagePropertyExifWhiteBalance, 1),
            Row(kCGImagePropertyExifDigitalZoomRatio, 2.5),
            Row(kCGImagePropertyExifFocalLenIn35mmFilm, 28, "FocalLengthIn35mmFormat"),
            Row(kCGImagePropertyExifSceneCaptureType, 1), Row(kCGImagePropertyExifGainControl, 2),
            Row(kCGImagePropertyExifContrast, 1), Row(kCGImagePropertyExifSaturation, 2),
            Row(kCGImagePropertyExifSharpness, 1),
            Row(kCGImagePropertyExifSubjectDistRange, 2, "SubjectDistanceRange"),
            Row(kCGImagePropertyExifImageUniqueID, "0123456789abcdef0123456789abcdef"),
            Row(kCGImagePropertyExifCameraOwnerName, "Owner", "OwnerName"),
            Row(kCGImagePropertyExifBodySerialNumber, "B-1", "SerialNumber"),
            Row(
                kCGImagePropertyExifLensSpecification,
                [4.5, 9, 1.5, 2.5],
                "LensInfo",
                "4.5 9 1.5 2.5"
            ),
            Row(kCGImagePropertyExifLensMake, "Lens Maker"),
            Row(kCGImagePropertyExifLensModel, "Lens Model"),
            Row(kCGImagePropertyExifLensSerialNumber, "L-2"),
            Row(kCGImagePropertyExifUserComment, "A comment"),
            Row(kCGImagePropertyExifCompositeImage, 2),
            Row(
                kCGImagePropertyExifSourceImageNumberOfCompositeImage,
                [3, 2],
                "CompositeImageCount",
                "3 2"
            ),
            Row(kCGImagePropertyExifGamma, 2.25),
        ]
    }

    static var gps: [Row] {
        [
            Row(kCGImagePropertyGPSVersion, [2, 3, 0, 0], "GPSVersionID", "2 3 0 0"),
            Row(kCGImagePropertyGPSLatitudeRef, "S"), Row(kCGImagePropertyGPSLatitude, 12.5),
            Row(kCGImagePropertyGPSLongitudeRef, "W"), Row(kCGImagePropertyGPSLongitude, 99.75),
            Row(kCGImagePropertyGPSAltitudeRef, 1), Row(kCGImagePropertyGPSAltitude, 10.5),
            Row(kCGImagePropertyGPSTimeStamp, "01:02:03"),
            Row(kCGImagePropertyGPSSatellites, "7"), Row(kCGImagePropertyGPSStatus, "A"),
            Row(kCGImagePropertyGPSMeasureMode, "3"), Row(kCGImagePropertyGPSDOP, 1.5),
            Row(kCGImagePropertyGPSSpeedRef, "K"), Row(kCGImagePropertyGPSSpeed, 5.5),
            Row(kCGImagePropertyGPSTrackRef, "T"), Row(kCGImagePropertyGPSTrack, 90.5),
            Row(kCGImagePropertyGPSImgDirectionRef, "M"),
            Row(kCGImagePropertyGPSImgDirection, 91.5), Row(kCGImagePropertyGPSMapDatum, "WGS-84"),
            Row(kCGImagePropertyGPSDestLatitudeRef, "N"),
            Row(kCGImagePropertyGPSDestLatitude, 45.5),
            Row(kCGImagePropertyGPSDestLongitudeRef, "E"),
            Row(kCGImagePropertyGPSDestLongitude, 7.25),
            Row(kCGImagePropertyGPSDestBearingRef, "T"),
            Row(kCGImagePropertyGPSDestBearing, 92.5), Row(kCGImagePropertyGPSDestDistanceRef, "K"),
            Row(kCGImagePropertyGPSDestDistance, 93.5),
            Row(kCGImagePropertyGPSDateStamp, "2024:05:06"),
            Row(kCGImagePropertyGPSDifferental, 1), Row(kCGImagePropertyGPSHPositioningError, 4.5),
        ]
    }

    static var tiff: [Row] {
        [
            Row(kCGImagePropertyTIFFImageDescription, "A description"),
            Row(kCGImagePropertyTIFFMake, "Maker"), Row(kCGImagePropertyTIFFModel, "Model"),
            Row(kCGImagePropertyTIFFOrientation, 3),
            Row(kCGImagePropertyTIFFXResolution, 150), Row(kCGImagePropertyTIFFYResolution, 151),
            Row(kCGImagePropertyTIFFResolutionUnit, 3),
            Row(kCGImagePropertyTIFFSoftware, "Program"),
            Row(kCGImagePropertyTIFFDateTime, "2024:05:06 07:08:11", "ModifyDate"),
            Row(kCGImagePropertyTIFFArtist, "Artist"),
            Row(kCGImagePropertyTIFFHostComputer, "Computer"),
            Row(kCGImagePropertyTIFFWhitePoint, [0.25, 0.5], nil, "0.25 0.5"),
            Row(
                kCGImagePropertyTIFFPrimaryChromaticities,
                [0.5, 0.25, 0.25, 0.5, 0.125, 0.125],
                nil,
                "0.5 0.25 0.25 0.5 0.125 0.125"
            ),
            Row(kCGImagePropertyTIFFCopyright, "Rights"),
            Row(kCGImagePropertyTIFFDocumentName, "Document"),
            Row(kCGImagePropertyTIFFXPosition, 1.5), Row(kCGImagePropertyTIFFYPosition, 2.5),
        ]
    }

    private func write(_ properties: [CFString: Any]) throws -> [String: Any] {
        let folder = try TemporaryFolder()
        let url = folder.file("properties.jpg")
        let target = try #require(
            CGImageDestinationCreateWithURL(url as CFURL, kUTTypeJPEG, 1, nil)
        )
        let image = try Pictures.image()
        CGImageDestinationAddImage(target, image, properties as CFDictionary)
        try #require(CGImageDestinationFinalize(target))
        return try WrittenTags.read(url)
    }

    private func dictionary(_ rows: [Row]) -> [CFString: Any] {
        Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.value) })
    }

    @Test func exifToolReadsEachProperty() throws {
        let tags = try write([
            kCGImagePropertyExifDictionary: dictionary(Self.exif),
            kCGImagePropertyTIFFDictionary: dictionary(Self.tiff),
            kCGImagePropertyGPSDictionary: dictionary(Self.gps),
        ])
        for row in Self.exif {
            #expect(tags["ExifIFD:\(row.name)"].map { "\($0)" } == row.read, "\(row.key)")
        }
        for row in Self.tiff {
            #expect(tags["IFD0:\(row.name)"].map { "\($0)" } == row.read, "\(row.key)")
        }
        for row in Self.gps {
            let name = row.name.hasPrefix("GPS") ? row.name : "GPS" + row.name
            #expect(tags["GPS:\(name)"].map { "\($0)" } == row.read, "\(row.key)")
        }
    }

    @Test func resolutionsAreOfAnInch() throws {
        let tags = try write([
            kCGImagePropertyDPIWidth: 300, kCGImagePropertyDPIHeight: 301,
            kCGImagePropertyExifDictionary: [kCGImagePropertyExifUserComment: "日本"],
        ])
        #expect(tags["IFD0:XResolution"] as? Int == 300)
        #expect(tags["IFD0:YResolution"] as? Int == 301)
        #expect(tags["IFD0:ResolutionUnit"] as? Int == 2)
        #expect(tags["ExifIFD:UserComment"] as? String == "日本")
    }

    @Test func propertiesOfOtherTypesAreOmitted() throws {
        let tags = try write([
            kCGImagePropertyExifDictionary: [
                kCGImagePropertyExifFNumber: "wide", kCGImagePropertyExifVersion: [2, 30],
                kCGImagePropertyExifSubjectArea: [1, "two"] as [Any],
                kCGImagePropertyExifFlash: Double.nan, kCGImagePropertyExifLensModel: "Lens",
            ] as [CFString: Any],
            kCGImagePropertyGPSDictionary: [
                kCGImagePropertyGPSTimeStamp: "noon", kCGImagePropertyGPSLatitude: "north",
                kCGImagePropertyGPSStatus: "A",
            ] as [CFString: Any],
        ])
        #expect(tags["ExifIFD:LensModel"] as? String == "Lens")
        #expect(tags["GPS:GPSStatus"] as? String == "A")
        for name in ["ExifIFD:FNumber", "ExifIFD:SubjectArea", "ExifIFD:Flash"] {
            #expect(tags[name] == nil, "\(name)")
        }
        #expect(tags["GPS:GPSTimeStamp"] == nil && tags["GPS:GPSLatitude"] == nil)
    }

    /// The names of properties, as ImageIO's headers and programs' property lists have them.
    @Test func dictionariesHaveTheirNames() {
        let names: [(CFString, String)] = [
            (kCGImagePropertyPixelWidth, "PixelWidth"),
            (kCGImagePropertyPixelHeight, "PixelHeight"),
            (kCGImagePropertyDepth, "Depth"), (kCGImagePropertyColorModel, "ColorModel"),
            (kCGImagePropertyColorModelRGB, "RGB"), (kCGImagePropertyProfileName, "ProfileName"),
            (kCGImagePropertyHasAlpha, "HasAlpha"), (kCGImagePropertyFileSize, "FileSize"),
            (kCGImagePropertyGIFDictionary, "{GIF}"), (kCGImagePropertyPNGDictionary, "{PNG}"),
            (kCGImagePropertyJFIFDictionary, "{JFIF}"), (kCGImagePropertyRawDictionary, "{Raw}"),
            (kCGImagePropertyDNGDictionary, "{DNG}"), (kCGImagePropertyHEICSDictionary, "{HEICS}"),
            (kCGImagePropertyExifAuxDictionary, "{ExifAux}"),
            (kCGImagePropertyMakerAppleDictionary, "{MakerApple}"),
            (kCGImagePropertyWebPDictionary, "{WebP}"), (kCGImagePropertyAVISDictionary, "{AVIS}"),
        ]
        for (key, name) in names { #expect(key as String == name) }
    }
}
