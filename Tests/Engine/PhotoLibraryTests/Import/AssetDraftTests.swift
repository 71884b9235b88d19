import Foundation
import PhotoLibrary
import PhotoModel
import Testing
import TestSupport
import WorkerProtocol

@Suite(.timeLimit(.minutes(2))) struct AssetDraftTests {
    private let draft: AssetDraft

    init() throws {
        draft = AssetDraft(
            capturePolicy: CaptureTimePolicy(machineTimeZone: try ImportWorld.zone("Asia/Tokyo"))
        )
    }

    private func record(_ facts: MediaFacts) -> AssetRecord {
        draft.record(of: facts, filename: "A.JPG", fileTime: Date(timeIntervalSince1970: 1e9))
    }

    @Test("Stills, movies, animations and sounds are told apart")
    func tellsTypes() {
        #expect(record(.still()).mediaType == .image)
        #expect(record(.still()).playbackStyle == .image)
        #expect(record(.movie()).mediaType == .video)
        #expect(record(.movie()).duration == 2)
        #expect(record(.movie()).frameRate == 30)
        var animation = MediaFacts.still(.gif)
        animation.isAnimated = true
        #expect(record(animation).playbackStyle == .imageAnimated)
        #expect(record(animation).mediaType == .image)
        var sound = MediaFacts.movie()
        sound.movie?.videoCodec = nil
        sound.movie?.audioCodec = "aac"
        #expect(record(sound).mediaType == .audio)
        #expect(record(sound).playbackStyle == .unsupported)
    }

    @Test("A still has no duration, even when its container has one")
    func stillsLastNoTime() {
        var facts = MediaFacts.still(.heic)
        facts.movie = MovieSummary(duration: 3)
        #expect(record(facts).duration == 0)
    }

    @Test("Sizes are upright; without a displayed size the stored one is turned")
    func turnsSizes() {
        var facts = MediaFacts.still()
        facts.displaySize = nil
        facts.orientation = .right
        #expect(record(facts).pixelSize == PixelSize(width: 30, height: 40))
        facts.storedSize = nil
        #expect(record(facts).pixelSize == PixelSize(width: 0, height: 0))
    }

    @Test("Impossible numbers from files do not get in")
    func dropsImpossibleNumbers() {
        var facts = MediaFacts.movie()
        facts.movie?.duration = .nan
        facts.movie?.frameRate = .infinity
        facts.location = Location(latitude: 91, longitude: 0)
        facts.rating = 99
        facts.title = ""
        facts.keywords = ["sea", "", "sea", "sun"]
        let result = record(facts)
        #expect(result.duration == 0)
        #expect(result.frameRate == nil)
        #expect(result.location == nil)
        #expect(result.rating == 5)
        #expect(result.title == nil)
        #expect(result.keywords == ["sea", "sun"])
        facts.location = Location(latitude: -90, longitude: 180, altitude: .infinity)
        #expect(record(facts).location == Location(latitude: -90, longitude: 180))
    }

    @Test("Stored files are named after their content")
    func namesByContent() {
        #expect(FileExtension.of(.still(.jpeg), original: "heic") == "jpg")
        #expect(FileExtension.of(.still(.raw), original: "jpg") == "dng")
        var kodak = MediaFacts.still(.raw)
        kodak.contentType = "public.camera-raw-image"
        #expect(FileExtension.of(kodak, original: "kdc") == "kdc")
        #expect(FileExtension.of(kodak, original: "../x") == "raw")
    }
}
