import ArgumentParser
import Foundation
import Photos
import PhotosManagement
import PhotosJSON

/// Writes an image of an asset.
struct ImageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "image",
        abstract: "Write an image of a photo or movie, in any size.",
        discussion: """
            The image is upright and in sRGB; for a movie, it is the first frame with visible \
            content. The file extension selects JPEG or PNG. An existing file is replaced once the \
            new one is complete. Images are never enlarged, except with --mode exact.

            If the file of a photo is truncated or damaged, the readable part is written, and the \
            reason goes to standard error.

            EXAMPLES
              photos image 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11 -o photo.png
              photos image 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11 -o a.jpg --size 256x256
              photos image 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11 -o - --format png | feh -
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: "The output file: .jpg, .jpeg or .png; - for standard output.",
        completion: .file(extensions: ["jpg", "jpeg", "png"])
    )
    var file: String

    @Option(help: ArgumentHelp("The size in pixels (default: full size).", valueName: "WxH"))
    var size: PictureSize?

    @Option(help: "How the image is scaled to --size.")
    var mode = PictureMode.fit

    @Option(help: "The version of the photo or movie.")
    var version = PictureVersion.current

    @Option(help: "Whether to wait for the best quality, or to take what is available.")
    var delivery = PictureDelivery.high

    @Option(
        help: ArgumentHelp(
            "A part of the upright image, in fractions of its width and height.",
            valueName: "x,y,w,h"
        )
    )
    var crop: PictureCrop?

    @Option(help: "The quality of a JPEG, from 1 to 100 (default: 90).")
    var quality: Int?

    @Option(help: "The file format, if the file extension does not select it.")
    var format: PictureFormat?

    @Argument(
        help: ArgumentHelp("The asset's identifier, as shown by photos list.", valueName: "id")
    )
    var identifier: String

    func validate() throws {
        if file.isEmpty { throw ValidationError("-o requires the path of a file.") }
        if mode == .exact, size == nil { throw ValidationError("--mode exact requires --size.") }
        if let quality, !(1...100).contains(quality) {
            throw ValidationError("--quality must be from 1 to 100.")
        }
        if quality != nil, try wantedFormat() == .png {
            throw ValidationError("--quality applies to JPEG only; PNG is lossless.")
        }
        _ = try wantedFormat()
        if isForOutput, output.json {
            throw ValidationError(
                "-o - cannot be combined with --json: both write to standard output."
            )
        }
    }

    private var isForOutput: Bool { file == "-" }

    private func wantedFormat() throws -> PictureFormat {
        if let format { return format }
        if let format = PictureFormat(name: file) { return format }
        throw ValidationError(
            isForOutput
                ? "-o - requires --format jpeg or --format png."
                : "\(file) does not end in .jpg, .jpeg or .png: give --format jpeg or --format png."
        )
    }

    func run() throws {
        if isForOutput, StandardOutput.isTerminal {
            throw ValidationError(
                "The image cannot be written to a terminal: give a file, or use a pipe."
            )
        }
        let library = try location.open()
        let asset = try AssetArguments.asset(identifier, in: library)
        let request = PictureRequest(
            size: size,
            mode: mode,
            version: version,
            delivery: delivery,
            crop: crop
        )
        let picture = try request.picture(of: asset)
        let format = try wantedFormat()
        let data = try format.encode(picture.image, quality: quality ?? 90)
        if isForOutput {
            try StandardOutput.shared.write(bytes: data)
            try StandardOutput.shared.flush()
        } else {
            let path = RawArguments.path(file).absolute()
            try OutputFile.write(data, to: path)
            try report(path, picture, format, data.count, of: asset)
        }
        if let damage = picture.damage, !output.json {
            StandardError.shared.say("photos: " + TerminalStyle.safe(damage))
        }
    }

    private func report(
        _ path: SourcePath,
        _ picture: PictureRequest.Picture,
        _ format: PictureFormat,
        _ length: Int,
        of asset: PHAsset
    ) throws {
        guard output.json else {
            try StandardOutput.shared.write(bytes: TerminalStyle.safe(path))
            try StandardOutput.shared.write("\n")
            if picture.isDegraded {
                StandardError.shared.say("photos: Only an image of lower quality is available.")
            }
            return
        }
        var object = JSONObject()
        object.add("localIdentifier", asset.localIdentifier)
        object.add("path", path.description)
        object.add("contentType", format.contentType)
        object.add("pixelWidth", picture.image.cgImage?.width)
        object.add("pixelHeight", picture.image.cgImage?.height)
        object.add("fileSize", length)
        object.add("isDegraded", picture.isDegraded)
        object.add("damage", picture.damage)
        try StandardOutput.shared.write(object.line + "\n")
    }
}
