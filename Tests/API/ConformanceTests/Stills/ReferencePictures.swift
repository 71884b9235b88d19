import Foundation
import TestSupport

/// The results of other programs for one file: whole, upright, in sRGB, and parts and sizes of
/// that.
///
/// It belongs to one thread; its files are removed with it.
final class ReferencePictures {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let sample: StillSample
    private let folder: TemporaryFolder
    private var number = 0

    /// The whole picture in each way to create it; for a RAW file, developed and as its embedded
    /// preview.
    private(set) var masters: [VipsImage] = []
    /// The size of the first one, which is the reference.
    var area: Area { masters.first.map { Area(width: $0.width, height: $0.height) } ?? .zero }

    init(_ sample: StillSample) throws {
        self.sample = sample
        folder = try TemporaryFolder("photos-reference")
        let files =
            switch sample.judge {
            case .vips: [try turned(try plain(sample.file), sample.orientation)]
            case .heif: [try plain(try decodedHEIF())]
            case .jpegXL: [try plain(try decoded("djxl"))]
            case .ffmpeg: [try plain(try firstFrame())]
            case .raw: try developed() + previews()
            }
        masters = try files.map { try VipsImage(contentsOf: $0) }
    }

    /// Returns a result's picture, without the area beside it, from each master.
    func pictures(_ geometry: Geometry) -> [VipsImage] {
        masters.map { master in
            let whole = Area(width: master.width, height: master.height)
            let part = Self.moved(geometry.part, from: area, to: whole)
            let cut =
                part.area == whole
                ? master
                : master.part(
                    x: part.x,
                    y: part.y,
                    width: part.area.width,
                    height: part.area.height
                )
            return cut.scaled(width: geometry.inner.width, height: geometry.inner.height)
        }
    }

    /// Returns a rectangle of the first master in one of another size.
    private static func moved(_ place: Place, from whole: Area, to copy: Area) -> Place {
        guard whole != copy else { return place }
        func scaled(_ number: Int, _ one: Int, _ other: Int) -> Int {
            Int((Double(number) * Double(other) / Double(max(1, one))).rounded())
        }
        let x = min(scaled(place.x, whole.width, copy.width), copy.width - 1)
        let y = min(scaled(place.y, whole.height, copy.height), copy.height - 1)
        let width = scaled(place.area.width, whole.width, copy.width)
        let height = scaled(place.area.height, whole.height, copy.height)
        return Place(
            x: x,
            y: y,
            area: Area(
                width: min(max(1, width), copy.width - x),
                height: min(max(1, height), copy.height - y)
            )
        )
    }

    // MARK: - Decoding

    /// Converts any format that libvips reads to 8 bits and sRGB, oriented as stored.
    private func plain(_ file: URL) throws -> URL {
        let output = next("v")
        let profile = try ProcessRunner.run("vipsheader", ["-f", "icc-profile-data", file.path])
        if profile.status == 0 {
            let converted = try ProcessRunner.run(
                "vips",
                [
                    "icc_transform", file.path, output.path, "srgb", "--embedded", "--intent",
                    "perceptual", "--depth", "8",
                ]
            )
            if converted.status == 0 { return output }
        }
        // Colors without a profile are treated as sRGB, as usual.
        try run("vips", ["colourspace", file.path, output.path, "srgb"])
        return output
    }

    /// Rotates a picture upright by its EXIF orientation.
    private func turned(_ file: URL, _ orientation: Int) throws -> URL {
        let angles = [3: "d180", 4: "d180", 5: "d90", 6: "d90", 7: "d270", 8: "d270"]
        var result = file
        if let angle = angles[orientation] {
            let output = next("v")
            try run("vips", ["rot", result.path, output.path, angle])
            result = output
        }
        if [2, 4, 5, 7].contains(orientation) {
            let output = next("v")
            try run("vips", ["flip", result.path, output.path, "horizontal"])
            result = output
        }
        return result
    }

    private func decodedHEIF() throws -> URL {
        let name = next("png")
        try run("heif-dec", ["--png-compression-level", "1", sample.file.path, name.path])
        // The first of several pictures is the primary one.
        let several = URL(fileURLWithPath: name.deletingPathExtension().path + "-1.png")
        for file in [name, several] where Self.hasBytes(file) { return file }
        // libpng rejects some profiles called sRGB; TIFF is written without any.
        let plain = next("tif")
        try run("heif-dec", [sample.file.path, plain.path])
        return plain
    }

    private static func hasBytes(_ file: URL) -> Bool {
        let values = try? file.resourceValues(forKeys: [.fileSizeKey])
        return (values?.fileSize ?? 0) > 0
    }

    private func decoded(_ program: String) throws -> URL {
        let output = next("png")
        try run(program, [sample.file.path, output.path])
        return output
    }

    private func firstFrame() throws -> URL {
        let output = next("ppm")
        try run(
            "ffmpeg",
            [
                "-v", "error", "-i", sample.file.path, "-frames:v", "1", "-pix_fmt", "rgb24", "-y",
                output.path,
            ]
        )
        return output
    }

    /// Develops a RAW file in full and at half the size, as is faster for thumbnails.
    private func developed() throws -> [URL] {
        try [["-w"], ["-w", "-h"]].map { options in
            let copy = next(sample.file.pathExtension)
            try FileManager.default.copyItem(at: sample.file, to: copy)
            try run("dcraw_emu", options + [copy.path])
            return try plain(copy.appendingPathExtension("ppm"))
        }
    }

    private func previews() throws -> [URL] {
        var found: [URL] = []
        for tag in ["-JpgFromRaw", "-PreviewImage"] {
            let output = try ProcessRunner.run("exiftool", ["-b", tag, sample.file.path])
            guard output.standardOutput.starts(with: [0xff, 0xd8]) else { continue }
            let file = next("jpg")
            try output.standardOutput.write(to: file)
            found.append(try turned(try plain(file), sample.orientation))
        }
        return found
    }

    // MARK: - Files and tools

    private func next(_ pathExtension: String) -> URL {
        number += 1
        return folder.file("\(number).\(pathExtension)")
    }

    private func run(_ program: String, _ arguments: [String]) throws {
        let output = try ProcessRunner.run(program, arguments)
        guard output.status == 0 else {
            let words = output.errorText.split(separator: "\n").last.map(String.init) ?? ""
            throw Failure(description: "\(program) \(arguments[0]): \(words)")
        }
    }
}
