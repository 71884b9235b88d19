import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@Suite(.needsProgram("exiftool"), .needsProgram("vips"), .timeLimit(.minutes(2)))
struct SampleFileTests {
    private let folder: TemporaryFolder
    private var photo: SamplePhoto

    init() throws {
        folder = try TemporaryFolder()
        var metadata = SampleMetadata(
            date: SampleDate(text: "2024:02:29 23:59:58", subseconds: "042", offset: "-03:30"),
            location: Location(latitude: -33.856_784, longitude: 151.215_297, altitude: -2.5),
            make: "Apple",
            model: "iPhone 15 Pro",
            lens: "back camera",
            orientation: .right
        )
        metadata.gpsTime = "2024:03:01 03:29:58"
        metadata.customRendered = 3
        metadata.appleHDRImageType = 3
        metadata.burstIdentifier = "D4E4B3D1-1234-4123-8123-123456789ABC"
        metadata.contentIdentifier = "602FEBB7-1234-4123-8123-123456789ABC"
        metadata.title = "Fish & <chips>"
        metadata.caption = "By the sea"
        metadata.keywords = ["food", "sea"]
        metadata.rating = 4
        metadata.projection = "equirectangular"
        metadata.userComment = "Screenshot"
        photo = SamplePhoto(
            Picture(.hills, seed: 7),
            size: PixelSize(width: 96, height: 128),
            metadata: metadata
        )
    }

    @Test func jpegSaysWhatItWasTold() throws {
        let file = try folder.write(SampleFile.jpeg(photo), to: "a.jpg")
        let tags = try ExifTool.tags(of: file)
        #expect(tags["File:FileType"] == "JPEG")
        #expect(tags["File:ImageWidth"] == "128")
        #expect(tags["File:ImageHeight"] == "96")
        #expect(tags["EXIF:Orientation"] == "6")
        #expect(tags["EXIF:DateTimeOriginal"] == "2024:02:29 23:59:58")
        #expect(tags["EXIF:OffsetTimeOriginal"] == "-03:30")
        #expect(tags["EXIF:SubSecTimeOriginal"].flatMap(Int.init) == 42)
        #expect(tags["EXIF:GPSDateStamp"] == "2024:03:01")
        #expect(tags["EXIF:GPSTimeStamp"] == "03:29:58")
        let latitude = try #require(tags["Composite:GPSLatitude"].flatMap(Double.init))
        let longitude = try #require(tags["Composite:GPSLongitude"].flatMap(Double.init))
        #expect(abs(latitude + 33.856_784) < 1e-8)
        #expect(abs(longitude - 151.215_297) < 1e-8)
        #expect(tags["Composite:GPSAltitude"] == "-2.5")
        #expect(tags["EXIF:CustomRendered"] == "3")
        #expect(tags["EXIF:UserComment"] == "Screenshot")
        #expect(tags["EXIF:LensModel"] == "back camera")
        #expect(tags["MakerNotes:HDRImageType"] == "3")
        #expect(tags["MakerNotes:BurstUUID"] == photo.metadata.burstIdentifier)
        // Older versions of exiftool use another name for it.
        let content = tags["MakerNotes:ContentIdentifier"] ?? tags["MakerNotes:MediaGroupUUID"]
        #expect(content == photo.metadata.contentIdentifier)
        #expect(tags["XMP:Title"] == "Fish & <chips>")
        #expect(tags["XMP:Description"] == "By the sea")
        #expect(tags["XMP:Rating"] == "4")
        #expect(tags["XMP:ProjectionType"] == "equirectangular")
        #expect(tags["EXIF:ThumbnailLength"].flatMap(Int.init) ?? 0 > 500)
        #expect(try ExifTool.complaints(about: file).isEmpty)
    }

    @Test func jpegWithoutMetadataSaysNothing() throws {
        var photo = photo
        photo.metadata = SampleMetadata()
        let file = try folder.write(SampleFile.jpeg(photo), to: "a.jpg")
        let tags = try ExifTool.tags(of: file)
        for name in ["EXIF:Orientation", "EXIF:DateTimeOriginal", "EXIF:GPSLatitude", "XMP:Title"] {
            #expect(tags[name] == nil, "\(name)")
        }
    }

    @Test func metadataThatDoNotFitAreAnError() {
        var photo = photo
        photo.metadata.caption = String(repeating: "long ", count: 20_000)
        #expect(throws: SampleError.self) { try SampleFile.jpeg(photo) }
    }

