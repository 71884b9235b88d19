import Foundation
import Glibc
import PhotoModel
import SamplePhotos
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

/// The conditions under which a thumbnail in a HEIF file replaces its picture, and which part of
/// it.
///
/// Thumbnails are drawn as negatives, so that each result shows which pixels it was made from.
@Suite(.timeLimit(.minutes(1)))
struct HEIFThumbnailTests {
    private typealias Transform = HEIFWriter.Transform

    private let folder: TemporaryFolder
    private let pool = WorkerPool.shared
    private let scene = Picture(.flowers, seed: 7)
        .drawn(size: PixelSize(width: 600, height: 400), grain: 0)

    init() throws {
        folder = try TemporaryFolder()
    }

    // MARK: - Full-size pictures

    @Test(
        "A picture in its own size is never made of a thumbnail",
        .needsProgram("heif-dec"),
        arguments: [
            [Transform.crop(.init(x: 30, y: 50, size: .init(width: 300, height: 200)))],
            [.rotation(1)], [.rotation(2)], [.mirror(isHorizontal: true)],
            [
                .crop(.init(x: 100, y: 40, size: .init(width: 300, height: 200))), .rotation(3),
                .mirror(isHorizontal: false),
            ],
        ]
    )
    private func fullSize(_ transforms: [Transform]) throws {
        let reference = try heifDec(HEIFWriter(.init(scene, transforms)).data)
        for size in [reference.size, scene.size, reference.size.displayed(with: .right)] {
            let thumbnail = scene.scaled(to: size).negative
            let file = HEIFWriter(.init(scene, transforms), thumbnails: [.init(thumbnail)]).data
            for shape in [
                PixelShape(), PixelShape(size: reference.size),
                PixelShape(crop: UnitRectangle(x: 0, y: 0, width: 1, height: 1)),
            ] {
                let pixels = try decode(file, shape)
                #expect(pixels.size == reference.size)
                #expect(try pixels.difference(from: reference) < 1, "\(transforms), \(size)")
            }
        }
    }

    // MARK: - Thumbnails

    @Test func aThumbnailIsCroppedToWhatThePictureShows() throws {
        let part = PixelRectangle(x: 60, y: 40, size: PixelSize(width: 240, height: 300))
        let thumbnail = scene.scaled(to: PixelSize(width: 300, height: 200)).negative
        let file = HEIFWriter(.init(scene, [.crop(part)]), thumbnails: [.init(thumbnail)]).data
        let shown = scene.part(part)
        let small = try decode(file, PixelShape(size: PixelSize(width: 96, height: 120)))
        let expected = shown.scaled(to: PixelSize(width: 96, height: 120))
        #expect(try small.difference(from: expected.negative) < 6)
        // This part of the thumbnail has 120 × 150 pixels; larger sizes need the picture itself.
        let larger = try decode(file, PixelShape(size: PixelSize(width: 128, height: 160)))
        let full = shown.scaled(to: PixelSize(width: 128, height: 160))
        #expect(try larger.difference(from: full) < 6)
        let first = try #require(try rendition(file, side: 120))
        #expect(try first.difference(from: expected.negative) < 6)
    }

    @Test("A thumbnail is turned as the picture is, whoever says so", arguments: [true, false])
    func itIsTurned(_ saysSoItself: Bool) throws {
        let thumbnail = scene.scaled(to: PixelSize(width: 150, height: 100)).negative
        let turn = [Transform.rotation(3)]
        let file = HEIFWriter(
            .init(scene, turn),
            thumbnails: [.init(thumbnail, saysSoItself ? turn : [])]
        ).data
        let expected = try heifDec(HEIFWriter(.init(scene, turn)).data)
            .scaled(to: PixelSize(width: 80, height: 120))
        let small = try decode(file, PixelShape(size: PixelSize(width: 80, height: 120)))
        #expect(try small.difference(from: expected.negative) < 6)
        let first = try #require(try rendition(file, side: 120))
        #expect(try first.difference(from: expected.negative) < 6)
    }

