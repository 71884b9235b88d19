import Foundation
import TestSupport

/// A picture to request: a camera file, or a file made from one for a case that the camera files
/// lack.
struct StillSample: Sendable {
    /// The name, such as `orientation/letter-f-1.jpg` or `made/letter-f-1.png`.
    var name: String
    var file: URL
    /// The tool that creates the reference.
    var judge: Judge
    /// The orientation that the file declares, as exiftool reads it.
    var orientation: Int
    /// The upright picture's size as independent tools report it; nil if none does.
    var area: Area?

    /// The tools, by the files that they are used for.
    enum Judge: String, Sendable {
        /// `vips`, rotated as exiftool reports.
        case vips
        case heif = "heif-dec"
        case jpegXL = "djxl"
        case raw = "dcraw_emu"
        case ffmpeg
    }

    /// The folders of files that not every program can decode.
    private static let left = ["malformed"]

    /// Returns every picture and movie of the camera files that independent tools decode.
    static func all() throws -> [StillSample] {
        try SharedData.rows(of: "expected.tsv").compactMap { row in
            guard let name = row["file"], let judge = judge(row),
                !left.contains(where: { name.hasPrefix($0 + "/") }),
                // The other half of a RAW and JPEG pair: one of them is enough, and both would be a
                // single asset.
                !(name.hasPrefix("raw/") && judge == .vips),
                // A Live Photo's movie belongs to its still.
                !(name.hasPrefix("live-photo/") && judge == .ffmpeg)
            else { return nil }
            let width = row["display_width"].flatMap { Int($0) }
            let height = row["display_height"].flatMap { Int($0) }
            var area: Area?
            if let width, let height { area = Area(width: width, height: height) }
            let orientation = row["orientation"].flatMap { Int($0) } ?? 1
            return StillSample(
                name: name,
                file: SharedData.file(name),
                judge: judge,
                orientation: (1...8).contains(orientation) ? orientation : 1,
                area: area
            )
        }
    }

    /// Returns a few small files of each format, and every orientation.
    static func thrifty() throws -> [StillSample] {
        let folders = ["formats/", "orientation/", "raw/", "animated/"]
        let movies = ["video/rotation-90.mov", "video/rotation-270.mov", "video/sample.3gp"]
        return try all().filter { sample in
            guard let area = sample.area, area.width * area.height < 4_500_000 else { return false }
            if sample.judge == .ffmpeg { return movies.contains(sample.name) }
            return folders.contains { sample.name.hasPrefix($0) }
        }
    }

    private static func judge(_ row: [String: String]) -> Judge? {
        guard let decodes = row["decodes"], decodes.hasPrefix("yes") else { return nil }
        switch decodes {
        case "yes (libvips)": return .vips
        case "yes (libheif)", "yes (libavif)": return .heif
        case "yes (libjxl)": return .jpegXL
        case "yes (libraw)": return .raw
        case "yes (ffmpeg)": return .ffmpeg
        default: return nil
        }
    }

    // MARK: - Derived pictures

    /// Returns the orientations that the camera files lack in a format.
    ///
    /// These are 1 to 8 for PNG by its EXIF, JPEG XL by its codestream and DNG by its tag, and the
    /// four rotations for HEIC and AVIF by their boxes.
    static func made(in folder: TemporaryFolder, thrifty: Bool) throws -> [StillSample] {
        _ = try folder.folder("made")
        let plain = SharedData.file("orientation/letter-f-1.jpg")
        var samples: [StillSample] = []
        for orientation in 1...8 {
            let png = folder.file("made/letter-f-\(orientation).png")
            try run("vips", ["copy", plain.path, png.path + "[strip]"])
            let number = "-Orientation#=\(orientation)"
            try run("exiftool", ["-q", "-overwrite_original", number, png.path])
            samples.append(
                StillSample(
                    name: "made/letter-f-\(orientation).png",
                    file: png,
                    judge: .vips,
                    orientation: orientation
                )
            )
            let jxl = folder.file("made/letter-f-\(orientation).jxl")
            let jpeg = SharedData.file("orientation/letter-f-\(orientation).jpg")
            if ProcessRunner.path(of: "cjxl") != nil {
                try run("cjxl", [jpeg.path, jxl.path])
                samples.append(
                    StillSample(
                        name: "made/letter-f-\(orientation).jxl",
                        file: jxl,
                        judge: .jpegXL,
                        orientation: 1
                    )
                )
            }
            guard !thrifty || orientation == 6 else { continue }
            let dng = folder.file("made/pixel7-\(orientation).dng")
            try FileManager.default.copyItem(at: SharedData.file("raw/pixel7.dng"), to: dng)
            try run("exiftool", ["-q", "-m", "-overwrite_original", number, dng.path])
            samples.append(
                StillSample(
                    name: "made/pixel7-\(orientation).dng",
                    file: dng,
                    judge: .raw,
                    orientation: orientation
                )
            )
        }
        return samples + (try turned(in: folder))
    }

    /// Writes HEIC and AVIF files with each of the four rotations in their `irot` box.
    private static func turned(in folder: TemporaryFolder) throws -> [StillSample] {
        var samples: [StillSample] = []
        for name in ["live-photo/IMG_7943.HEIC", "orientation/abc_color_irot_alpha_irot.avif"] {
            var bytes = [UInt8](try Data(contentsOf: SharedData.file(name)))
            let box = Array("irot".utf8)
            let places = bytes.indices.dropLast(box.count).filter {
                bytes[$0..<$0 + box.count].elementsEqual(box)
            }
            guard !places.isEmpty else { continue }
            for turns in 0..<4 {
                for place in places { bytes[place + box.count] = UInt8(turns) }
                let url = URL(fileURLWithPath: name)
                let made = "made/turned-\(turns).\(url.pathExtension)"
                try folder.write(Data(bytes), to: made)
                samples.append(
                    StillSample(
                        name: made,
                        file: folder.file(made),
                        judge: .heif,
                        orientation: 1
                    )
                )
            }
        }
        return samples
    }

    private static func run(_ program: String, _ arguments: [String]) throws {
        let output = try ProcessRunner.run(program, arguments)
        guard output.status == 0 else {
            throw CocoaError(
                .fileWriteUnknown,
                userInfo: [NSLocalizedDescriptionKey: "\(program): \(output.errorText)"]
            )
        }
    }
}