    @Test func thumbnailIsAPictureOfTheSame() throws {
        let file = try folder.write(SampleFile.jpeg(photo), to: "a.jpg")
        let thumbnail = try ProcessRunner.run("exiftool", ["-b", "-ThumbnailImage", file.path])
        let small = try folder.write(thumbnail.standardOutput, to: "t.jpg")
        #expect(try averages(of: small, like: file) < 8)
    }

    @Test func pngKeepsEveryPixel() throws {
        let file = try folder.write(SampleFile.png(photo), to: "a.png")
        let raw = folder.file("a.raw")
        let status = try ProcessRunner.run("vips", ["rawsave", file.path, raw.path]).status
        #expect(status == 0)
        let image = photo.picture.drawn(size: photo.size, grain: 0)
        #expect(try Data(contentsOf: raw) == Data(image.bytes))
        let tags = try ExifTool.tags(of: file)
        #expect(tags["EXIF:UserComment"] == "Screenshot")
        #expect(tags["XMP:Title"] == "Fish & <chips>")
        #expect(try ExifTool.complaints(about: file).isEmpty)
    }

    @Test func gifMovesAndRepeats() throws {
        let size = PixelSize(width: 120, height: 90)
        let data = SampleFile.gif(Picture(.sea, seed: 5), size: size, frames: 6)
        let file = try folder.write(data, to: "a.gif")
        let tags = try ExifTool.tags(of: file)
        #expect(tags["GIF:FrameCount"] == "6")
        #expect(
            tags["GIF:AnimationIterations"] == "0" || tags["GIF:AnimationIterations"] == "Infinite"
        )
        let first = folder.file("0.jpg")
        let last = folder.file("5.jpg")
        for (page, out) in [(0, first), (5, last)] {
            let output = try ProcessRunner.run(
                "vips",
                ["copy", "\(file.path)[page=\(page)]", out.path]
            )
            #expect(output.status == 0, "\(output.errorText)")
        }
        #expect(try Data(contentsOf: first) != Data(contentsOf: last))
        let drawn = Picture(.sea, seed: 5).drawn(size: size, grain: 0)
        let wanted = try folder.write(drawn.jpeg(quality: 95), to: "wanted.jpg")
        #expect(try averages(of: first, like: wanted) < 6)
    }

    @Test(.needsProgram("dcraw_emu")) func rawIsDevelopedByLibRaw() throws {
        var photo = photo
        photo.metadata.orientation = .up
        photo.size = PixelSize(width: 160, height: 120)
        let file = try folder.write(SampleFile.dng(photo), to: "a.dng")
        #expect(try ExifTool.complaints(about: file).isEmpty)
        #expect(try ExifTool.tags(of: file)["File:FileType"] == "DNG")
        let output = try ProcessRunner.run("dcraw_emu", ["-T", "-w", file.path])
        #expect(output.status == 0, "\(output.errorText)")
        let developed = folder.file("a.dng.tiff")
        let wanted = try folder.write(SampleFile.jpeg(photo), to: "a.jpg")
        #expect(try averages(of: developed, like: wanted) < 40)
    }

    @Test func sidecarsAreWhatTheyClaim() throws {
        let envelope = try PropertyListSerialization.propertyList(
            from: SampleFile.aae(formatIdentifier: "org.example", recipe: Data([1, 2])),
            format: nil
        )
        let values = try #require(envelope as? [String: Any])
        #expect(values["adjustmentFormatIdentifier"] as? String == "org.example")
        #expect(values["adjustmentData"] as? Data == Data([1, 2]))
        let file = try folder.write(SampleFile.xmp(photo.metadata), to: "a.xmp")
        #expect(try ExifTool.tags(of: file)["XMP:Description"] == "By the sea")
    }

    /// Returns the mean difference of two pictures, both reduced to a width of 24 pixels.
    private func averages(of file: URL, like other: URL) throws -> Double {
        let small = try [file, other].enumerated().map { index, picture in
            let out = folder.file("small\(index).ppm")
            let arguments = [
                "thumbnail", picture.path, out.path, "24", "--height", "24", "--size", "force",
                "--no-rotate",
            ]
            let output = try ProcessRunner.run("vips", arguments)
            #expect(output.status == 0, "\(output.errorText)")
            return try Data(contentsOf: out).suffix(24 * 24 * 3)
        }
        let differences = zip(small[0], small[1]).map { abs(Int($0) - Int($1)) }
        return Double(differences.reduce(0, +)) / Double(max(differences.count, 1))
    }
}
