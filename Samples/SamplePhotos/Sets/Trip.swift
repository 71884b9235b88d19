import Foundation
import PhotoModel

/// The place, time and camera of a series of photos.
struct Trip: Sendable {
    /// A camera and the metadata that it writes.
    struct Camera: Sendable {
        var make: String
        var model: String
        var lens: String?
        /// Older cameras only know the wall time.
        var writesOffset: Bool
        var hasGPS: Bool
        var folder: String

        static func iPhone(_ model: String, lens: String) -> Camera {
            Camera(
                make: "Apple",
                model: "iPhone \(model)",
                lens: "iPhone \(model) \(lens)",
                writesOffset: true,
                hasGPS: true,
                folder: "100APPLE"
            )
        }

        static let canon = Camera(
            make: "Canon",
            model: "Canon EOS 80D",
            lens: "EF-S18-135mm f/3.5-5.6 IS USM",
            writesOffset: false,
            hasGPS: false,
            folder: "101CANON"
        )
        static let fuji = Camera(
            make: "FUJIFILM",
            model: "X-T4",
            lens: "XF35mmF2 R WR",
            writesOffset: true,
            hasGPS: false,
            folder: "102_FUJI"
        )
    }

    var title: String
    var keywords: [String]
    /// The time of the first photo, in seconds since 1970.
    var start: Double
    var offsetInSeconds: Int
    var place: Location
    var camera: Camera
    var scenes: [SceneKind]

    /// Trips over some years, in chronological order.
    static let all: [Trip] = [
        Trip(
            title: "Lisbon",
            keywords: ["travel", "sea"],
            start: 1_525_856_400,
            offsetInSeconds: 3_600,
            place: Location(latitude: 38.6973, longitude: -9.4215, altitude: 12),
            camera: .iPhone("8", lens: "back camera 3.99mm f/1.8"),
            scenes: [.sea, .town, .flowers]
        ),
        Trip(
            title: "Iceland in winter",
            keywords: ["travel", "snow"],
            start: 1_550_145_600,
            offsetInSeconds: 0,
            place: Location(latitude: 64.2559, longitude: -21.1295, altitude: 148),
            camera: .canon,
            scenes: [.winter, .night, .lake]
        ),
        Trip(
            title: "Kyoto",
            keywords: ["travel", "spring"],
            start: 1_554_508_800,
            offsetInSeconds: 32_400,
            place: Location(latitude: 35.0116, longitude: 135.7681, altitude: 56),
            camera: .iPhone("XS", lens: "back dual camera 4.25mm f/1.8"),
            scenes: [.flowers, .town, .hills]
        ),
        Trip(
            title: "Engadin",
            keywords: ["hiking", "mountains"],
            start: 1_597_305_600,
            offsetInSeconds: 7_200,
            place: Location(latitude: 46.4365, longitude: 9.7673, altitude: 1_797),
            camera: .fuji,
            scenes: [.lake, .hills, .night]
        ),
        Trip(
            title: "Sydney",
            keywords: ["travel", "sea"],
            start: 1_671_148_800,
            offsetInSeconds: 39_600,
            place: Location(latitude: -33.8915, longitude: 151.2767, altitude: 8),
            camera: .iPhone("13 Pro", lens: "back triple camera 5.7mm f/1.5"),
            scenes: [.sea, .flowers, .town]
        ),
        Trip(
            title: "Erg Chebbi",
            keywords: ["travel", "desert"],
            start: 1_697_270_400,
            offsetInSeconds: 3_600,
            place: Location(latitude: 31.1499, longitude: -3.9736, altitude: 742),
            camera: .iPhone("13 Pro", lens: "back triple camera 5.7mm f/1.5"),
            scenes: [.dunes, .night, .portrait]
        ),
        Trip(
            title: "New York",
            keywords: ["city"],
            start: 1_718_316_000,
            offsetInSeconds: -14_400,
            place: Location(latitude: 40.7061, longitude: -73.9969, altitude: 5),
            camera: .iPhone("15 Pro", lens: "back triple camera 6.86mm f/1.78"),
            scenes: [.town, .portrait, .sea]
        ),
        Trip(
            title: "Gokyo",
            keywords: ["hiking", "mountains"],
            start: 1_731_546_000,
            offsetInSeconds: 20_700,
            place: Location(latitude: 27.9535, longitude: 86.6944, altitude: 4_790),
            camera: .iPhone("15 Pro", lens: "back triple camera 6.86mm f/1.78"),
            scenes: [.lake, .winter, .hills]
        ),
    ]

    /// Returns the camera's metadata `seconds` after the trip's first photo, at some distance from
    /// its place.
    func metadata(after seconds: Double, generator: inout SeededGenerator) -> SampleMetadata {
        let milliseconds = Int(generator.next() % 1_000)
        let instant = Date(timeIntervalSince1970: start + seconds)
        var metadata = SampleMetadata(
            date: SampleDate(
                instant: instant,
                offsetInSeconds: offsetInSeconds,
                milliseconds: milliseconds,
                writesOffset: camera.writesOffset
            ),
            make: camera.make,
            model: camera.model,
            lens: camera.lens,
            orientation: .up
        )
        if camera.hasGPS {
            var location = place
            location.latitude += Double(generator.float(in: -0.02...0.02))
            location.longitude += Double(generator.float(in: -0.02...0.02))
            metadata.location = location
            metadata.gpsTime = SampleDate(instant: instant, offsetInSeconds: 0).text
        }
        metadata.exposure = SampleMetadata.Exposure(
            time: [1.0 / 60, 1.0 / 125, 1.0 / 500, 1.0 / 2_000][Int(generator.next() % 4)],
            fNumber: 1.8,
            iso: [32, 64, 100, 400][Int(generator.next() % 4)],
            focalLength: 5.7,
            focalLength35: 26
        )
        return metadata
    }
}
