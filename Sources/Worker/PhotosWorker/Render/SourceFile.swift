internal import Imaging
internal import Media
internal import PhotoModel
internal import WorkerProtocol

/// A source image of a recipe: a file or pixels, mapped into memory.
final class SourceFile {
    /// The reason why a source cannot be opened, as text for users.
    struct OpenError: Error {
        var reason: String
    }

    private let file: MappedFile
    private let descriptor: Int32
    private let source: PictureRendering.Source
    private let format: MediaFormat?

    private init(
        _ file: consuming MappedFile,
        _ descriptor: Int32,
        _ source: PictureRendering.Source,
        _ format: MediaFormat?
    ) {
        self.file = file
        self.descriptor = descriptor
        self.source = source
        self.format = format
    }

    /// Maps a source; the descriptor must stay open while the source is in use.
    static func open(
        _ descriptor: Int32,
        as source: PictureRendering.Source,
        maximumPixels: Int
    ) -> Result<SourceFile, OpenError> {
        func failure(_ reason: String) -> Result<SourceFile, OpenError> {
            .failure(OpenError(reason: reason))
        }
        guard let file = MappedFile.map(descriptor) else {
            return failure("It is not a regular file, or it cannot be read.")
        }
        switch source {
        case .pixels(let description, _):
            guard let length = description.length, file.bytes.bytes.count >= length else {
                return failure("The pixels do not match their declaration.")
            }
            return .success(SourceFile(file, descriptor, source, nil))
        case .file:
            switch Sniffer.kind(of: file.bytes) {
            case .unsupported(let reason): return failure(reason)
            case .medium(let format, _):
                guard !format.isSidecar, !format.isMovie else {
                    return failure("It is not a still image.")
                }
                return .success(SourceFile(file, descriptor, source, format))
            }
        }
    }

    var isFile: Bool { format != nil }

    /// Releases the pages of the file that were read, so that they do not occupy this process's
    /// memory; see `MappedFile`.
    func releasePages() { file.releasePages() }

    /// The input for the renderer.
    var input: RecipePicture.Input {
        let bytes = file.bytes.bytes
        if let format, let frame = frame(format) { return .file(.still(frame)) }
        guard let format else {
            guard case .pixels(let description, let components) = source else {
                return .file(.jpegXL(bytes))
            }
            return .pixels(bytes, description, components)
        }
        switch format {
        case .heic, .heif, .avif: return .file(.heif(bytes))
        case .jpegXL: return .file(.jpegXL(bytes))
        case .raw: return .file(.raw(bytes))
        case .jpeg: return .file(.plain(.jpeg, bytes, .up))
        case .png: return .file(.plain(.png, bytes, .up))
        case .webp: return .file(.plain(.webP, bytes, .up))
        case .tiff: return .file(.plain(.tiff, bytes, .up))
        case .gif: return .file(.plain(.gif, bytes, .up))
        case .jpeg2000: return .file(.plain(.jpeg2000, bytes, .up))
        default:
            let container = MovieReader.demuxer(for: format)
            return .file(.frame(descriptor: descriptor, container: container))
        }
    }

    private func frame(_ format: MediaFormat) -> StillFrame? {
        StillReader(format: format, bytes: file.bytes, size: file.size, maximumPixels: .max)
            .frame(descriptor, .up)
    }

    /// The file's EXIF data, for formats that store them in one block.
    var exif: ExifBlock? {
        let container: Container
        switch format {
        case .jpeg: container = JPEGContainer.read(file.bytes)
        case .png: container = PNGContainer.read(file.bytes)
        case .webp: container = WebPContainer.read(file.bytes)
        case .heic, .heif, .avif: container = HEIFContainer.read(file.bytes)
        default: return nil
        }
        if let bytes = container.unpackedExif { return ExifBlock(bytes) }
        return container.exif.flatMap { ExifBlock(Array($0.bytes)) }
    }
}
