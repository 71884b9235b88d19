import Foundation
import PhotoLibrary
import PhotoModel
import Testing
import TestSupport
import WorkerProtocol

@Suite(.timeLimit(.minutes(2))) struct PairingPolicyTests {
    private let draft: AssetDraft

    init() throws {
        draft = AssetDraft(
            capturePolicy: CaptureTimePolicy(machineTimeZone: try ImportWorld.zone("Asia/Tokyo"))
        )
    }

    private func candidate(_ name: String, _ facts: MediaFacts) -> PairingPolicy.Candidate {
        PairingPolicy.Candidate(
            format: facts.format,
            stemKey: SourceName(path: Array("/card/\(name)".utf8)).stemKey,
            record: draft.record(of: facts, filename: name, fileTime: .distantPast)
        )
    }

    private func units(_ candidates: PairingPolicy.Candidate...) -> [PairingPolicy.Unit] {
        PairingPolicy.units(of: candidates)
    }

    @Test("RAW and JPEG of one shot are one asset, in either order")
    func pairsRAW() {
        let jpeg = candidate("IMG_1.JPG", .still())
        let raw = candidate("IMG_1.dng", .still(.raw))
        #expect(units(jpeg, raw) == [.init(primary: 0, raw: 1)])
        #expect(units(raw, jpeg) == [.init(primary: 1, raw: 0)])
    }

    @Test("Equal names do not pair shots of different times, cameras or without times")
    func keepsShotsApart() {
        let jpeg = candidate("IMG_1.JPG", .still())
        let other = candidate("IMG_1.dng", .still(.raw, at: "2023:07:15 12:30:46"))
        #expect(units(jpeg, other).count == 2)
        var facts = MediaFacts.still(.raw)
        facts.camera.model = "Two"
        #expect(units(jpeg, candidate("IMG_1.dng", facts)).count == 2)
        facts.camera.model = nil
        #expect(units(jpeg, candidate("IMG_1.dng", facts)).count == 1)
        let undated = candidate("IMG_1.dng", .still(.raw, at: nil))
        #expect(units(candidate("IMG_1.JPG", .still(at: nil)), undated).count == 2)
        #expect(units(jpeg, candidate("IMG_2.dng", .still(.raw))).count == 2)
    }

    @Test("Two RAWs of one name: one pairs, the other stays alone; RAWs never pair")
    func pairsOneRAW() {
        let jpeg = candidate("IMG_1.JPG", .still())
        let first = candidate("IMG_1.dng", .still(.raw))
        let second = candidate("IMG_1.cr2", .still(.raw))
        #expect(units(first, second, jpeg) == [.init(primary: 1), .init(primary: 2, raw: 0)])
        #expect(units(first, second).count == 2)
    }

    @Test("Halves with one content identifier pair whatever their names, never by name alone")
    func pairsLivePhotos() {
        let still = candidate("IMG_1.HEIC", .still(.heic, content: "A"))
        let movie = candidate("IMG_1_HEVC.MOV", .movie(content: "A"))
        #expect(units(movie, still) == [.init(primary: 1, movie: 0)])
        #expect(units(still, candidate("IMG_1.MOV", .movie(content: "B"))).count == 2)
        #expect(units(still, candidate("IMG_1.MOV", .movie())).count == 2)
        #expect(
            units(candidate("IMG_1.HEIC", .still(.heic)), candidate("IMG_1.MOV", .movie())).count
                == 2
        )
    }

    @Test("Among several movies the one with the still's name pairs")
    func prefersNames() {
        let still = candidate("IMG_1.HEIC", .still(.heic, content: "A"))
        let other = candidate("IMG_2.MOV", .movie(content: "A"))
        let movie = candidate("IMG_1.MOV", .movie(content: "A"))
        #expect(units(other, still, movie) == [.init(primary: 0), .init(primary: 1, movie: 2)])
    }

    @Test("RAW, JPEG and movie can be one asset; a RAW alone can be the still")
    func pairsThree() {
        let jpeg = candidate("IMG_1.JPG", .still(content: "A"))
        let raw = candidate("IMG_1.dng", .still(.raw, content: "A"))
        let movie = candidate("IMG_1.MOV", .movie(content: "A"))
        #expect(units(movie, raw, jpeg) == [.init(primary: 2, raw: 1, movie: 0)])
        #expect(units(movie, raw) == [.init(primary: 1, movie: 0)])
    }
}
