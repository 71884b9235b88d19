import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import Imaging

/// Files of many formats, compared with the picture that they show.
@Suite(.timeLimit(.minutes(2))) struct FormatTests {
    private static let size = PixelSize(width: 120, height: 80)
    private let folder: TemporaryFolder
    private let image = Picture(.hills, seed: 3).drawn(size: size)
    private let photo = SamplePhoto(Picture(.hills, seed: 3), size: size)

    init() throws {
        #expect(PreviewDecoder.start() && HEIFPicture.start())
        folder = try TemporaryFolder("photos-formats")
    }

    private func decode(
        _ data: Data,
        shape: PixelShape = PixelShape(),
        takesAnyPreview: Bool = false,
        _ input: (UnsafeRawBufferPointer) -> PictureDecoder.Input
    ) throws -> Decoding {
        try data.withUnsafeBytes {
            try Decoding(input($0), shape: shape, takesAnyPreview: takesAnyPreview)
        }
    }

    /// Has another program convert the picture into a file.
    private func converted(_ arguments: [String], _ name: String) throws -> Data {
        let head = Data("P6 \(Self.size.width) \(Self.size.height) 255\n".utf8)
        let source = try folder.write(head + Data(image.bytes), to: "source.ppm")
        let target = folder.file(name)
        let words = arguments.map { word in
            word.replacing("SOURCE", with: source.path).replacing("TARGET", with: target.path)
        }
        let output = try ProcessRunner.run(words[0], Array(words.dropFirst()))
        try #require(output.status == 0, "\(output.errorText)")
        return try Data(contentsOf: target)
    }

    @Test func losslessFilesAreExact() throws {
        let heif = try decode(HEIFWriter(.init(image)).data, { .heif($0) })
        #expect(heif.difference(from: image) == 0)
        #expect(heif.picture.fullSize == Self.size && !heif.picture.hasAlpha)
    }

    @Test(
        .needsProgram("vips"),
        arguments: [
            ("tif", PictureDecoder.PlainFormat.tiff, "[compression=lzw,predictor=horizontal]", 0.0),
            ("png", .png, "", 0), ("webp", .webP, "[lossless]", 0),
            ("jp2", .jpeg2000, "[lossless]", 0),
            ("jpg", .jpeg, "[Q=95]", 4),
        ]
    )
    func filesOfAnotherProgramAreRead(
        _ ending: String,
        _ format: PictureDecoder.PlainFormat,
        _ options: String,
        _ tolerance: Double
    ) throws {
        let arguments = ["vips", "copy", "SOURCE", "TARGET\(options)"]
        let data = try converted(arguments, "picture.\(ending)")
        let found = try decode(data) { .plain(format, $0, .up) }
        #expect(found.difference(from: image) <= tolerance)
    }

    @Test(.needsProgram("cjxl")) func jpegXLIsRead() throws {
        let data = try converted(["cjxl", "--quiet", "-d", "0", "SOURCE", "TARGET"], "picture.jxl")
        #expect(try decode(data, { .jpegXL($0) }).difference(from: image) == 0)
        let damaged = data.prefix(data.count / 3)
        #expect(throws: DecodeFailure.self) { try decode(damaged, { .jpegXL($0) }) }
    }

    @Test(.needsProgram("heif-enc"), arguments: [["-L"], ["-q", "90"]])
    func compressedHEIFIsRead(_ options: [String]) throws {
        let png = try folder.write(SampleFile.png(photo), to: "picture.png").path
        let arguments = ["heif-enc"] + options + ["-o", "TARGET", png]
        let found = try decode(converted(arguments, "picture.heic"), { .heif($0) })
        #expect(found.difference(from: image) < 6)
    }

    /// Pictures of more than 8 bits, which other code turns and converts.
    @Test(.needsProgram("heif-enc"), .needsProgram("vips")) func tenBitsAreReduced() throws {
        let wide = ["vips", "colourspace", "SOURCE", "TARGET", "rgb16"]
        let png = try folder.write(converted(wide, "wide.png"), to: "wide16.png").path
        let data = try converted(
            ["heif-enc", "-q", "95", "-b", "10", "-o", "TARGET", png],
            "a.heic"
        )
        let found = try decode(data, { .heif($0) })
        #expect(found.picture.size == Self.size && found.difference(from: image) < 6)
        let bytes = try data.withUnsafeBytes { bytes in
            try HEIFPicture(bytes, maximumPixels: 1_000_000).profile
        }
        #expect(bytes == nil || (bytes?.count ?? 0) > 128)
    }

    /// A Photoshop document whose colors are mixed with white according to their opacity.
    @Test func theWhiteOfADocumentIsRemoved() throws {
        let size = PixelSize(width: 4, height: 1)
        let alpha: [UInt8] = [255, 128, 64, 0]
        func mixed(_ value: Int) -> [UInt8] {
            alpha.map { UInt8((value * Int($0) + 255 * (255 - Int($0)) + 127) / 255) }
        }
        let channels = [mixed(200), mixed(100), mixed(0), alpha]
        for isPacked in [false, true] {
            var writer = PhotoshopWriter(.rgb, size: size, channels: channels)
            writer.layerCount = -1
            writer.isPacked = isPacked
            let url = try folder.write(writer.data, to: "a.psd")
            let file = try FileHandle(forReadingFrom: url)
            let still = StillFrame(
                descriptor: file.fileDescriptor,
                container: "psd_pipe",
                isMatted: true
            )
            let found = try Decoding(.still(still), keepsAlpha: true)
            #expect(found.picture.hasAlpha)
            for pixel in 0..<3 {
                let color = found.bytes[pixel * 4..<pixel * 4 + 3].map { Int($0) }
                let isNear = zip(color, [200, 100, 0]).allSatisfy { abs($0 - $1) <= 5 }
                #expect(isNear && found.bytes[pixel * 4 + 3] == alpha[pixel], "\(color)")
            }
        }
    }

    /// White of the picture is 203 cd/m² (ITU-R BT.2408).
    @Test(.needsProgram("cjxl")) func brightSignalsHaveTheirLight() throws {
        // SMPTE ST 2084: 203, 1,000 and 0 cd/m².
        let values = [0.5807, 0.7518, 0].map { Int($0 * 65_535) }
        let rows = values.flatMap { value in
            Array(repeating: [UInt8(value >> 8), UInt8(value & 255)], count: 3).joined()
        }
        let head = Data("P6 3 1 65535\n".utf8)
        let source = try folder.write(head + Data(rows), to: "pq.ppm")
        let target = folder.file("pq.jxl")
        let output = try ProcessRunner.run(
            "cjxl",
            [
                "--quiet", "-d", "0", "-x", "color_space=RGB_D65_202_Rel_PeQ", source.path,
                target.path,
            ]
        )
        try #require(output.status == 0, "\(output.errorText)")
        let data = try Data(contentsOf: target)
        let halves = try data.withUnsafeBytes { bytes in
            #expect(try JPEGXLPicture(bytes).primaries == 9)
            let found = try Decoding(.jpegXL(bytes), bright: HDRRequest(headroom: 0))
            return found.bytes.withUnsafeBytes { Array($0.bindMemory(to: Float16.self)) }
        }
        #expect(halves.count == 12)
        for (index, expected) in [1, 1_000.0 / 203, 0].enumerated() {
            for band in 0..<3 {
                let value = Double(halves[index * 4 + band])
                #expect(abs(value - expected) < 0.03 * max(1, expected), "\(index)")
            }
        }
    }

    /// The header and the metadata that an encoder takes over from a JPEG.
    @Test(.needsProgram("cjxl")) func jpegXLHasItsHeader() throws {
        var photo = photo
        photo.metadata.orientation = .right
        photo.metadata.make = "Maker"
        let source = try folder.write(SampleFile.jpeg(photo), to: "a.jpg")
        let target = folder.file("a.jxl")
        let output = try ProcessRunner.run("cjxl", ["--quiet", source.path, target.path])
        try #require(output.status == 0, "\(output.errorText)")
        let data = try Data(contentsOf: target)
        try data.withUnsafeBytes { bytes in
            let picture = try JPEGXLPicture(bytes)
            #expect(picture.storedSize == photo.storedSize && picture.orientation == .right)
            #expect(!picture.isAnimated && ![16, 18].contains(picture.transfer))
            let exif = picture.boxes.first { $0.type == "Exif" }
            #expect(exif.map { Data($0.bytes).firstRange(of: Data("Maker".utf8)) != nil } == true)
            let found = try Decoding(.jpegXL(bytes))
            #expect(found.picture.size == Self.size && found.difference(from: image) < 6)
        }
        #expect(throws: ImagingError.self) {
            try Data("no file".utf8).withUnsafeBytes { try JPEGXLPicture($0) }
        }
        #expect(throws: ImagingError.self) { try Data().withUnsafeBytes { try JPEGXLPicture($0) } }
    }

    @Test func aPaletteIsNearThePicture() throws {
        let data = SampleFile.gif(Picture(.hills, seed: 3), size: Self.size, frames: 3)
        let found = try decode(data) { .plain(.gif, $0, .up) }
        #expect(found.picture.size == Self.size)
        // Six levels of each color, mixed.
        #expect(found.difference(from: image) < 51 / 2)
    }

    /// A raw picture has colors of its own; each quarter is as bright as the picture's.
    @Test func rawPicturesAreDeveloped() throws {
        let size = PixelSize(width: 480, height: 320)
        let photo = SamplePhoto(Picture(.hills, seed: 3), size: size)
        let image = photo.picture.drawn(size: size)
        let data = SampleFile.dng(photo)
        let found = try decode(data, { .raw($0) })
        #expect(found.picture.fullSize == size && found.picture.size == size)
        let small = PixelShape(size: PixelSize(width: 120, height: 80), fitting: .exactFill)
        let half = try decode(data, shape: small, { .raw($0) })
        let preview = try decode(data, shape: small, takesAnyPreview: true, { .raw($0) })
        for decoding in [half, preview] {
            #expect(decoding.picture.size == PixelSize(width: 120, height: 80))
            #expect(decoding.picture.fullSize == size)
            #expect(decoding.difference(from: image.shrunk(by: 4)) < 25)
        }
        #expect(found.difference(from: image) < 25)
        #expect(throws: DecodeFailure.self) { try decode(data.prefix(900), { .raw($0) }) }
        #expect(throws: DecodeFailure.self) { try decode(Data("no RAW".utf8), { .raw($0) }) }
    }

    // MARK: - Shapes

    /// A part of a picture, scaled while it is loaded.
    @Test func smallerPicturesAreAverages() throws {
        let size = PixelSize(width: 480, height: 320)
        let photo = SamplePhoto(Picture(.sea, seed: 5), size: size, quality: 95)
        let small = photo.picture.drawn(size: size).shrunk(by: 4)
        let shape = PixelShape(size: small.size, fitting: .exactFill)
        for (data, input) in [
            (try SampleFile.jpeg(photo), { PictureDecoder.Input.plain(.jpeg, $0, .up) }),
            (SampleFile.png(photo), { .plain(.png, $0, .up) }),
            (HEIFWriter(.init(photo.picture.drawn(size: size))).data, { .heif($0) }),
        ] {
            let found = try decode(data, shape: shape, input)
            #expect(found.picture.fullSize == size)
            #expect(found.difference(from: small) < 3)
        }
    }

    /// A thumbnail stands for its picture if it is large enough, or if any preview will do.
    @Test func heifThumbnailsStandForThePicture() throws {
        let red = RGBImage(
            size: PixelSize(width: 30, height: 20),
            bytes: (0..<600).flatMap { _ in [UInt8(200), 10, 20] }
        )
        let data = HEIFWriter(.init(image), thumbnails: [.init(red)]).data
        func isRed(_ side: Int, takesAnyPreview: Bool = false) throws -> Bool {
            let size = PixelSize(width: side, height: side * 2 / 3)
            let shape = PixelShape(size: size, fitting: .exactFill)
            let found = try decode(data, shape: shape, takesAnyPreview: takesAnyPreview) {
                .heif($0)
            }
            #expect(found.picture.size == size && found.picture.fullSize == Self.size)
            return found.bytes.prefix(3) == [200, 10, 20]
        }
        #expect(try isRed(30))
        #expect(try !isRed(60))
        #expect(try isRed(60, takesAnyPreview: true))
        #expect(try !isRed(120, takesAnyPreview: true), "the whole picture is no preview")
    }

    /// Some programs turn and crop thumbnails with their picture, and others store them upright.
    @Test func turnedThumbnailsStandForTheirPicture() throws {
        func plain(_ width: Int, _ height: Int) -> RGBImage {
            let bytes = Array(repeating: [UInt8(200), 10, 20], count: width * height).joined()
            return RGBImage(size: PixelSize(width: width, height: height), bytes: Array(bytes))
        }
        let stored = image.stored(.right)
        let turn = [HEIFWriter.Transform.rotation(3)]
        let shape = PixelShape(size: PixelSize(width: 30, height: 20), fitting: .exactFill)
        for thumbnail in [
            HEIFWriter.Item(plain(20, 30), turn), .init(plain(30, 20)), .init(plain(20, 30)),
        ] {
            let data = HEIFWriter(.init(stored, turn), thumbnails: [thumbnail]).data
            let found = try decode(data, shape: shape) { .heif($0) }
            #expect(found.picture.size == shape.size && found.bytes.prefix(3) == [200, 10, 20])
        }
        // A crop of the picture applies to its thumbnail as well.
        let part = PixelRectangle(x: 0, y: 0, size: PixelSize(width: 60, height: 80))
        let crop = [HEIFWriter.Transform.crop(part)]
        let small = PixelRectangle(x: 0, y: 0, size: PixelSize(width: 30, height: 40))
        let whole = HEIFWriter(
            .init(image, crop),
            thumbnails: [.init(plain(60, 40), [.crop(small)]), .init(plain(50, 50))]
        ).data
        let half = PixelShape(size: PixelSize(width: 30, height: 40), fitting: .exactFill)
        let found = try decode(whole, shape: half) { .heif($0) }
        #expect(found.picture.fullSize == part.size && found.bytes.prefix(3) == [200, 10, 20])
        // A square thumbnail shows something else.
        let other = HEIFWriter(.init(image, crop), thumbnails: [.init(plain(50, 50))]).data
        #expect(try decode(other, shape: half) { .heif($0) }.bytes.prefix(3) != [200, 10, 20])
    }

    @Test(arguments: Orientation.allCases) func storedPixelsAreTurned(_ orientation: Orientation)
        throws
    {
        let stored = image.stored(orientation)
        let turns: [HEIFWriter.Transform] =
            switch orientation {
            case .up: []
            case .upMirrored: [.mirror(isHorizontal: true)]
            case .down: [.rotation(2)]
            case .downMirrored: [.mirror(isHorizontal: false)]
            case .leftMirrored: [.rotation(1), .mirror(isHorizontal: false)]
            case .right: [.rotation(3)]
            case .rightMirrored: [.rotation(3), .mirror(isHorizontal: false)]
            case .left: [.rotation(1)]
            }
        let found = try decode(HEIFWriter(.init(stored, turns)).data, { .heif($0) })
        #expect(found.picture.size == Self.size)
        #expect(found.difference(from: image) == 0)
    }

    // MARK: - Frames

    @Test func movieFramesHaveTheirTimes() throws {
        var movie = SampleMovie(Picture(.sea, seed: 2), size: Self.size, duration: 2, frameRate: 10)
        movie.drawnFrames = 20
        movie.quality = 95
        let url = try folder.write(SampleFile.quickTime(movie), to: "movie.mov")
        let file = try FileHandle(forReadingFrom: url)
        let first = try Decoding(.frame(descriptor: file.fileDescriptor, container: "mov"))
        #expect(first.difference(from: movie.picture.drawn(size: Self.size)) < 5)
        #expect(first.picture.time == nil)
        for seconds in [0, 0.5, 1.9] {
            let time = MovieTime(value: Int64(seconds * 600), timescale: 600)
            let found = try Decoding(
                .moment(descriptor: file.fileDescriptor, container: "mov", time, isTurned: true)
            )
            let frame = (seconds * 10).rounded(.down)
            #expect(abs((found.picture.time?.seconds ?? -1) - frame / 10) < 0.02)
            var picture = movie.picture
            picture.phase += Float(frame / 10)
            #expect(found.difference(from: picture.drawn(size: Self.size)) < 5)
        }
        let other = try FileHandle(forReadingFrom: folder.write(Data("no movie".utf8), to: "other"))
        #expect(throws: DecodeFailure.self) {
            try Decoding(.frame(descriptor: other.fileDescriptor, container: "mov"))
        }
    }

    /// A Windows bitmap: rows from the bottom, blue first, padded to four bytes.
    @Test func bitmapsAreRead() throws {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let length = Self.size.width * Self.size.height * 3
        var file = Array("BM".utf8) + number(54 + length, 4) + number(0, 4) + number(54, 4)
        file += number(40, 4) + number(Self.size.width, 4) + number(Self.size.height, 4)
        file += number(1, 2) + number(24, 2) + number(0, 4) + number(length, 4) + number(0, 16)
        for y in (0..<Self.size.height).reversed() {
            for x in 0..<Self.size.width {
                let place = (y * Self.size.width + x) * 3
                file += image.bytes[place..<place + 3].reversed()
            }
        }
        let handle = try FileHandle(forReadingFrom: folder.write(Data(file), to: "a.bmp"))
        let still = StillFrame(
            descriptor: handle.fileDescriptor,
            container: "bmp_pipe",
            hasAlpha: false
        )
        #expect(try Decoding(.still(still)).difference(from: image) == 0)
    }

    // MARK: - Light

    /// Without a gain map, linear light is the picture's, with Display P3's primaries.
    @Test func plainPicturesHaveTheirLight() throws {
        let gray = RGBImage(
            size: PixelSize(width: 4, height: 1),
            bytes: [0, 64, 188, 255].flatMap { [UInt8]([$0, $0, $0]) }
        )
        let data = HEIFWriter(.init(gray)).data
        let halves = try data.withUnsafeBytes { bytes in
            let found = try Decoding(.heif(bytes), bright: HDRRequest(headroom: 0))
            return found.bytes.withUnsafeBytes { Array($0.bindMemory(to: Float16.self)) }
        }
        // IEC 61966-2-1.
        let expected = [0, 0.0513, 0.5029, 1].flatMap { [Double]([$0, $0, $0, 1]) }
        #expect(halves.count == expected.count)
        for (half, value) in zip(halves, expected) { #expect(abs(Double(half) - value) < 0.004) }
    }

    /// Where the map is white, the light is that of the base, times two to the number of stops.
    @Test func gainMapsBrighten() throws {
        let size = PixelSize(width: 64, height: 64)
        func jpeg(_ value: UInt8) throws -> Data {
            let bytes = [UInt8](repeating: value, count: size.width * size.height * 3)
            return try RGBImage(size: size, bytes: bytes).jpeg(quality: 95)
        }
        var channel = GainMap.Channel()
        (channel.baseOffset, channel.alternateOffset) = (0, 0)
        channel.maximum = 2
        let map = GainMap(.stops([channel]), capacity: 0...2)
        let base = try jpeg(188)
        for (white, headroom, expected) in [
            (UInt8(255), 0.0, 0.503 * 4), (255, 2, 0.503 * 2), (0, 0, 0.503), (255, 1, 0.503),
        ] {
            let mapFile = try jpeg(white)
            let halves = try base.withUnsafeBytes { base in
                try mapFile.withUnsafeBytes { mapBytes in
                    let bright = HDRRequest(headroom: headroom, gainMap: (map, .jpeg(mapBytes)))
                    let found = try Decoding(.plain(.jpeg, base, .up), bright: bright)
                    return found.bytes.withUnsafeBytes { Array($0.bindMemory(to: Float16.self)) }
                }
            }
            #expect(halves.count == size.width * size.height * 4)
            #expect(abs(Double(halves[0]) - expected) < 0.03, "\(white) \(headroom)")
        }
    }

    /// The values of a map itself are not converted.
    @Test func gainMapsAreDecodedAsTheyAre() throws {
        let data = try image.jpeg(quality: 95)
        let (size, bytes) = try data.withUnsafeBytes { try Decoding.gainMap(.jpeg($0), in: $0) }
        #expect(size == Self.size && bytes.count == image.bytes.count)
        let difference = zip(bytes, image.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(Double(difference) / Double(bytes.count) < 4)
        let plain = HEIFWriter(.init(image)).data
        for source in [HDRRequest.MapSource.auxiliary, .item(77)] {
            #expect(throws: DecodeFailure.self) {
                try plain.withUnsafeBytes { try Decoding.gainMap(source, in: $0) }
            }
        }
    }
}
