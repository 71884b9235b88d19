import ArgumentParser
import Foundation
import Photos
import PhotosManagement
import PhotosJSON

/// Writes an image of an asset.
struct ImageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "image",
        abstract: "Write a picture of a photo or movie, in any size.",
        discussion: """
            The picture is upright and in sRGB; of a movie it is the first frame that shows something. \
            It is a JPEG or a PNG, as the file's name ends. A file that is there is replaced, once the \
            new one is whole. Pictures are never enlarged, unless --mode exact asks for it.

            Of a photo whose file is cut short or damaged, what there is of it is written, and the \
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
        help: "The file: .jpg, .jpeg or .png; '-' for standard output.",
        completion: .file(extensions: ["jpg", "jpeg", "png"])
    )
    var file: String

    @Option(help: ArgumentHelp("Pixels; all that there are without it.", valueName: "WxH"))
    var size: PictureSize?

    @Option(help: "How the picture goes into the size.")
    var mode = PictureMode.fit

    @Option(help: "Which of the asset's pictures.")
    var version = PictureVersion.current

    @Option(help: "Whether to wait for the best picture, or to take what is at hand.")
    var delivery = PictureDelivery.high

    @Option(
        help: ArgumentHelp(
            "A part of the upright picture, in fractions of its sides.",
            valueName: "x,y,w,h"
        )
    )
    var crop: PictureCrop?

    @Option(help: "Of a JPEG, from 1 to 100.")
    var quality: Int?

    @Option(help: "jpeg or png, where the file's name does not say it.")
    var format: PictureFormat?

    @Argument(help: ArgumentHelp("The asset's identifier, as list shows it.", valueName: "id"))
    var identifier: String

    func validate() throws {
        if file.isEmpty { throw ValidationError("-o needs the path of a file.") }
        if mode == .exact, size == nil { throw ValidationError("--mode exact needs a --size.") }
        if let quality, !(1...100).contains(quality) {
            throw ValidationError("--quality goes from 1 to 100.")
        }
        if quality != nil, try wantedFormat() == .png {
            throw ValidationError("--quality is for JPEG; a PNG holds every pixel.")
        }
        _ = try wantedFormat()
        if isForOutput, output.json {
            throw ValidationError("-o - and --json would mix a picture with text.")
        }
    }

    private var isForOutput: Bool { file == "-" }

    private func wantedFormat() throws -> PictureFormat {
        if let format { return format }
        if let format = PictureFormat(name: file) { return format }
        throw ValidationError(
            isForOutput
                ? "-o - needs --format jpeg or --format png."
                : "\(file) ends in neither .jpg, .jpeg nor .png: say --format jpeg or --format png."
        )
    }

    func run() throws {
        if isForOutput, StandardOutput.isTerminal {
            throw ValidationError("A picture is nothing for a terminal: name a file, or pipe it.")
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
                StandardError.shared.say("photos: Nothing better is at hand than this.")
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
