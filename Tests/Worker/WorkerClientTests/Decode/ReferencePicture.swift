import Foundation
import PhotoModel
import TestSupport
import WorkerClient

/// The pixels that another program made from a file: rows of red, green and blue.
struct ReferencePicture {
    let size: PixelSize
    let bytes: [UInt8]

    /// Reads a binary portable pixmap of 8 bits.
    init(pixmap file: URL) throws {
        let data = [UInt8](try Data(contentsOf: file))
        var fields: [Int] = []
        var at = 2
        while fields.count < 3, at < data.count {
            if data[at] == UInt8(ascii: "#") {
                while at < data.count, data[at] != 0x0a { at += 1 }
            }
            var digits = ""
            while at < data.count, (0x30...0x39).contains(data[at]) {
                digits.append(Character(UnicodeScalar(data[at])))
                at += 1
            }
            if let number = Int(digits) { fields.append(number) }
            at += 1
        }
        guard data.starts(with: [0x50, 0x36]), fields.count == 3, fields[2] == 255 else {
            throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: file.path])
        }
        size = PixelSize(width: fields[0], height: fields[1])
        bytes = Array(data[at...].prefix(size.width * size.height * 3))
        guard bytes.count == size.width * size.height * 3 else {
            throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: file.path])
        }
    }

    /// Reads a file in libvips' own format and composites it over white; nil for pixels that are
    /// not of 8 bits.
    private init?(flattening file: URL) throws {
        let data = [UInt8](try Data(contentsOf: file))
        func number(_ offset: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(data[offset + $1]) << ($1 * 8) }
        }
        let headerLength = 64
        // Unsigned bytes; sRGB, or gray.
        guard data.count > headerLength, number(20) == 0, [22, 1].contains(number(28)) else {
            return nil
        }
        let size = PixelSize(width: number(4), height: number(8))
        let bands = number(12)
        guard (1...4).contains(bands), data.count >= headerLength + size.width * size.height * bands
        else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size.width * size.height * 3)
        for pixel in 0..<size.width * size.height {
            let at = headerLength + pixel * bands
            let alpha = bands.isMultiple(of: 2) ? Int(data[at + bands - 1]) : 255
            for channel in 0..<3 {
                let color = Int(data[at + (bands < 3 ? 0 : channel)])
                bytes.append(UInt8((color * alpha + 255 * (255 - alpha) + 127) / 255))
            }
        }
        self.size = size
        self.bytes = bytes
    }

    /// Returns the result of libvips' own thumbnailer for a file: upright, sRGB, over white, forced
    /// to a size.
    ///
    /// A picture without a profile is not converted, since that would change colors that are sRGB.
    static func vips(
        _ file: URL,
        size: PixelSize,
        in folder: TemporaryFolder
    ) throws -> ReferencePicture {
        let name = UUID().uuidString
        let thumbnail = folder.file("\(name).v")
        var source = file
        if ["jpg", "jpeg"].contains(file.pathExtension.lowercased()) {
            // Of a JPEG, the thumbnailer would cut off up to seven rows and columns.
            source = folder.file("\(name)-whole.v")
            try run("vips", ["copy", file.path, source.path])
        }
        var arguments = [
            "thumbnail", source.path, thumbnail.path, "\(size.width)", "--height",
            "\(size.height)", "--size", "force",
        ]
        let profile = try ProcessRunner.run(
            "vipsheader",
            ["-f", "icc-profile-data", file.path]
        )
        if profile.status == 0 {
            arguments += ["--export-profile", "srgb", "--intent", "perceptual"]
        }
        try run("vips", arguments)
        if let picture = try ReferencePicture(flattening: thumbnail) { return picture }
        return try flat(thumbnail, in: folder)
    }

    /// Returns a picture of any format that libvips reads, over white, otherwise unchanged.
    static func flat(_ file: URL, in folder: TemporaryFolder) throws -> ReferencePicture {
        let name = UUID().uuidString
        let header = try ProcessRunner.run("vipsheader", ["-f", "bands", file.path])
        let bands = Int(header.text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 3
        var source = file
        if bands == 2 || bands == 4 {
            source = folder.file("\(name)-flat.png")
            try run("vips", ["flatten", file.path, source.path, "--background", "255"])
        }
        let pixmap = folder.file("\(name).ppm")
        try run("vips", ["colourspace", source.path, pixmap.path, "srgb"])
        return try ReferencePicture(pixmap: pixmap)
    }

    private static func run(_ program: String, _ arguments: [String]) throws {
        let output = try ProcessRunner.run(program, arguments)
        guard output.status == 0 else {
            throw CocoaError(
                .fileReadUnknown,
                userInfo: [NSLocalizedDescriptionKey: output.errorText]
            )
        }
    }

    /// Returns the difference of two pictures of one size: the mean over all samples, of 255.
    func difference(from pixels: PixelMemory) -> Double {
        let mine = pixels.withBytes { Array($0) }
        let step = pixels.description.layout.bytesPerPixel
        guard pixels.description.size == size else { return .infinity }
        var sum = 0
        for pixel in 0..<size.width * size.height {
            for channel in 0..<3 {
                sum += abs(Int(mine[pixel * step + channel]) - Int(bytes[pixel * 3 + channel]))
            }
        }
        return Double(sum) / Double(max(1, bytes.count))
    }
}
