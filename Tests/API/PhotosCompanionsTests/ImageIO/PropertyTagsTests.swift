import Foundation
import PhotoModel
import TestSupport
import Testing

@testable import PhotosCompanions

/// The EXIF data for properties, as exiftool reads them.
@Suite(.timeLimit(.minutes(2))) struct PropertyTagsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns the tags of a TIFF structure without pixels.
    private func read(_ properties: [String: Any], isSRGB: Bool = true) throws -> [String: Any] {
        let tags = PropertyTags(
            properties,
            size: PixelSize(width: 640, height: 480),
            isSRGB: isSRGB
        )
        let file = try folder.write(Data(tags.directories.block), to: "\(UUID().uuidString).tif")
        return try WrittenTags.read(file)
    }

    @Test func numbersTextAndPlacesComeBack() throws {
        let tags = try read([
            "{Exif}": [
                "FNumber": 2.8, "ExposureTime": 1.0 / 125, "ISOSpeedRatings": 400,
                "ExposureBiasValue": -1.5, "DateTimeOriginal": "2024:05:06 07:08:09",
                "LensSpecification": [24, 70, 2.8, 2.8], "ExifVersion": [2, 3, 1],
                "UserComment": "plain", "SubjectArea": [10, 20, 30, 40],
            ] as [String: Any],
            "{TIFF}": [
                "Make": "Maker", "Artist": "Ärtist", "Compression": 5, "TileWidth": 9,
            ] as [String: Any],
            "{GPS}": [
                "Latitude": 48.858_333, "LatitudeRef": "N", "Longitude": 2.294_444,
                "LongitudeRef": "W", "TimeStamp": "11:22:33.5",
            ] as [String: Any],
            "Orientation": 6, "DPIWidth": 300, "DPIHeight": 150.5,
        ])
        #expect(tags["ExifIFD:FNumber"] as? Double == 2.8)
        #expect(tags["ExifIFD:ExposureTime"] as? Double == 0.008)
        #expect(tags["ExifIFD:ISO"] as? Int == 400)
        #expect(tags["ExifIFD:ExposureCompensation"] as? Double == -1.5)
        #expect(tags["ExifIFD:DateTimeOriginal"] as? String == "2024:05:06 07:08:09")
        #expect(tags["ExifIFD:LensInfo"] as? String == "24 70 2.8 2.8")
        #expect("\(tags["ExifIFD:ExifVersion"] ?? "")" == "0231")
        #expect(tags["ExifIFD:UserComment"] as? String == "plain")
        #expect(tags["ExifIFD:SubjectArea"] as? String == "10 20 30 40")
        #expect(tags["ExifIFD:ExifImageWidth"] as? Int == 640)
        #expect(tags["ExifIFD:ColorSpace"] as? Int == 1)
        #expect(tags["IFD0:Make"] as? String == "Maker")
        #expect(tags["IFD0:Artist"] as? String == "Ärtist")
        #expect(tags["IFD0:Compression"] == nil && tags["IFD0:TileWidth"] == nil)
        #expect(tags["IFD0:Orientation"] as? Int == 6)
        #expect(tags["IFD0:XResolution"] as? Int == 300)
        #expect(tags["IFD0:YResolution"] as? Double == 150.5)
        let latitude = try #require(tags["GPS:GPSLatitude"] as? Double)
        let longitude = try #require(tags["GPS:GPSLongitude"] as? Double)
        #expect(abs(latitude - 48.858_333) < 1e-7 && abs(longitude - 2.294_444) < 1e-7)
        #expect(tags["GPS:GPSTimeStamp"] as? String == "11:22:33.5")
    }

    @Test("Angles keep their value, also where seconds round up")
    func anglesComeBack() throws {
        let seed = TestSeed()
        var generator = seed.generator
        var angles: [Double] = [0, 90, 179.999_999_999_99, 59.999_999_999_999, 1.0 / 60, 0.5]
        for _ in 0..<4 { angles.append(.random(in: 0...180, using: &generator)) }
        for angle in angles {
            let tags = try read([
                "{GPS}": ["Longitude": -angle, "LongitudeRef": "E"] as [String: Any]
            ])
            let found = PropertyValue.number(tags["GPS:GPSLongitude"])
            #expect(abs((found ?? -1) - angle) < 1e-9, "\(angle) \(seed)")
        }
    }

    @Test func whatNoTagCanHaveIsLeftOut() throws {
        let tags = try read(
            [
                "{Exif}": [
                    "FNumber": "no number", "ISOSpeedRatings": [Double.nan], "Flash": [] as [Int],
                    "ExposureTime": Double.infinity, "FocalLength": ["x", 5] as [Any],
                    "ExifVersion": [2, 30], "UserComment": "Grüße",
                ] as [String: Any],
                "{GPS}": ["TimeStamp": "11:22", "Latitude": Double.nan, "DestLongitude": "inf"]
                    as [String: Any],
                "{TIFF}": ["Orientation": 9, "Make": 5] as [String: Any],
            ],
            isSRGB: false
        )
        for name in ["FNumber", "ISO", "Flash", "ExposureTime", "FocalLength", "ExifVersion"] {
            #expect(tags["ExifIFD:" + name] == nil, "\(name)")
        }
        #expect(tags["ExifIFD:UserComment"] as? String == "Grüße")
        #expect(tags["ExifIFD:ColorSpace"] as? Int == 65535)
        for name in ["TimeStamp", "Latitude", "DestLongitude"] {
            #expect(tags["GPS:GPS" + name] == nil, "\(name)")
        }
        #expect(tags["IFD0:Make"] == nil && tags["IFD0:Orientation"] == nil)
    }

    @Test func orientationsComeFromEitherPlace() {
        #expect(PropertyTags.orientation(["Orientation": 3]) == .down)
        #expect(PropertyTags.orientation(["{TIFF}": ["Orientation": "8"]]) == .left)
        let both: [String: Any] = ["Orientation": 6, "{TIFF}": ["Orientation": 1]]
        #expect(PropertyTags.orientation(both) == .right)
        #expect(PropertyTags.orientation(["Orientation": 0]) == nil)
        #expect(PropertyTags.orientation([:]) == nil)
    }
}
