import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

/// Files of a library whose place the program does not learn: PhotoKit's requests over the daemon.
@Suite(.timeLimit(.minutes(2))) struct ConcealedPathProgramTests {
    private let home: DaemonHome

    init() throws {
        home = try DaemonHome()
        try home.succeed("create", daemon: "0")
    }

    /// Imports files, which are one photo or movie.
    ///
    /// - Returns: Its identifier.
    private func add(_ files: [String: Data]) throws -> String {
        for (name, data) in files { try home.folder.write(data, to: "source/" + name) }
        try home.succeed("import", home.folder.file("source").path, daemon: "0")
        try FileProgram.permit(in: home)
        try home.startDaemon()
        let line = try home.succeed("list", "--json", daemon: "0")
        return try #require(try CloudHomes.object(line)["localIdentifier"] as? String)
    }

    private func expectNoPath(
        _ program: FileProgram,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(
            !program.text.contains(home.library),
            "\(program.text)",
            sourceLocation: sourceLocation
        )
    }

    @Test func photo() throws {
        let bytes = try DaemonHome.photo(1)
        let program = try FileProgram(home, add(["a.jpg": bytes]))
        expectNoPath(program)
        #expect(Set(program.outcomes.keys) == ["resources", "data", "input"])
        #expect(program.outcomes.values.allSatisfy { $0.code == nil }, "\(program.text)")
        let names = ["resource-1", "url-resource-1", "data", "input"]
        #expect(Set(program.files.keys) == Set(names))
        for name in names { #expect(program.files[name] == bytes, "\(name)") }
    }

    @Test func movie() throws {
        let bytes = try SampleFile.quickTime(SampleMovie(duration: 0.6))
        let program = try FileProgram(home, add(["a.mov": bytes]))
        expectNoPath(program)
        #expect(Set(program.outcomes.keys) == ["resources", "movie", "input"])
        #expect(program.outcomes.values.allSatisfy { $0.code == nil }, "\(program.text)")
        let names = ["resource-2", "url-resource-2", "movie", "input-movie"]
        #expect(Set(program.files.keys) == Set(names))
        for name in names { #expect(program.files[name] == bytes, "\(name)") }
    }

    @Test func livePhoto() throws {
        let identifier = UUID().uuidString
        var still = SamplePhoto(Picture(.hills, seed: 1), size: .init(width: 640, height: 480))
        still.metadata.contentIdentifier = identifier
        var clip = SampleMovie(duration: 0.4)
        clip.metadata.contentIdentifier = identifier
        clip.stillTime = 0.2
        let photo = try SampleFile.jpeg(still)
        let movie = try SampleFile.quickTime(clip)
        let program = try FileProgram(home, add(["a.jpg": photo, "a.mov": movie]))
        expectNoPath(program)
        #expect(Set(program.outcomes.keys) == ["resources", "data", "live", "input"])
        #expect(program.outcomes.values.allSatisfy { $0.code == nil }, "\(program.text)")
        for name in ["resource-1", "url-resource-1", "data", "live-1", "input", "input-live-1"] {
            #expect(program.files[name] == photo, "\(name)")
        }
        for name in ["resource-9", "url-resource-9", "live-9", "input-live-9"] {
            #expect(program.files[name] == movie, "\(name)")
        }
    }
}
