import Foundation
import LibraryService
import PhotoModel
import PhotosCompanions
import SamplePhotos
import TestSupport
import Testing

/// Files outside any library, examined and decoded by a worker.
@Suite(.timeLimit(.minutes(1))) struct ForeignFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("photos-foreign") }

    private func photo(_ name: String) throws -> URL {
        let photo = SamplePhoto(
            Picture(.sea, seed: 1),
            size: PixelSize(width: 96, height: 64),
            metadata: SampleMetadata(orientation: .right)
        )
        return try folder.write(SampleFile.jpeg(photo), to: name)
    }

    private func code(_ url: URL) -> LibraryError.Code? {
        #expect(throws: LibraryError.self) { try ForeignFile(url) }?.code
    }

    @Test func typesAreDetectedFromTheContent() throws {
        let file = try ForeignFile(photo("photo.mov"))
        #expect(file.contentType == "public.jpeg" && !file.isMovie)
        #expect(file.pixelSize == PixelSize(width: 96, height: 64))
        let size = try file.url.resourceValues(forKeys: [.fileSizeKey]).fileSize
        #expect(file.size == Int64(size ?? -1) && file.contentIdentifier == nil)
        let identifier = UUID().uuidString
        var metadata = SampleMetadata()
        metadata.contentIdentifier = identifier
        let movie = SampleMovie(
            size: PixelSize(width: 64, height: 48),
            metadata: metadata
        )
        let url = try folder.write(SampleFile.quickTime(movie), to: "movie.jpg")
        let other = try ForeignFile(url)
        #expect(other.isMovie && other.contentIdentifier == identifier)
    }

    @Test func imagesAreUprightInTheRequestedSize() throws {
        let file = try ForeignFile(photo("photo.jpg"))
        let whole = try file.picture(PixelShape(), work: ForeignWork())
        #expect(whole.size == CGSize(width: 96, height: 64))
        let shape = PixelShape(size: PixelSize(width: 48, height: 48))
        let small = try file.picture(shape, work: ForeignWork())
        #expect(small.size == CGSize(width: 48, height: 32))
        let work = ForeignWork()
        work.cancel()
        let error = #expect(throws: LibraryError.self) { try file.picture(shape, work: work) }
        #expect(error?.code == .cancelled)
    }

    @Test func otherFilesSayWhy() throws {
        #expect(code(folder.file("missing.jpg")) == .missingResource)
        #expect(code(try folder.write(Data("text".utf8), to: "text.jpg")) == .invalidResource)
        #expect(code(try folder.write(Data(), to: "empty.heic")) == .invalidResource)
        #expect(code(try #require(URL(string: "https://example.org/a.jpg"))) == .invalidRequest)
        let sidecar = SampleFile.xmp(SampleMetadata(make: "Maker"))
        #expect(code(try folder.write(sidecar, to: "a.xmp")) == .invalidResource)
    }
}
