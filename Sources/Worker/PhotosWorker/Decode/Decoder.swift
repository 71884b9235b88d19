internal import Imaging
internal import Media
internal import PhotoModel
internal import WorkerProtocol

/// The handler of a request to decode a file.
struct Decoder {
    let request: DecodeRequest
    let limits: WorkerLimits
    let converter: ColorConverter

    func decode(_ descriptor: Int32, into sink: any RowSink) -> WorkerReply {
        guard let file = MappedFile.map(descriptor) else {
            return .failed(reason: "It is not a regular file, or it cannot be read.")
        }
        let format: MediaFormat
        let type: String
        switch Sniffer.kind(of: file.bytes) {
        case .unsupported(let reason): return .unsupported(reason: reason)
        case .medium(let found, let identifier): (format, type) = (found, identifier)
        }
        guard !format.isSidecar else {
            return .unsupported(reason: "It describes a photo and contains no image.")
        }
        do {
            if request.part == .gainMap {
                return try gainMap(file, format, type, into: sink)
            }
            var facts = MediaFacts(format: format, contentType: type)
            let picture = try picture(file, descriptor, sink, &facts)
            return .decoded(
                DecodedFacts(
                    format: format,
                    contentType: facts.contentType,
                    fullSize: picture.fullSize,
                    hasAlpha: picture.hasAlpha,
                    damage: picture.damage.map { "A part of the image is missing: \($0)." },
                    time: picture.time
                ),
                PixelBufferDescription(
                    size: picture.size,
                    layout: request.layout,
                    colors: request.colors
                )
            )
        } catch {
            return reply(for: error)
        }
    }

    private func reply(for failure: DecodeFailure) -> WorkerReply {
        switch failure {
        case .cancelled: .cancelled
        case .damaged(let reason): .failed(reason: "The image cannot be decoded: \(reason).")
        case .tooLarge(let size):
            .failed(
                reason: "The image (\(size.width)x\(size.height)) is over the limit of "
                    + "\(limits.maximumPixels / 1_000_000) megapixels and is not decoded."
            )
        }
    }

    private func picture(
        _ file: borrowing MappedFile,
        _ descriptor: Int32,
        _ sink: any RowSink,
        _ facts: inout MediaFacts
    ) throws(DecodeFailure) -> DecodedPicture {
        let isBright = request.layout == .rgbaHalf
        let pixelRequest = PixelRequest(
            shape: request.shape,
            keepsAlpha: request.layout == .rgba || isBright,
            isDisplayP3: request.colors == .displayP3,
            bytesPerPixel: isBright ? 4 : request.layout.bytesPerPixel,
            takesAnyPreview: request.takesAnyPreview,
            maximumPixels: limits.maximumPixels,
            bright: isBright ? bright(file, facts.format) : nil
        )
        let decoder = PictureDecoder(request: pixelRequest, converter: converter, sink: sink)
        let bytes = file.bytes.bytes
        switch facts.format {
        case .heic, .heif, .avif:
            do throws(DecodeFailure) {
                return try decoder.decode(.heif(bytes))
            } catch {
                // A sequence may have no still image; it is then read as a movie.
                guard case .damaged = error, HEIFContainer.read(file.bytes).isAnimated else {
                    throw error
                }
                let first = PictureDecoder.Input.frame(descriptor: descriptor, container: "mov")
                return try decoder.decode(first)
            }
        case .jpegXL: return try decoder.decode(.jpegXL(bytes))
        case .raw: return try decoder.decode(.raw(bytes))
        case _ where facts.format.isMovie:
            let container = MovieReader.demuxer(for: facts.format)
            if let moment = request.moment {
                return try decoder.decode(
                    .moment(
                        descriptor: descriptor,
                        container: container,
                        moment.time,
                        isTurned: moment.isTurned
                    )
                )
            }
            return try decoder.decode(.frame(descriptor: descriptor, container: container))
        default:
            let reader = StillReader(
                format: facts.format,
                bytes: file.bytes,
                size: file.size,
                maximumPixels: limits.maximumPixels
            )
            let orientation = try orientation(reader, &facts)
            if let frame = reader.frame(descriptor, orientation) {
                return try decoder.decode(.still(frame))
            }
            guard let plain = Self.plain(facts.format) else {
                throw .damaged("its format is not an image format")
            }
            return try decoder.decode(.plain(plain, bytes, orientation))
        }
    }

    /// Returns the parameters for decoding in HDR: the requested headroom and the file's gain map.
    private func bright(_ file: borrowing MappedFile, _ format: MediaFormat) -> HDRRequest {
        HDRRequest(headroom: request.headroom, gainMap: found(file, format))
    }

    /// Returns the parameters of the file's gain map and the source of its pixels.
    private func found(
        _ file: borrowing MappedFile,
        _ format: MediaFormat
    ) -> (map: GainMap, source: HDRRequest.MapSource)? {
        let found =
            switch format {
            case .jpeg: GainMapReader.jpeg(file.bytes)
            case .heic, .heif, .avif: GainMapReader.heif(file.bytes)
            default: nil as FoundGainMap?
            }
        guard let found else { return nil }
        let source: HDRRequest.MapSource
        switch found.place {
        case .jpeg(let view): source = .jpeg(view.bytes)
        case .item(let item): source = .item(UInt32(clamping: item))
        case .auxiliary: source = .auxiliary
        }
        return (found.map, source)
    }

    /// Decodes the file's gain map instead of its image.
    private func gainMap(
        _ file: borrowing MappedFile,
        _ format: MediaFormat,
        _ type: String,
        into sink: any RowSink
    ) throws(DecodeFailure) -> WorkerReply {
        guard let found = found(file, format), request.layout == .rgb else {
            return .unsupported(reason: "It has no supported gain map.")
        }
        let pixelRequest = PixelRequest(
            shape: PixelShape(),
            keepsAlpha: false,
            isDisplayP3: false,
            bytesPerPixel: 3,
            takesAnyPreview: false,
            maximumPixels: limits.maximumPixels
        )
        let decoder = PictureDecoder(request: pixelRequest, converter: converter, sink: sink)
        let size = try decoder.decodeGainMap(found.source, in: file.bytes.bytes)
        return .decoded(
            DecodedFacts(
                format: format,
                contentType: type,
                fullSize: size,
                hasAlpha: false,
                gainMap: found.map
            ),
            PixelBufferDescription(size: size, layout: .rgb, colors: request.colors)
        )
    }

    private static func plain(_ format: MediaFormat) -> PictureDecoder.PlainFormat? {
        switch format {
        case .jpeg: .jpeg
        case .png: .png
        case .webp: .webP
        case .tiff: .tiff
        case .gif: .gif
        case .jpeg2000: .jpeg2000
        default: nil
        }
    }

    /// Returns the file's orientation, determined in the same way as during an import.
    private func orientation(
        _ reader: StillReader,
        _ facts: inout MediaFacts
    ) throws(DecodeFailure) -> Orientation {
        switch reader.read(into: &facts) {
        case .damaged(let reason), .refused(let reason): throw .damaged(Self.clause(reason))
        case .read: return facts.orientation
        }
    }

    /// Converts a sentence to a clause that can be part of another sentence.
    private static func clause(_ sentence: String) -> String {
        let text = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
