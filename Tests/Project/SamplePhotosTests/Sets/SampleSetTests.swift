import Foundation
import PhotoModel
import SamplePhotos
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct SampleSetTests {
    @Test(arguments: [0, 1, 7, 20, 60, 100])
    func demoHasAsManyFilesAsAskedFor(_ count: Int) {
        let set = SampleSet.demo(count: count)
        #expect(set.entries.count == count)
        #expect(Set(set.entries.map(\.name)).count == count)
    }

    @Test func theSameSeedGivesTheSameSet() {
        #expect(SampleSet.demo(seed: 3) == SampleSet.demo(seed: 3))
        #expect(SampleSet.demo(seed: 3) != SampleSet.demo(seed: 4))
    }

    @Test func megapixelsAreThoseOfACamera() throws {
        let set = SampleSet.demo(count: 100, megapixels: 12.2)
        guard case .jpeg(let photo) = try #require(set.entries.last).content else {
            Issue.record("The last file is no ordinary photo.")
            return
        }
        let sides = [photo.size.width, photo.size.height].sorted()
        #expect(sides == [3_024, 4_032])
    }

    @Test func demoHoldsOneOfEachKind() {
        var kinds: Set<String> = []
        for entry in SampleSet.demo().entries {
            switch entry.content {
            case .jpeg(let photo):
                kinds.insert("jpeg")
                if photo.metadata.burstIdentifier != nil { kinds.insert("burst") }
                if photo.metadata.contentIdentifier != nil { kinds.insert("live") }
                if photo.metadata.customRendered == 6 { kinds.insert("panorama") }
                if photo.metadata.customRendered == 8 { kinds.insert("portrait") }
                if photo.metadata.appleHDRImageType == 3 { kinds.insert("hdr") }
                if photo.metadata.date == nil { kinds.insert("undated") }
            case .png: kinds.insert("screenshot")
            case .dng: kinds.insert("raw")
            case .gif: kinds.insert("animation")
            case .movie(let movie): kinds.insert(movie.frameRate == 240 ? "slo-mo" : "movie")
            case .adjustment: kinds.insert("edit")
            case .sidecar: kinds.insert("sidecar")
            }
        }
        #expect(
            kinds.sorted() == [
                "animation", "burst", "edit", "hdr", "jpeg", "live", "movie", "panorama",
                "portrait", "raw", "screenshot", "sidecar", "slo-mo", "undated",
            ]
        )
    }

    @Test(.needsProgram("exiftool")) func everyFileIsSound() throws {
        let folder = try TemporaryFolder()
        let written = Mutex<Set<String>>([])
        let set = SampleSet.demo(count: 60, megapixels: 0.02)
        try set.write(to: folder.url) { name in
            _ = written.withLock { $0.insert(name) }
        }
        #expect(written.withLock { $0 } == Set(set.entries.map(\.name)))
        // One line per file with a warning; the wrong name is intentional.
        let output = try ProcessRunner.run(
            "exiftool",
            [
                "-r", "-q", "-if", "$error or $warning", "-p", "$filename: $error $warning",
                folder.path,
            ]
        )
        #expect(output.lines == [])
    }

    @Test func aFolderThatCannotBeWrittenIsAnError() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Data(), to: "file")
        #expect(throws: (any Error).self) {
            try SampleSet.demo(count: 2, megapixels: 0.01).write(to: file)
        }
    }
}
