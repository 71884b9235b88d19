import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing
import WorkerProtocol

/// The position of a motion photo's movie that the worker reports, compared with the movie that
/// exiftool extracts.
@Suite(.timeLimit(.minutes(1)), .needsProgram("exiftool"))
struct MotionPhotoTests {
    private let folder: TemporaryFolder
    private let prober = Prober.shared
    private let still: Data
    private let movie: Data

    init() throws {
        folder = try TemporaryFolder()
        let size = PixelSize(width: 64, height: 48)
        still = try SampleFile.jpeg(SamplePhoto(size: size))
        movie = try SampleFile.quickTime(
            SampleMovie(size: size, duration: 1, frameRate: 30, metadata: SampleMetadata())
        )
    }

    private static func bytes(_ number: Int, _ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
    }

    /// Returns the blocks that Samsung's cameras write, with their index.
    private static func trailer(_ blocks: [(type: Int, name: String, data: Data)]) -> Data {
        var body = Data()
        var places: [(type: Int, offset: Int, size: Int)] = []
        for block in blocks {
            let name = Data(block.name.utf8)
            let whole = joined([
                bytes(0, 2), bytes(block.type, 2), bytes(name.count, 4), name, block.data,
            ])
            places.append((block.type, body.count, whole.count))
            body += whole
        }
        var index = joined([Data("SEFH".utf8), bytes(101, 4), bytes(places.count, 4)])
        for place in places {
            index += joined([
                bytes(0, 2), bytes(place.type, 2), bytes(body.count - place.offset, 4),
                bytes(place.size, 4),
            ])
        }
        return joined([body, index, bytes(index.count, 4), Data("SEFT".utf8)])
    }

    private static func joined(_ parts: [Data]) -> Data { parts.reduce(into: Data()) { $0 += $1 } }

    private func facts(_ data: Data, _ name: String) throws -> MediaFacts {
        let url = try folder.write(data, to: name)
        let answer = try prober.probe(path: url.path)
        return try #require(answer.facts, "\(answer.reason ?? "")")
    }

    /// Returns the bytes that the facts refer to.
    private func part(_ facts: MediaFacts, of data: Data) -> Data? {
        guard let length = facts.embeddedMovieLength else { return nil }
        return data.dropLast(Int(facts.embeddedMovieTail)).suffix(Int(length))
    }

    private func taken(_ tag: String, from name: String) throws -> Data {
        try ProcessRunner.run("exiftool", ["-q", "-q", "-b", tag, folder.file(name).path])
            .standardOutput
    }

    @Test func samsungsTrailerHoldsAMovie() throws {
        let trailer = Self.trailer([
            (0x0a01, "Image_UTC_Data", Data("1700000000000".utf8)),
            (0x0a30, "MotionPhoto_Data", movie), (0x0a41, "Other", Data("x".utf8)),
        ])
        let data = still + trailer
        let facts = try facts(data, "samsung.jpg")
        #expect(facts.hasReadableHeader)
        let found = try #require(part(facts, of: data))
        #expect(facts.embeddedMovieTail > 0)
        #expect(found == movie)
        #expect(try taken("-EmbeddedVideoFile", from: "samsung.jpg") == movie)
    }

    @Test(.needsSharedData) func aHEICHoldsAMovieInABoxOfItsOwn() throws {
        let heic = try Data(contentsOf: SharedData.file("cameras/samsung-galaxy-s24fe.heic"))
        let length = 8 + movie.count
        let data = Self.joined([
            heic, Data(Self.bytes(length, 4).reversed()), Data("mpvd".utf8), movie,
            Data(Self.bytes(12, 4).reversed()), Data("sefdrest".utf8),
        ])
        let facts = try facts(data, "samsung.heic")
        #expect(part(facts, of: data) == movie)
        #expect(facts.embeddedMovieTail == 12)
        #expect(try taken("-MotionPhotoVideo", from: "samsung.heic") == movie)
    }

    @Test(arguments: [0, 4, 8, 20, 1_000_000_000])
    func anIndexThatLiesIsNoMovie(distance: Int) throws {
        let index = Self.joined([
            Data("SEFH".utf8), Self.bytes(101, 4), Self.bytes(1, 4),
            Self.bytes(0x0a30 << 16, 4), Self.bytes(distance, 4), Self.bytes(64, 4),
        ])
        for length in [index.count, 0, 1_000_000_000, 0xffff_ffff] {
            let data = Self.joined([still, index, Self.bytes(length, 4), Data("SEFT".utf8)])
            let facts = try facts(data, "liar-\(distance).jpg")
            #expect(facts.embeddedMovieLength == nil)
            #expect(facts.format == .jpeg)
        }
    }

    @Test(
        "Google's marks count whatever the prefix, and after files with others",
        arguments: [
            ["Camera", "GCamera"], ["GCamera", "Camera"], ["photos", "GDepth"],
        ]
    )
    func googlesMarksOfBurstsAndPortraitsCount(prefixes: [String]) throws {
        for prefix in prefixes { try expectGooglesMarks(prefix: prefix) }
    }

    private func expectGooglesMarks(prefix: String) throws {
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
            xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
            xmlns:\(prefix)="http://ns.google.com/photos/1.0/camera/" \(prefix):BurstID="B-7"
            \(prefix):BurstPrimary="1"><\(prefix):SpecialTypeID><rdf:Bag><rdf:li>\
            com.google.android.apps.camera.gallery.specialtype.SpecialType-PORTRAIT</rdf:li>
            </rdf:Bag></\(prefix):SpecialTypeID></rdf:Description></rdf:RDF></x:xmpmeta>
            """
        let block = Data("http://ns.adobe.com/xap/1.0/\0".utf8) + Data(packet.utf8)
        let data = Self.joined([
            still.prefix(2), Data([0xff, 0xe1]),
            Data(Self.bytes(block.count + 2, 2).reversed()), block, still.dropFirst(2),
        ])
        let facts = try facts(data, "google-\(prefix).jpg")
        #expect(facts.burstIdentifier == "B-7" && facts.isBurstPrimary)
        #expect(facts.depth.contains("google-portrait"))
    }
}
