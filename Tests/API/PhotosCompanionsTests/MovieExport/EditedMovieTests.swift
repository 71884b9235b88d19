import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import PhotosCompanions

/// The movie of a Live Photo that a program draws again, checked by ffprobe.
@Suite(.timeLimit(.minutes(3)), .needsProgram("ffprobe")) struct EditedMovieTests {
    private struct Refusal: Error {}

    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder("photos-edited")
        var movie = SampleMovie(
            Picture(.sea, seed: 1),
            size: PixelSize(width: 96, height: 64),
            duration: 1,
            frameRate: 10,
            metadata: SampleMetadata(make: "Maker", orientation: .right)
        )
        movie.hasSound = true
        movie.stillTime = 0.3
        url = try folder.write(SampleFile.quickTime(movie), to: "movie.mov")
    }

    private func write(
        _ settings: EditedMovie.Settings = EditedMovie.Settings(),
        work: ForeignWork = ForeignWork(),
        draw: ((EditedMovie.Frame) throws -> CIImage)? = nil
    ) throws -> (url: URL, probe: FFProbe) {
        let target = folder.file("\(UUID().uuidString).mov")
        do {
            try EditedMovie(url).write(to: target, settings, work: work, draw: draw)
        } catch {
            #expect(!FileManager.default.fileExists(atPath: target.path))
            throw error
        }
        return (target, try FFProbe(target))
    }

    private func size(_ probe: FFProbe) throws -> [Double] {
        let stream = try #require(probe.streams("video").first)
        return [try #require(stream.number("width")), try #require(stream.number("height"))]
    }

    @Test func timesAreThoseOfTheFile() throws {
        let movie = try EditedMovie(url)
        #expect(abs(movie.duration.seconds - 1) < 0.01)
        #expect(abs(movie.stillTime.seconds - 0.3) < 0.06)
        let plain = SampleMovie(size: PixelSize(width: 64, height: 48), duration: 2)
        let other = try folder.write(SampleFile.quickTime(plain), to: "plain.mov")
        // Without a still, its time is the middle.
        #expect(abs(try EditedMovie(other).stillTime.seconds - 1) < 0.05)
    }

    @Test func eachFrameIsDrawnUprightInOrder() throws {
        var times: [Double] = []
        let written = try write { frame in
            #expect(frame.image.extent == CGRect(x: 0, y: 0, width: 96, height: 64))
            times.append(frame.time.seconds)
            return frame.image.applyingFilter("CIColorInvert")
        }
        #expect(times.count == 10 && times == times.sorted())
        #expect(times.first == 0 && abs((times.last ?? 0) - 0.9) < 0.01)
        #expect(try size(written.probe) == [96, 64])
        let stream = try #require(written.probe.streams("video").first)
        #expect(stream.turn == 0 && stream.text("codec_name") == "h264")
        #expect(written.probe.streams("audio").count == 1)
        #expect(abs(written.probe.duration - 1) < 0.1)
        #expect(written.probe.tags["com.apple.quicktime.make"] == "Maker")
    }

    @Test func framesHaveTheColorsThatWereDrawn() async throws {
        let green = CIImage(color: .green)
        let written = try write { frame in green.cropped(to: frame.image.extent) }
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: written.url))
        let image = try await generator.image(at: .zero).image
        #expect(Pictures.isNear(try Pictures.pixel(48, 32, of: image), [0, 255, 0], within: 12))
        // An infinite image fills the frame.
        let infinite = try write { _ in green }
        #expect(try size(infinite.probe) == [96, 64])
    }

    @Test func boundsAreThoseOfTheUprightMovie() throws {
        let settings = EditedMovie.Settings(bounds: PixelSize(width: 48, height: 48))
        let drawn = try write(settings) { $0.image.applyingFilter("CIColorInvert") }
        #expect(try size(drawn.probe) == [48, 32])
        let large = EditedMovie.Settings(bounds: PixelSize(width: 960, height: 640))
        #expect(try size(try write(large).probe) == [96, 64])
    }

    @Test func anUnchangedFrameAndNoFrameAreTheSame() throws {
        let same = try write { $0.image }
        #expect(try size(same.probe) == [96, 64])
        #expect(same.probe.streams("video").first?.turn == 0)
        let silent = try write(EditedMovie.Settings(volume: 0, isPreview: true))
        #expect(silent.probe.streams("audio").first?.text("codec_name") == "aac")
    }

    @Test func theErrorOfTheProgramIsThrown() throws {
        var count = 0
        #expect(throws: Refusal.self) {
            try write { frame in
                count += 1
                if count == 3 { throw Refusal() }
                return frame.image
            }
        }
        #expect(count == 3)
    }

    @Test func framesOfOtherSizesAreRefused() {
        let tiny = #expect(throws: CIRenderingError.self) {
            try write { $0.image.cropped(to: CGRect(x: 0, y: 0, width: 8, height: 8)) }
        }
        #expect(tiny?.code == .invalidExtent && tiny?.recoverySuggestion != nil)
        var isFirst = true
        let changing = #expect(throws: CIRenderingError.self) {
            try write { frame in
                defer { isFirst = false }
                return isFirst
                    ? frame.image
                    : frame.image.cropped(to: CGRect(x: 0, y: 0, width: 60, height: 64))
            }
        }
        #expect(changing?.code == .invalidExtent)
        let empty = #expect(throws: CIRenderingError.self) {
            try write { $0.image.applyingFilter("CINoSuchFilter") }
        }
        #expect(empty != nil)
    }

    @Test func computedExtentsMayDifferSlightly() throws {
        var count = 0
        let written = try write { frame in
            count += 1
            let width = count % 2 == 0 ? 79.0 : 80
            return frame.image.cropped(to: CGRect(x: 0, y: 0, width: width, height: 64))
        }
        #expect(try size(written.probe) == [80, 64])
    }

    @Test func aCancelledEditLeavesNothing() throws {
        let work = ForeignWork()
        let error = #expect(throws: (any Error).self) {
            try write(work: work) { frame in
                work.cancel()
                return frame.image
            }
        }
        #expect(work.isCancelled && (error as NSError?)?.localizedDescription.isEmpty == false)
    }

    @Test func existingFilesStayAndOtherFilesAreNoMovies() throws {
        let target = try folder.write(Data("mine".utf8), to: "there.mov")
        let movie = try EditedMovie(url)
        #expect(throws: (any Error).self) {
            try movie.write(to: target, .init(), work: ForeignWork(), draw: nil)
        }
        #expect(try Data(contentsOf: target) == Data("mine".utf8))
        let text = try folder.write(Data("no movie".utf8), to: "text.mov")
        #expect(throws: (any Error).self) { try EditedMovie(text) }
        #expect(throws: (any Error).self) { try EditedMovie(folder.file("missing.mov")) }
    }
}
