internal import Glibc
internal import Imaging
internal import Media
internal import PhotoModel
internal import WorkerProtocol

/// The handler of a request to render a recipe with files and pixels that the host provides.
struct Renderer {
    /// The number of pixels to render for each thread after the first.
    private static let pixelsPerThread = 500_000
    private static let maximumThreads = 4

    let rendering: PictureRendering
    let limits: WorkerLimits
    let processors: Int

    func render(_ descriptors: [Int32], into writer: PixelWriter) -> WorkerReply {
        var files: [SourceFile] = []
        for (index, descriptor) in descriptors.enumerated() {
            let source = rendering.sources[index]
            switch SourceFile.open(descriptor, as: source, maximumPixels: limits.maximumPixels) {
            case .success(let file): files.append(file)
            case .failure(let refusal): return .failedSource(index, reason: refusal.reason)
            }
        }
        let pixels = Int(min(rendering.region.width * rendering.region.height, 1e12))
        guard pixels > 0, pixels <= limits.maximumPixels else {
            return .failed(reason: "The image has too many pixels to be drawn.")
        }
        let threads = min(processors, Self.maximumThreads, 1 + pixels / Self.pixelsPerThread)
        RecipeRenderer.setThreads(threads)
        defer { RecipeRenderer.setThreads(1) }
        let sink = AskingSink(writer, files)
        var reply = attempt(files, isTolerant: false, sink)
        // The available part of a truncated photo is better than none.
        if reply.isAboutShortFile {
            sink.restart()
            reply = attempt(files, isTolerant: true, sink)
        }
        return reply
    }

    private func attempt(
        _ files: [SourceFile],
        isTolerant: Bool,
        _ sink: any RowSink
    ) -> WorkerReply {
        let isRandom = RecipeRenderer.isRandom(rendering.recipe)
        var pictures: [RecipePicture] = []
        for (index, file) in files.enumerated() {
            // A file that is needed only for its metadata is not decoded.
            let isSeen =
                rendering.recipe.steps.contains { $0.operation == .source(index) }
                || rendering.attachments?.gainMap?.source == index
            do throws(DecodeFailure) {
                pictures.append(
                    try RecipePicture(
                        isSeen ? file.input : OnePixel.input,
                        size: isSeen ? rendering.sources[index].size : OnePixel.size,
                        isTolerant: isTolerant,
                        isRandom: isRandom,
                        maximumPixels: limits.maximumPixels,
                        sink: sink
                    )
                )
            } catch {
                return reply(for: error, source: index)
            }
        }
        do throws(DecodeFailure) {
            let renderer = try RecipeRenderer(rendering, pictures)
            let gainMap = rendering.attachments?.gainMap
            let map = gainMap.flatMap {
                pictures.indices.contains($0.source) ? pictures[$0.source] : nil
            }
            defer { withExtendedLifetime(pictures) {} }
            switch rendering.output {
            case .pixels(let layout, let components):
                let hasAlpha = try renderer.pixels(layout, components, into: sink)
                return .rendered(
                    PixelBufferDescription(
                        size: PixelSize(
                            width: Int(rendering.region.width),
                            height: Int(rendering.region.height)
                        ),
                        layout: layout,
                        colors: rendering.colors
                    ),
                    hasAlpha: hasAlpha
                )
            case .jpeg:
                guard max(rendering.region.width, rendering.region.height) <= 65_500 else {
                    return .failed(reason: "JPEG is limited to 65,500 pixels per side.")
                }
                return try file(renderer, files, map, sink)
            case .png, .heif, .tiff: return try file(renderer, files, map, sink)
            }
        } catch {
            // Pixels are decoded during rendering. With a single file, that file is at fault.
            let isSingle = rendering.sources.count == 1 && files[0].isFile
            return reply(for: error, source: isSingle ? 0 : nil)
        }
    }

    private func file(
        _ renderer: RecipeRenderer,
        _ files: [SourceFile],
        _ map: RecipePicture?,
        _ sink: any RowSink
    ) throws(DecodeFailure) -> WorkerReply {
        var exif: ExifBlock?
        if let index = rendering.metadata?.source, files.indices.contains(index) {
            exif = files[index].exif
        }
        return .encoded(length: try renderer.file(exif: exif, gainMap: map, into: sink))
    }

    private func reply(for failure: DecodeFailure, source: Int?) -> WorkerReply {
        let reason: String
        switch failure {
        case .cancelled: return .cancelled
        case .damaged(let clause): reason = "The image cannot be drawn: \(clause)."
        case .tooLarge(let size):
            reason =
                "The image (\(size.width)x\(size.height)) is over the limit of "
                + "\(limits.maximumPixels / 1_000_000) megapixels and is not decoded."
        }
        return source.map { .failedSource($0, reason: reason) } ?? .failed(reason: reason)
    }
}

extension WorkerReply {
    /// Indicates whether the failure was caused by a truncated JPEG file.
    fileprivate var isAboutShortFile: Bool {
        switch self {
        case .failed(let reason), .failedSource(_, let reason): reason.contains("remature end")
        default: false
        }
    }
}

/// A sink that checks for a message from the host each time `isCancelled` is read.
///
/// It also releases the pages of the sources from time to time. Most decoders read a file once, and
/// a large one would stay in memory until the end.
private final class AskingSink: RowSink {
    /// The number of cancellation checks between two releases of the source files' memory pages.
    private static let checksPerRelease = 16

    private let writer: PixelWriter
    private let files: [SourceFile]
    private var checks = 0

    init(_ writer: PixelWriter, _ files: [SourceFile]) {
        self.writer = writer
        self.files = files
    }

    func take(_ rows: UnsafeRawBufferPointer) -> Bool { writer.take(rows) }

    func restart() { writer.restart() }

    var isCancelled: Bool {
        writer.checkForCancellation()
        checks += 1
        if checks.isMultiple(of: Self.checksPerRelease) {
            for file in files { file.releasePages() }
        }
        return writer.isCancelled
    }
}

/// The placeholder for a source whose pixels the recipe does not use.
private enum OnePixel {
    static let size = PixelSize(width: 1, height: 1)

    static var input: RecipePicture.Input {
        .pixels(bytes, PixelBufferDescription(size: size), .init(alpha: .ignored))
    }

    /// The pixel, which is never changed after its initialization.
    nonisolated(unsafe) private static let bytes: UnsafeRawBufferPointer = {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 16)
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        return UnsafeRawBufferPointer(bytes)
    }()
}