    @Test(
        "Bars beside a thumbnail are cut off",
        arguments: [
            PixelSize(width: 160, height: 120), PixelSize(width: 192, height: 108),
            // Within two percent of the picture's aspect.
            PixelSize(width: 162, height: 110), PixelSize(width: 165, height: 108),
        ]
    )
    func barsAreCutOff(_ size: PixelSize) throws {
        let inner = scene.size.fitted(into: size)
        let thumbnail = scene.scaled(to: inner).negative.framed(in: size)
        let file = HEIFWriter(.init(scene), thumbnails: [.init(thumbnail)]).data
        let wanted = PixelSize(width: 120, height: 80)
        let expected = scene.scaled(to: wanted).negative
        #expect(try decode(file, PixelShape(size: wanted)).difference(from: expected) < 6)
        let first = try #require(try rendition(file, side: 120))
        #expect(try first.difference(from: expected) < 6)
        // The area of the bars is missing for larger sizes.
        let larger = PixelSize(width: size.width, height: size.width * 2 / 3)
        if larger.width > inner.width {
            let full = scene.scaled(to: larger)
            #expect(try decode(file, PixelShape(size: larger)).difference(from: full) < 6)
        }
    }

    @Test("Thumbnails that show something else are left aside")
    func othersAreLeftAside() throws {
        let wanted = PixelSize(width: 90, height: 60)
        let small = PixelSize(width: 150, height: 100)
        // Squeezed between bars, in the picture's own aspect.
        let squeezed = scene.scaled(to: PixelSize(width: 140, height: 100)).negative
            .framed(in: small)
        // Of another aspect, without bars.
        let square = scene.scaled(to: PixelSize(width: 150, height: 150)).negative
        for thumbnail in [squeezed, square] {
            let file = HEIFWriter(.init(scene), thumbnails: [.init(thumbnail)]).data
            let pixels = try decode(file, PixelShape(size: wanted))
            #expect(try pixels.difference(from: scene.scaled(to: wanted)) < 6)
            #expect(try rendition(file, side: 90) == nil)
        }
        // Nothing declares whether this thumbnail is already rotated or cropped.
        let part = PixelRectangle(x: 150, y: 100, size: PixelSize(width: 300, height: 200))
        for transform in [Transform.rotation(2), .crop(part)] {
            let thumbnail = HEIFWriter.Item(scene.scaled(to: small).negative)
            let file = HEIFWriter(.init(scene, [transform]), thumbnails: [thumbnail]).data
            let expected = try heifDec(file).scaled(to: wanted)
            let pixels = try decode(file, PixelShape(size: wanted))
            #expect(try pixels.difference(from: expected) < 6)
            #expect(try rendition(file, side: 90) == nil)
        }
    }

    @Test func aThumbnailThatDoesNotDoLeavesTheNext() throws {
        let small = scene.scaled(to: PixelSize(width: 160, height: 120)).negative
        let larger = scene.scaled(to: PixelSize(width: 300, height: 200)).negative
        let file = HEIFWriter(.init(scene), thumbnails: [.init(small), .init(larger)]).data
        let wanted = PixelSize(width: 90, height: 60)
        let expected = scene.scaled(to: wanted).negative
        #expect(try decode(file, PixelShape(size: wanted)).difference(from: expected) < 6)
        #expect(try #require(try rendition(file, side: 90)).difference(from: expected) < 6)
    }

    // MARK: - Parts

    private func decode(_ data: Data, _ shape: PixelShape) throws -> RGBImage {
        let url = try folder.write(data, to: "file.heif")
        let descriptor = open(url.path, O_RDONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let answer = try pool.decode(
            DecodeRequest(shape: shape, layout: .rgb),
            descriptor: descriptor
        )
        guard case .pixels(_, let pixels) = answer else {
            Issue.record("\(answer)")
            throw CocoaError(.fileReadCorruptFile)
        }
        return try #require(pixels.mapped()).image
    }

    private func rendition(_ data: Data, side: Int) throws -> RGBImage? {
        let url = try folder.write(data, to: "file.heif")
        return try pool.probe(path: url.path, renditionSide: side).pixels?.image
    }

    /// Returns the result of libheif's own program for a file.
    private func heifDec(_ data: Data) throws -> RGBImage {
        let file = try folder.write(data, to: "reference.heif")
        let (png, pixmap) = (folder.file("reference.png"), folder.file("reference.ppm"))
        let decoded = try ProcessRunner.run("heif-dec", [file.path, png.path])
        try #require(decoded.status == 0, "\(decoded.errorText)")
        let copied = try ProcessRunner.run("vips", ["copy", png.path, pixmap.path])
        try #require(copied.status == 0, "\(copied.errorText)")
        let picture = try ReferencePicture(pixmap: pixmap)
        return RGBImage(size: picture.size, bytes: picture.bytes)
    }
}
