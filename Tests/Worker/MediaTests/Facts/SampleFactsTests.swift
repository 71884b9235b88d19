import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing
import WorkerProtocol

/// The facts that the worker reads from drawn files, whose content is known.
@Suite(.timeLimit(.minutes(1)))
struct SampleFactsTests {
    private let folder: TemporaryFolder
    private let prober = Prober.shared

    init() throws {
        folder = try TemporaryFolder()
    }

    private func facts(_ data: Data, name: String = "file") throws -> MediaFacts {
        let url = try folder.write(data, to: name)
        let answer = try prober.probe(path: url.path)
        return try #require(answer.facts, "\(answer.reason ?? "")")
    }

    @Test func aJPEGTellsEverything() throws {
        var metadata = SampleMetadata(
            date: SampleDate(text: "2024:02:29 23:59:58", subseconds: "042", offset: "-03:30"),
            location: Location(latitude: -33.5, longitude: -70.25, altitude: -12.5),
            make: "Apple",
            model: "iPhone 15",
            lens: "back camera",
            orientation: .right
        )
        metadata.burstIdentifier = "B-1"
        metadata.contentIdentifier = "C-2"
        metadata.appleHDRImageType = 3
        metadata.customRendered = 6
        metadata.title = "Títle"
        metadata.caption = "A caption"
        metadata.keywords = ["one", "two"]
        metadata.rating = 4
        metadata.userComment = "Screenshot"
        metadata.exposure = .init(
            time: 0.01,
            fNumber: 1.5,
            iso: 200,
            focalLength: 5.5,
            focalLength35: 26
        )
        let size = PixelSize(width: 120, height: 160)
        let photo = SamplePhoto(size: size, metadata: metadata)
        // The name is ignored.
        let facts = try facts(SampleFile.jpeg(photo), name: "movie.mov")
        #expect(facts.format == .jpeg && facts.contentType == "public.jpeg")
        #expect(facts.storedSize == PixelSize(width: 160, height: 120))
        #expect(facts.displaySize == size)
        #expect(facts.orientation == .right)
        let date = facts.dates.first { $0.source == .exifOriginal }
        #expect(date?.text == "2024:02:29 23:59:58")
        #expect(date?.subseconds == "042" && date?.offset == "-03:30")
        let location = try #require(facts.location)
        #expect(abs(location.latitude + 33.5) < 1e-6 && abs(location.longitude + 70.25) < 1e-6)
        #expect(location.altitude == -12.5)
        #expect(facts.camera.make == "Apple" && facts.camera.model == "iPhone 15")
        #expect(facts.camera.lens == "back camera")
        #expect(facts.camera.isoSpeed == 200 && facts.camera.aperture == 1.5)
        #expect(facts.burstIdentifier == "B-1" && facts.contentIdentifier == "C-2")
        #expect(facts.appleHDRImageType == 3 && facts.customRendered == 6 && facts.isPanorama)
        #expect(facts.title == "Títle" && facts.caption == "A caption")
        #expect(facts.keywords == ["one", "two"] && facts.rating == 4)
        #expect(facts.userComment == "Screenshot")
        #expect(facts.hasReadableHeader && facts.frameCount == 1 && !facts.isAnimated)
    }

    @Test func aMovieTellsItsKeys() throws {
        var metadata = SampleMetadata(
            date: SampleDate(text: "2024:07:01 12:00:00", offset: "+02:00"),
            location: Location(latitude: 48.5, longitude: 2.25),
            make: "Apple",
            model: "iPhone 15",
            orientation: .right
        )
        metadata.contentIdentifier = "C-3"
        let size = PixelSize(width: 120, height: 160)
        var movie = SampleMovie(size: size, duration: 1.5, frameRate: 30, metadata: metadata)
        movie.created = Date(timeIntervalSince1970: 1_719_828_000)
        movie.keys = [SampleMovie.fullFrameRateKey: .integer(1)]
        let facts = try facts(SampleFile.quickTime(movie))
        #expect(facts.format == .mov && facts.displaySize == size)
        #expect(facts.orientation == .right)
        let description = try #require(facts.movie)
        #expect(abs(description.duration - 1.5) < 0.01)
        #expect(abs((description.frameRate ?? 0) - 30) < 0.1)
        #expect(description.videoCodec == "mjpeg" && description.audioCodec == nil)
        #expect(description.keys[SampleMovie.fullFrameRateKey] == "1")
        #expect(facts.contentIdentifier == "C-3" && facts.camera.model == "iPhone 15")
        let key = facts.dates.first { $0.source == .quickTimeKey }
        #expect(key?.text == "2024:07:01 12:00:00" && key?.offset == "+02:00")
        let header = facts.dates.first { $0.source == .movieHeader }
        #expect(header?.text == "2024:07:01 10:00:00" && header?.offset == "Z")
        #expect(abs((facts.location?.latitude ?? 0) - 48.5) < 1e-4)
    }

    @Test func anAnimationCountsItsFrames() throws {
        let size = PixelSize(width: 48, height: 32)
        let facts = try facts(SampleFile.gif(Picture(.sea, seed: 2), size: size, frames: 5))
        #expect(facts.format == .gif && facts.displaySize == size)
        #expect(facts.isAnimated && facts.frameCount == 5)
    }

    @Test func aPNGTellsItsComment() throws {
        var metadata = SampleMetadata(date: SampleDate(text: "2024:01:02 03:04:05"))
        metadata.userComment = "Screenshot"
        let size = PixelSize(width: 64, height: 48)
        let photo = SamplePhoto(size: size, metadata: metadata)
        let facts = try facts(SampleFile.png(photo))
        #expect(facts.format == .png && facts.displaySize == size)
        #expect(facts.userComment == "Screenshot")
        #expect(facts.dates.first?.text == "2024:01:02 03:04:05")
    }

    @Test func aDNGIsTurnedByLibRaw() throws {
        let metadata = SampleMetadata(make: "Canon", model: "Sample", orientation: .left)
        let size = PixelSize(width: 96, height: 128)
        let facts = try facts(SampleFile.dng(SamplePhoto(size: size, metadata: metadata)))
        #expect(facts.format == .raw && facts.contentType == "com.adobe.raw-image")
        #expect(facts.displaySize == size && facts.camera.make == "Canon")
    }

    @Test func sidecarsAreToldByContent() throws {
        var metadata = SampleMetadata()
        metadata.title = "From beside"
        metadata.rating = 5
        #expect(try facts(SampleFile.aae(), name: "a.jpg").format == .aae)
        let sidecar = try facts(SampleFile.xmp(metadata), name: "b.jpg")
        #expect(sidecar.format == .xmp)
        #expect(sidecar.title == "From beside" && sidecar.rating == 5)
    }

    @Test(arguments: [
        ("", "empty"), ("only words\n", "text"), ("<!DOCTYPE html><html>", "web page"),
        ("PK\u{3}\u{4}", "ZIP"), ("%PDF-1.7\n", "PDF"), ("\u{1}\u{2}\u{3}", "not in a known"),
    ])
    func otherFilesAreUnsupported(_ text: String, _ words: String) throws {
        let url = try folder.write(Data(text.utf8), to: "photo.jpg")
        guard case .unsupported(let reason) = try prober.probe(path: url.path) else {
            Issue.record("\(text) was taken for a medium")
            return
        }
        #expect(reason.contains(words))
    }
}
