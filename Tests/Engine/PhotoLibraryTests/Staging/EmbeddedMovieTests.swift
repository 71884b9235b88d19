import Foundation
import LibraryService
import PhotoModel
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

/// Movies inside stills, as Android's motion photos have them.
@Suite(.timeLimit(.minutes(2))) struct EmbeddedMovieTests {
    /// Writes a still with additional bytes at its end, declared as its movie.
    private func write(_ name: String, _ tail: Data, in world: ImportWorld) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var still = MediaFacts.still(salt: name)
        still.embeddedMovieLength = Int64(tail.count)
        let bytes = try encoder.encode(still) + Data("\n".utf8) + tail
        _ = try world.folder.write(bytes, to: "card/" + name)
    }

    private func movie() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(MediaFacts.movie(salt: "inside"))
    }

    @Test("A motion photo is a Live Photo of the whole still and a copy of its movie")
    func motionPhoto() throws {
        let world = try ImportWorld()
        let movie = try movie()
        try write("PXL_1.MP.jpg", movie, in: world)
        let outcome = try #require(try world.importFiles("PXL_1.MP.jpg").first)
        #expect(outcome.kind == .imported)
        let asset = try #require(try world.asset(outcome))
        #expect(asset.mediaSubtypes.contains(.photoLive))
        #expect(asset.playbackStyle == .livePhoto)
        #expect(asset.duration == 0)
        #expect(
            try world.resources(of: asset) == ["photo PXL_1.MP.jpg", "pairedVideo PXL_1.MP.MP4"]
        )
        #expect(try world.inconsistencies() == [])
        let reader = ResourceFetcher(store: world.store)
        let files = try reader.list(ResourceListRequest(assetUUID: asset.uuid)).resources
        let paths = files.map { world.store.bundle.absolutePath(of: $0.path) }
        let original = try Data(contentsOf: URL(fileURLWithPath: world.path("PXL_1.MP.jpg")))
        #expect(FileManager.default.contents(atPath: paths[0]) == original)
        #expect(FileManager.default.contents(atPath: paths[1]) == movie)
    }

    @Test(
        "What is no movie stays inside its still",
        arguments: [Data("no movie".utf8), Data("broken movie".utf8)]
    )
    func noMovie(tail: Data) throws {
        let world = try ImportWorld()
        try write("PXL_1.jpg", tail, in: world)
        let outcome = try #require(try world.importFiles("PXL_1.jpg").first)
        let asset = try #require(try world.asset(outcome))
        #expect(!asset.mediaSubtypes.contains(.photoLive))
        #expect(try world.resources(of: asset) == ["photo PXL_1.jpg"])
        #expect(try world.inconsistencies() == [])
    }

    @Test("A length that lies is no movie")
    func wrongLength() throws {
        let world = try ImportWorld()
        var still = MediaFacts.still()
        still.embeddedMovieLength = .max
        try world.write("PXL_1.jpg", still)
        let outcome = try #require(try world.importFiles("PXL_1.jpg").first)
        #expect(outcome.kind == .imported)
        #expect(try world.inconsistencies() == [])
    }

    @Test("Imported again, it is a duplicate, and nothing is left in the staging folder")
    func again() throws {
        let world = try ImportWorld()
        try write("PXL_1.jpg", try movie(), in: world)
        let first = try #require(try world.importFiles("PXL_1.jpg").first)
        let second = try #require(try world.importFiles("PXL_1.jpg").first)
        #expect(second.kind == .duplicate)
        #expect(second.localIdentifier == first.localIdentifier)
        #expect(try world.assets().count == 1)
        let leftovers = try world.stagingFolders().flatMap { folder in
            try FileManager.default.contentsOfDirectory(
                atPath: world.store.bundle.staging + "/" + folder
            )
        }
        #expect(!leftovers.contains { $0.hasSuffix(".part") })
    }
}
