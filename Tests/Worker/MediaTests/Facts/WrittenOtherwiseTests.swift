import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing
import WorkerProtocol

/// Facts that files state in an unusual tag, or state without meaning.
@Suite(.timeLimit(.minutes(1)))
struct WrittenOtherwiseTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func facts(_ file: URL) throws -> MediaFacts {
        let answer = try Prober.shared.probe(path: file.path)
        return try #require(answer.facts, "\(answer.reason ?? "")")
    }

    private func exiftool(_ tags: String..., on file: URL) throws {
        let output = try ProcessRunner.run(
            "exiftool",
            ["-q", "-overwrite_original"] + tags + [file.path]
        )
        try #require(output.status == 0, "\(output.errorText)")
    }

    @Test(
        "Aperture and exposure time are read from APEX values",
        .needsProgram("exiftool"),
        arguments: [("5.6", 5.6), ("1.78", 1.78), ("1", nil)] as [(String, Double?)]
    )
    func apexValues(_ written: String, _ aperture: Double?) throws {
        let file = try folder.write(SampleFile.jpeg(SamplePhoto()), to: "apex.jpg")
        try exiftool("-ApertureValue=\(written)", "-ShutterSpeedValue=1/125", on: file)
        let camera = try facts(file).camera
        #expect(camera.aperture == aperture)
        #expect(abs((camera.exposureTime ?? 0) - 1 / 125) < 1e-5)
        // Explicit values have priority.
        try exiftool("-FNumber=8", "-ExposureTime=1/60", on: file)
        #expect(try facts(file).camera.aperture == 8)
        #expect(abs((try facts(file).camera.exposureTime ?? 0) - 1 / 60) < 1e-5)
    }

    @Test(
        "0, 0 is no place, in a photo and in a movie; a point on the equator is",
        arguments: [(0, 0), (0, 12.5), (-3.5, 0)]
    )
    func nullIsland(_ latitude: Double, _ longitude: Double) throws {
        let place = Location(latitude: latitude, longitude: longitude)
        let metadata = SampleMetadata(location: place)
        let photo = try folder.write(
            SampleFile.jpeg(SamplePhoto(metadata: metadata)),
            to: "photo.jpg"
        )
        let movie = try folder.write(
            SampleFile.quickTime(
                SampleMovie(
                    size: PixelSize(width: 64, height: 48),
                    duration: 0.2,
                    frameRate: 10,
                    metadata: metadata
                )
            ),
            to: "movie.mov"
        )
        for file in [photo, movie] {
            let found = try facts(file).location
            if latitude == 0, longitude == 0 {
                #expect(found == nil)
            } else {
                #expect(abs((found?.latitude ?? 99) - latitude) < 1e-4)
                #expect(abs((found?.longitude ?? 99) - longitude) < 1e-4)
            }
        }
    }

    @Test(
        "The frame rate of a WebM with uneven times, and no duration of a frame or a tick's, is counted",
        .needsProgram("ffmpeg"),
        arguments: ["PTS+random(0)*30", "PTS+mod(N\\,3)*9"],
        [false, true]
    )
    func rateOfWebM(_ times: String, saysTick: Bool) throws {
        let file = folder.file("movie.webm")
        let arguments = [
            "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=24:duration=3",
            "-vf", "settb=1/1000,setpts=\(times)", "-fps_mode", "passthrough",
            "-enc_time_base", "1/1000", "-c:v", "libvpx", "-deadline", "realtime",
            "-cpu-used", "8", file.path,
        ]
        let made = try ProcessRunner.run("ffmpeg", arguments)
        try #require(made.status == 0, "\(made.errorText)")
        var bytes = try Data(contentsOf: file)
        let element = try #require(bytes.range(of: Data([0x23, 0xe3, 0x83])))
        let length = Int(bytes[element.upperBound] & 0x7f)
        if saysTick {
            // The default duration of a frame becomes a million nanoseconds.
            let value: [UInt8] = Array(repeating: 0, count: length - 3) + [0x0f, 0x42, 0x40]
            let start = element.upperBound + 1
            bytes.replaceSubrange(start..<start + length, with: value)
        } else {
            // It becomes an element without meaning.
            bytes[element.lowerBound] = 0xec
            bytes[element.lowerBound + 1] = 0x80 | UInt8(length + 2)
        }
        try bytes.write(to: file)
        let found = try #require(try facts(file).movie?.frameRate)
        #expect(abs(found - 24) < 1, "\(found)")
    }

    @Test(
        "The date in a QuickTime file's user data is when it was taken",
        .needsProgram("exiftool")
    )
    func dateOfUserData() throws {
        let movie = SampleMovie(
            size: PixelSize(width: 64, height: 48),
            duration: 0.2,
            frameRate: 10,
            metadata: SampleMetadata()
        )
        let file = try folder.write(SampleFile.quickTime(movie), to: "movie.mov")
        try exiftool("-UserData:DateTimeOriginal=2020:01:02 03:04:05+02:00", on: file)
        let date = try facts(file).dates.first
        #expect(date?.source == .quickTimeKey)
        #expect(date?.text == "2020:01:02 03:04:05" && date?.offset == "+02:00")
    }

    @Test(
        "A year in one place does not hide the day in another",
        .needsProgram("exiftool")
    )
    func aYearHidesNoDay() throws {
        let movie = SampleMovie(
            size: PixelSize(width: 64, height: 48),
            duration: 0.2,
            frameRate: 10,
            metadata: SampleMetadata()
        )
        let file = try folder.write(SampleFile.quickTime(movie), to: "movie.mov")
        try exiftool(
            "-UserData:ContentCreateDate#=2020",
            "-UserData:DateTimeOriginal=2020:01:02 03:04:05+02:00",
            on: file
        )
        #expect(try facts(file).dates.contains { $0.text == "2020:01:02 03:04:05" })
    }
}
