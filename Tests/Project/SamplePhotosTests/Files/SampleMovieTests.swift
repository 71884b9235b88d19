import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@Suite(.needsProgram("exiftool"), .needsProgram("ffprobe"), .timeLimit(.minutes(2)))
struct SampleMovieTests {
    private let folder: TemporaryFolder
    private var movie: SampleMovie

    init() throws {
        folder = try TemporaryFolder()
        movie = SampleMovie(
            Picture(.sea, seed: 3),
            size: PixelSize(width: 128, height: 72),
            duration: 0.5,
            frameRate: 24,
            created: Date(timeIntervalSince1970: 1_700_000_000),
            metadata: SampleMetadata(
                date: SampleDate(text: "2023:11:15 03:58:20", offset: "+05:45"),
                location: Location(latitude: 27.9535, longitude: -86.6944, altitude: 4_790),
                make: "Apple",
                model: "iPhone 15 Pro"
            )
        )
        movie.metadata.contentIdentifier = "602FEBB7-1234-4123-8123-123456789ABC"
        movie.drawnFrames = 4
    }

    @Test func keysAndHeaderSayWhatTheyWereTold() throws {
        let file = try folder.write(SampleFile.quickTime(movie), to: "a.mov")
        let tags = try ExifTool.tags(of: file)
        #expect(tags["File:FileType"] == "MOV")
        #expect(tags["QuickTime:CreateDate"] == "2023:11:14 22:13:20+00:00")
        #expect(tags["QuickTime:CreationDate"] == "2023:11:15 03:58:20+05:45")
        #expect(tags["QuickTime:ContentIdentifier"] == movie.metadata.contentIdentifier)
        #expect(tags["QuickTime:GPSCoordinates"] == "27.9535 -86.6944 4790")
        #expect(tags["QuickTime:Model"] == "iPhone 15 Pro")
        #expect(try ExifTool.complaints(about: file).isEmpty)
    }

    @Test func framesAndTimesAreThoseAskedFor() throws {
        var movie = movie
        movie.hasSound = true
        let file = try folder.write(SampleFile.quickTime(movie), to: "a.mov")
        let stream = try FFProbe.videoStream(of: file)
        #expect(stream["codec_name"] == "mjpeg")
        #expect(stream["nb_frames"] == "12")
        #expect(stream["avg_frame_rate"] == "24/1")
        #expect(stream["duration"] == "0.500000")
        let decoded = try ProcessRunner.run(
            "ffmpeg",
            ["-v", "error", "-xerror", "-i", file.path, "-f", "null", "-"]
        )
        #expect(decoded.status == 0)
        #expect(decoded.errorText.isEmpty, "\(decoded.errorText)")
    }

    @Test func stillTimeIsWhereATrackBegins() throws {
        var movie = movie
        movie.hasSound = true
        movie.stillTime = 0.3
        let file = try folder.write(SampleFile.quickTime(movie), to: "a.mov")
        let probed = try ProcessRunner.run(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "d", "-show_entries",
                "stream=codec_tag_string,start_time", "-of", "csv=p=0", file.path,
            ]
        )
        #expect(probed.lines == ["mebx,0.300000"], "\(probed.errorText)")
        // It also reports that more could be read out of the track, as for any camera.
        #expect(try ExifTool.complaints(about: file).allSatisfy { $0.hasPrefix("[minor]") })
    }

    @Test(arguments: [(Orientation.up, nil), (.down, "-180"), (.right, "-90"), (.left, "90")])
    func matrixTurnsThePicture(_ orientation: Orientation, _ rotation: String?) throws {
        var movie = movie
        movie.metadata.orientation = orientation
        let file = try folder.write(SampleFile.quickTime(movie), to: "a.mov")
        let stream = try FFProbe.videoStream(of: file)
        let stored = movie.size.displayed(with: orientation)
        #expect(stream["width"] == "\(stored.width)")
        #expect(stream["height"] == "\(stored.height)")
        #expect(stream["side_data_list.side_data.0.rotation"] == rotation)
    }

    @Test func slowMotionHasItsRateAndItsMark() throws {
        var movie = movie
        movie.frameRate = 240
        movie.keys[SampleMovie.fullFrameRateKey] = .integer(0)
        let file = try folder.write(SampleFile.quickTime(movie), to: "a.mov")
        #expect(try FFProbe.videoStream(of: file)["avg_frame_rate"] == "240/1")
        let tags = try ExifTool.tags(of: file)
        #expect(tags["QuickTime:Full-frame-rate-playback-intent"] == "0")
    }

    @Test func aMovieWithoutFactsHasNone() throws {
        var movie = movie
        movie.metadata = SampleMetadata()
        movie.created = nil
        let file = try folder.write(SampleFile.quickTime(movie), to: "a.mov")
        let tags = try ExifTool.tags(of: file)
        #expect(tags["QuickTime:CreationDate"] == nil)
        // Zero, QuickTime's epoch.
        let created = try #require(tags["QuickTime:CreateDate"])
        #expect(created.hasPrefix("1904:01:01") || created.hasPrefix("0000:00:00"))
    }
}
