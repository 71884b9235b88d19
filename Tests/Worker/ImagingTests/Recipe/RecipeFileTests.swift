import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import Imaging

/// Files that recipes write, read again.
@Suite(.timeLimit(.minutes(2))) struct RecipeFileTests {
    private static let size = PixelSize(width: 96, height: 64)
    private let image = Picture(.lake, seed: 4).drawn(size: size)
    private let folder: TemporaryFolder

    init() throws {
        #expect(PreviewDecoder.start() && HEIFPicture.start())
        folder = try TemporaryFolder("photos-recipe-files")
    }

    private func render(
        _ input: (UnsafeRawBufferPointer) -> RecipePicture.Input,
        _ data: [UInt8],
        _ source: PictureRendering.Source,
        output: PictureRendering.Output,
        colors: PixelColors = .sRGB,
        operations: [PointOperation] = [],
        attachments: PictureAttachments? = nil,
        metadata: PictureRendering.Metadata? = nil,
        exif: ExifBlock? = nil,
        map: [UInt8]? = nil,
        limit: Int = .max
    ) throws -> [UInt8] {
        var steps = [PictureRecipe.Step(.source(0))]
        if !operations.isEmpty { steps.append(.init(.point(operations), of: [0])) }
        var rendering = PictureRendering(
            recipe: PictureRecipe(steps: steps),
            sources: [source],
            region: RecipeRectangle(source.size),
            output: output,
            colors: colors,
            metadata: metadata,
            attachments: attachments
        )
        let mapSize = attachments?.gainMap?.size
        if let mapSize {
            rendering.sources.append(
                .pixels(PixelBufferDescription(size: mapSize), .init(alpha: .ignored))
            )
        }
        let rows = CollectedRows(limit: limit)
        func picture(_ input: RecipePicture.Input, _ size: PixelSize) throws -> RecipePicture {
            try RecipePicture(
                input,
                size: size,
                isTolerant: false,
                isRandom: false,
                maximumPixels: 1_000_000,
                sink: rows
            )
        }
        return try data.withUnsafeBytes { bytes in
            try (map ?? [0]).withUnsafeBytes { mapBytes in
                var pictures = [try picture(input(bytes), source.size)]
                if let mapSize {
                    let description = PixelBufferDescription(size: mapSize)
                    let map = RecipePicture.Input.pixels(
                        mapBytes,
                        description,
                        .init(alpha: .ignored)
                    )
                    pictures.append(try picture(map, mapSize))
                }
                let renderer = try RecipeRenderer(rendering, pictures)
                let gainMap = mapSize == nil ? nil : pictures.last
                let length = try renderer.file(exif: exif, gainMap: gainMap, into: rows)
                #expect(length == rows.bytes.count)
                return rows.bytes
            }
        }
    }

    /// Renders the picture from its pixels.
    private func file(
        _ output: PictureRendering.Output,
        colors: PixelColors = .sRGB,
        operations: [PointOperation] = [],
        attachments: PictureAttachments? = nil,
        metadata: PictureRendering.Metadata? = nil,
        exif: ExifBlock? = nil,
        map: [UInt8]? = nil,
        limit: Int = .max
    ) throws -> [UInt8] {
        let description = PixelBufferDescription(size: Self.size)
        return try render(
            { .pixels($0, description, .init(alpha: .ignored)) },
            image.bytes,
            .pixels(description, .init(alpha: .ignored)),
            output: output,
            colors: colors,
            operations: operations,
            attachments: attachments,
            metadata: metadata,
            exif: exif,
            map: map,
            limit: limit
        )
    }

    private static func decoding(
        _ file: [UInt8],
        _ output: PictureRendering.Output,
        keepsAlpha: Bool = false
    ) throws -> Decoding {
        try file.withUnsafeBytes { bytes in
            let input: PictureDecoder.Input =
                switch output {
                case .heif: .heif(bytes)
                case .png: .plain(.png, bytes, .up)
                case .tiff: .plain(.tiff, bytes, .up)
                default: .plain(.jpeg, bytes, .up)
                }
            return try Decoding(input, keepsAlpha: keepsAlpha)
        }
    }

    private static let outputs: [PictureRendering.Output] = [
        .png, .tiff, .jpeg(quality: 95), .heif(quality: 95),
    ]

    @Test(arguments: outputs) func filesShowTheImage(_ output: PictureRendering.Output) throws {
        let isLossy = output != .png && output != .tiff
        let found = try Self.decoding(try file(output), output)
        #expect(found.picture.size == Self.size && !found.picture.hasAlpha)
        #expect(found.difference(from: image) <= (isLossy ? 5 : 0))
        // Wide colors are converted, and the profile says so.
        let wide = try Self.decoding(try file(output, colors: .displayP3), output)
        #expect(wide.difference(from: image) <= (isLossy ? 5 : 1.5))
    }

    @Test(arguments: outputs)
    func transparencyIsKeptWhereTheFormatHasIt(_ output: PictureRendering.Output) throws {
        let fade: [Double] = [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0.5, 0]
        let file = try file(output, operations: [.alphaMatrix(fade)])
        let found = try Self.decoding(file, output, keepsAlpha: true)
        if case .jpeg = output {
            #expect(!found.picture.hasAlpha && found.bytes[3] == 255)
        } else {
            #expect(found.picture.hasAlpha)
            #expect(abs(Int(found.bytes[3]) - 128) <= 2)
            #expect(abs(Int(found.bytes[0]) - Int(image.bytes[0])) <= 12)
        }
    }

    /// ExifTool reads the metadata that a program attached.
    @Test(.needsProgram("exiftool"), arguments: outputs)
    func attachmentsAreWritten(_ output: PictureRendering.Output) throws {
        var attachments = PictureAttachments()
        attachments.tags.image = [
            .text(271, "Maker"), .text(272, "Model ü"), .shorts(274, [1]),
        ]
        attachments.xmp = Data(
            """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
            xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
            xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>
            """.utf8
        )
        let url = try folder.write(Data(try file(output, attachments: attachments)), to: "a")
        let words = try ProcessRunner.run(
            "exiftool",
            ["-s3", "-m", "-Make", "-Model", "-XMP:Rating", "-ImageWidth", url.path]
        )
        #expect(words.lines.map { String($0) } == ["Maker", "Model ü", "4", "96"])
        #expect(try Self.decoding(Array(Data(contentsOf: url)), output).picture.size == Self.size)
    }

    /// The map is a second image of the file, with values of its own.
    @Test(
        arguments: [PictureRendering.Output.jpeg(quality: 95), .heif(quality: 95)],
        [true, false]
    )
    func gainMapsAreWritten(_ output: PictureRendering.Output, isGray: Bool) throws {
        let mapSize = PixelSize(width: 48, height: 32)
        let map = (0..<mapSize.width * mapSize.height).flatMap { index -> [UInt8] in
            let value = UInt8(index % 48 * 5)
            return isGray ? [value, value, value] : [value, 255 - value, 128]
        }
        var attachments = PictureAttachments()
        attachments.gainMap = .init(
            source: 1,
            size: mapSize,
            isGray: isGray,
            xmp: Data("<x/>".utf8)
        )
        let bytes = try file(output, attachments: attachments, map: map)
        #expect(try Self.decoding(bytes, output).difference(from: image) <= 5)
        let (size, pixels) = try bytes.withUnsafeBytes { whole in
            guard case .jpeg = output else {
                return try Decoding.gainMap(.auxiliary, in: whole)
            }
            // The second file begins behind the end of the first one.
            let end = try #require(Data(bytes).firstRange(of: Data([0xFF, 0xD9, 0xFF, 0xD8])))
            let second = UnsafeRawBufferPointer(rebasing: whole[(end.lowerBound + 2)...])
            return try Decoding.gainMap(.jpeg(second), in: whole)
        }
        #expect(size == mapSize)
        let sum = zip(pixels, map).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(
            pixels.count == map.count && Double(sum) / Double(map.count) < (isGray ? 5 : 12)
        )
    }

    @Test(arguments: outputs) func aFullSinkEndsTheFile(_ output: PictureRendering.Output) {
        #expect(throws: DecodeFailure.self) { try file(output, limit: 20) }
    }

    @Test func pixelsAreNoFile() {
        #expect(throws: DecodeFailure.self) {
            try file(.pixels(.rgba, .init(alpha: .straight)))
        }
    }

    // MARK: - Sources

    /// Files of each format are sources, as they are stored.
    @Test func filesAreSources() throws {
        let photo = SamplePhoto(Picture(.lake, seed: 4), size: Self.size, quality: 95)
        let files: [(Data, (UnsafeRawBufferPointer) -> PictureDecoder.Input, Double)] = [
            (try SampleFile.jpeg(photo), { .plain(.jpeg, $0, .up) }, 5),
            (SampleFile.png(photo), { .plain(.png, $0, .up) }, 4),
            (HEIFWriter(.init(image)).data, { .heif($0) }, 0),
            (
                HEIFWriter(.init(image.stored(.right), [.rotation(3)])).data, { .heif($0) }, 0
            ),
        ]
        for (data, input, tolerance) in files {
            let found = try render(
                { .file(input($0)) },
                Array(data),
                .file(Self.size),
                output: .png
            )
            #expect(try Self.decoding(found, .png).difference(from: image) <= tolerance)
        }
        let raw = SampleFile.dng(SamplePhoto(Picture(.lake, seed: 4), size: Self.size))
        let developed = try render({ .file(.raw($0)) }, Array(raw), .file(Self.size), output: .png)
        #expect(try Self.decoding(developed, .png).difference(from: image) < 30)
    }

    /// Colors of a source's own profile are converted.
    @Test func profilesOfSourcesCount() throws {
        // A strong color of Display P3 is another one in sRGB (CSS Color 4).
        let bytes = Array([[UInt8]](repeating: [100, 150, 200], count: 64).joined())
        let size = PixelSize(width: 8, height: 8)
        let png = try bytes.withUnsafeBytes { rows in
            try PictureEncoder.encode(
                rows,
                size: size,
                bytesPerPixel: 3,
                hasAlpha: false,
                orientation: .up,
                quality: 0,
                isDisplayP3: true
            ) { Array($0) }
        }
        let file = try render(
            { .file(.plain(.png, $0, .up)) },
            png,
            .file(size),
            output: .png
        )
        let found = try Self.decoding(file, .png).bytes.prefix(3).map { Int($0) }
        #expect(zip(found, [83, 151, 204]).allSatisfy { abs($0 - $1) <= 2 }, "\(found)")
        let same = try render(
            { .file(.plain(.png, $0, .up)) },
            png,
            .file(size),
            output: .png,
            colors: .displayP3
        )
        // Decoded with its profile, it is the same color.
        let wide = try same.withUnsafeBytes {
            try Decoding(.plain(.png, $0, .up), isDisplayP3: true).bytes.prefix(3).map { Int($0) }
        }
        #expect(zip(wide, [100, 150, 200]).allSatisfy { abs($0 - $1) <= 1 }, "\(wide)")
    }

    /// A profile of tables, as printers have, is converted as a whole.
    @Test(.needsProgram("vips")) func printedColorsAreConverted() throws {
        let head = Data("P6 \(Self.size.width) \(Self.size.height) 255\n".utf8)
        let source = try folder.write(head + Data(image.bytes), to: "source.ppm")
        let target = folder.file("print.jpg")
        let output = try ProcessRunner.run(
            "vips",
            ["icc_export", source.path, target.path + "[Q=95]", "--output-profile", "cmyk"]
        )
        try #require(output.status == 0, "\(output.errorText)")
        let file = try render(
            { .file(.plain(.jpeg, $0, .up)) },
            Array(Data(contentsOf: target)),
            .file(Self.size),
            output: .png
        )
        #expect(try Self.decoding(file, .png).difference(from: image) < 20)
    }

    /// Headers of some formats are not exact to the pixel; the last column is then repeated.
    @Test func aSourceHasTheStatedSize() throws {
        let wider = PixelSize(width: Self.size.width + 1, height: Self.size.height)
        let file = try render(
            { .file(.heif($0)) },
            Array(HEIFWriter(.init(image)).data),
            .file(wider),
            output: .png
        )
        let found = try Self.decoding(file, .png)
        #expect(found.picture.size == wider)
        let row = Array(found.bytes.prefix(wider.width * 3))
        #expect(
            Array(row.prefix(Self.size.width * 3)) == Array(image.bytes.prefix(Self.size.width * 3))
        )
        #expect(row.suffix(3) == row.dropLast(3).suffix(3))
    }

    @Test(.needsProgram("cjxl")) func jpegXLIsASource() throws {
        let head = Data("P6 \(Self.size.width) \(Self.size.height) 255\n".utf8)
        let source = try folder.write(head + Data(image.bytes), to: "source.ppm")
        let target = folder.file("source.jxl")
        let output = try ProcessRunner.run(
            "cjxl",
            ["--quiet", "-d", "0", source.path, target.path]
        )
        try #require(output.status == 0, "\(output.errorText)")
        let file = try render(
            { .file(.jpegXL($0)) },
            Array(Data(contentsOf: target)),
            .file(Self.size),
            output: .png
        )
        #expect(try Self.decoding(file, .png).difference(from: image) == 0)
    }

    @Test func aDocumentIsASource() throws {
        let url = try folder.write(PhotoshopWriter(image).data, to: "a.psd")
        let handle = try FileHandle(forReadingFrom: url)
        let still = StillFrame(
            descriptor: handle.fileDescriptor,
            container: "psd_pipe",
            hasAlpha: false
        )
        let file = try render({ _ in .file(.still(still)) }, [0], .file(Self.size), output: .png)
        #expect(try Self.decoding(file, .png).difference(from: image) == 0)
    }

    /// A turned HEIF is shown upright, as the attached orientation says.
    @Test func theOrientationOfHEIFIsWritten() throws {
        for orientation in Orientation.allCases {
            var attachments = PictureAttachments()
            attachments.orientation = orientation
            let stored = image.stored(orientation)
            let description = PixelBufferDescription(size: stored.size)
            let file = try render(
                { .pixels($0, description, .init(alpha: .ignored)) },
                stored.bytes,
                .pixels(description, .init(alpha: .ignored)),
                output: .heif(quality: 95),
                attachments: attachments
            )
            let found = try Self.decoding(file, .heif(quality: 95))
            #expect(found.picture.size == Self.size, "\(orientation)")
            #expect(found.difference(from: image) <= 5, "\(orientation)")
        }
    }

    @Test func aFrameIsASource() throws {
        let movie = SampleMovie(Picture(.lake, seed: 4), size: Self.size, duration: 0.5)
        let url = try folder.write(SampleFile.quickTime(movie), to: "a.mov")
        let handle = try FileHandle(forReadingFrom: url)
        let frame = PictureDecoder.Input.frame(
            descriptor: handle.fileDescriptor,
            container: "mov"
        )
        let found = try render({ _ in .file(frame) }, [0], .file(Self.size), output: .png)
        #expect(try Self.decoding(found, .png).difference(from: image) < 8)
    }

    @Test func damagedSourcesAreSaid() throws {
        for input in [
            { PictureDecoder.Input.plain(.jpeg, $0, .up) }, { .heif($0) }, { .jpegXL($0) },
            { .raw($0) },
        ] as [(UnsafeRawBufferPointer) -> PictureDecoder.Input] {
            #expect(throws: DecodeFailure.self) {
                try render(
                    { .file(input($0)) },
                    Array("no picture".utf8),
                    .file(Self.size),
                    output: .png
                )
            }
        }
    }

    /// A picture with more pixels than allowed is not decoded.
    @Test func largeSourcesAreRefused() throws {
        let bytes = [UInt8](repeating: 99, count: 1_100 * 1_000 * 3)
        let data = try RGBImage(size: PixelSize(width: 1_100, height: 1_000), bytes: bytes).jpeg()
        let error = #expect(throws: DecodeFailure.self) {
            try render(
                { .file(.plain(.jpeg, $0, .up)) },
                Array(data),
                .file(PixelSize(width: 1_100, height: 1_000)),
                output: .png
            )
        }
        guard case .tooLarge(let size) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(size == PixelSize(width: 1_100, height: 1_000))
    }
}
