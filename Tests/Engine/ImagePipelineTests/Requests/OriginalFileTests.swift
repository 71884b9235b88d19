import Foundation
import Glibc
import ImagePipeline
import LibraryService
import PhotoModel
import RenditionFixture
import SamplePhotos
import TestSupport
import Testing

/// The files that requests for whole files open: those of images and of movies.
@Suite(.timeLimit(.minutes(2))) struct OriginalFileTests {
    private let world: RenditionWorld
    private let movie: Data
    private let still: Data
    private let identifier = UUID().uuidString

    init() throws {
        world = try RenditionWorld()
        var metadata = SampleMetadata(orientation: .right)
        metadata.contentIdentifier = identifier
        let size = PixelSize(width: 96, height: 64)
        movie = try SampleFile.quickTime(
            SampleMovie(size: size, duration: 0.5, metadata: metadata)
        )
        still = try SampleFile.jpeg(SamplePhoto(size: size, metadata: metadata))
    }

    private func descriptor(_ data: Data, _ name: String) throws -> Descriptor {
        let file = try world.folder.write(data, to: "source/" + name)
        return Descriptor(owning: open(file.path, O_RDONLY | O_CLOEXEC))
    }

    /// Adds an asset with files of these types.
    private func add(_ files: [(ResourceType, String, Data)]) throws -> String {
        let uuid = UUID().uuidString
        let resources = files.enumerated().map { index, file in
            ResourceCreation(
                type: file.0,
                file: FileToken(Int64(index)),
                originalFilename: file.1
            )
        }
        try world.change(
            .createAsset(AssetCreation(uuid: uuid, resources: resources)),
            files: try files.map { try descriptor($0.2, $0.1) }
        )
        return uuid
    }

    private func edit(_ uuid: String, _ files: [(ResourceType, String, Data)]) throws {
        let adjustments = ContentAdjustments(
            formatIdentifier: "test.editor",
            formatVersion: "1",
            data: Data("adjustments".utf8)
        )
        let renderings = files.enumerated().map { index, file in
            ResourceCreation(
                type: file.0,
                file: FileToken(Int64(index)),
                originalFilename: file.1
            )
        }
        try world.change(
            .editContent(
                uuid: uuid,
                ContentEdit(adjustments: adjustments, renderings: renderings)
            ),
            files: try files.map { try descriptor($0.2, $0.1) }
        )
    }

    private func bytes(_ file: Descriptor) throws -> Data {
        try withExtendedLifetime(file) {
            try FileHandle(fileDescriptor: file.number, closeOnDealloc: false).readToEnd() ?? Data()
        }
    }

    private func image(
        _ uuid: String,
        _ version: ImageRequest.Version = .current
    ) throws -> (reply: ImageDataReply, data: Data) {
        let (reply, file) = try world.loader.imageData(
            ImageDataRequest(assetUUID: uuid, version: version)
        )
        return (reply, try bytes(file))
    }

    private func movie(
        _ uuid: String,
        _ version: ImageRequest.Version = .current
    ) throws -> (type: ResourceType, data: Data) {
        let (reply, file) = try world.loader.movieData(
            MovieDataRequest(assetUUID: uuid, version: version)
        )
        #expect(reply.path.map { FileManager.default.fileExists(atPath: $0) } == true)
        return (reply.resource.type, try bytes(file))
    }

    private func code(_ body: () throws -> Void) -> LibraryError.Code? {
        #expect(throws: LibraryError.self) { try body() }?.code
    }

    @Test func imagesAreTheOriginalBytesWithTheirOrientation() throws {
        let uuid = try add([(.photo, "IMG_1.JPG", still)])
        let (reply, data) = try image(uuid)
        #expect(data == still && reply.orientation == .right)
        #expect(reply.resource.type == .photo && reply.resource.originalFilename == "IMG_1.JPG")
        #expect(reply.path.map { FileManager.default.contents(atPath: $0) } == still)
        #expect(code { _ = try image(UUID().uuidString) } == .identifierNotFound)
        // Bytes of a movie have no orientation.
        let video = try add([(.video, "IMG_2.MOV", movie)])
        #expect(try image(video).reply.orientation == .up)
        #expect(try image(video).data == movie)
    }

    /// Decoders of RAW orient the pixels themselves.
    @Test func imagesOfOrientingDecodersAreUpright() throws {
        let photo = SamplePhoto(
            size: PixelSize(width: 96, height: 64),
            metadata: SampleMetadata(orientation: .right)
        )
        let uuid = try add([(.photo, "IMG_7.DNG", SampleFile.dng(photo))])
        #expect(try image(uuid).reply.orientation == .up)
    }

    @Test func aMovieIsItsOnlyFileInEachVersion() throws {
        let uuid = try add([(.video, "IMG_2.MOV", movie)])
        for version in ImageRequest.Version.allCases {
            let found = try movie(uuid, version)
            #expect(found.type == .video && found.data == movie, "\(version)")
        }
    }

    @Test func anEditedMovieKeepsItsOriginal() throws {
        let uuid = try add([(.video, "IMG_2.MOV", movie)])
        let other = try SampleFile.quickTime(
            SampleMovie(Picture(.hills, seed: 7), size: PixelSize(width: 64, height: 48))
        )
        try edit(uuid, [(.fullSizeVideo, "FullSizeRender.mov", other)])
        #expect(try movie(uuid).data == other && movie(uuid).type == .fullSizeVideo)
        #expect(try movie(uuid, .unadjusted).data == movie)
        #expect(try movie(uuid, .original).data == movie)
        #expect(try movie(uuid, .adjustmentBase).data == movie)
    }

    @Test func aLivePhotoHasAMovieAndAPhotoHasNone() throws {
        let live = try add([(.photo, "IMG_3.JPG", still), (.pairedVideo, "IMG_3.MOV", movie)])
        for version in ImageRequest.Version.allCases {
            #expect(try movie(live, version).type == .pairedVideo, "\(version)")
        }
        #expect(try image(live).data == still)
        let photo = try add([(.photo, "IMG_4.JPG", still)])
        #expect(code { _ = try movie(photo) } == .notSupportedForAsset)
        #expect(code { _ = try movie(UUID().uuidString) } == .identifierNotFound)
        // An edit without a movie makes a still photo of it.
        let rendered = try SampleFile.jpeg(SamplePhoto(size: PixelSize(width: 64, height: 48)))
        try edit(live, [(.fullSizePhoto, "FullSizeRender.jpg", rendered)])
        #expect(code { _ = try movie(live) } == .notSupportedForAsset)
        #expect(try movie(live, .unadjusted).data == movie)
        #expect(try image(live).data == rendered)
        for version in [ImageRequest.Version.unadjusted, .original, .adjustmentBase] {
            #expect(try image(live, version).data == still, "\(version)")
        }
    }

    @Test func theRAWOfAPairIsTheBestOriginal() throws {
        let raw = SampleFile.dng(SamplePhoto(size: PixelSize(width: 96, height: 64)))
        for isMain in [true, false] {
            let types: [ResourceType] =
                isMain ? [.photo, .alternatePhoto] : [.alternatePhoto, .photo]
            let uuid = try add([(types[0], "IMG_5.DNG", raw), (types[1], "IMG_5.JPG", still)])
            #expect(try image(uuid, .original).data == raw, "\(isMain)")
            #expect(try image(uuid, .compressed).data == still, "\(isMain)")
        }
        let only = try add([(.photo, "IMG_6.DNG", raw)])
        #expect(try image(only, .compressed).data == raw)
    }

    @Test func renditionsOutliveTheirFile() throws {
        let uuid = try world.addPhoto(1)
        let (reply, data) = try image(uuid)
        let path = try #require(reply.path)
        _ = try world.builder.build(RenditionBuildRequest(side: 256, limit: 16))
        try FileManager.default.removeItem(atPath: path)
        // The rendition remains, and only what needs the file fails.
        #expect(try world.image(uuid, side: 90) != nil)
        #expect(code { _ = try image(uuid) } == .missingResource)
        #expect(code { _ = try world.image(uuid, side: 4000) } == .missingResource)
        // Damage that leaves the length.
        try Data(repeating: 0x55, count: data.count).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: LibraryError.self) { try world.image(uuid, side: 4000) }
        #expect(error?.path == path && error?.recovery?.contains("photos export") == true)
    }
}
