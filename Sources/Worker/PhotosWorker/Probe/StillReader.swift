internal import Imaging
internal import Media
internal import PhotoModel
internal import WorkerProtocol

/// A reader for the size, orientation, metadata and embedded previews of a still image.
struct StillReader {
    /// The embedded previews from which a first rendition can be made, and the image's color
    /// profile.
    struct Previews {
        var source: PreviewDecoder.Source?
        var profile: [UInt8]?
    }

    enum Outcome {
        case read(Previews)
        /// The library does not support the file; the text is for users.
        case refused(String)
        /// The file is damaged; the text is for users.
        case damaged(String)
    }

    let format: MediaFormat
    let bytes: ByteView
    let size: Int64
    let maximumPixels: Int
    /// Indicates whether the facts will include the file's metadata tags as written.
    var wantsTags = false

    func read(into facts: inout MediaFacts) -> Outcome {
        switch format {
        case .raw: readRAW(into: &facts)
        case .heic, .heif, .avif: readHEIF(into: &facts)
        case .jpegXL: readJPEGXL(into: &facts)
        default: readPlain(into: &facts)
        }
    }

    /// Marks the image as unreadable in `facts` if it exceeds the maximum number of pixels.
    func recordLimits(in facts: inout MediaFacts) {
        guard let size = facts.displaySize ?? facts.storedSize,
            !SizeCheck.isWithin(size, maximumPixels)
        else { return }
        facts.markUnreadable(
            "The image (\(size.width)x\(size.height)) is over the limit of "
                + "\(maximumPixels / 1_000_000) megapixels and is not decoded."
        )
    }

    // MARK: - Formats with simple headers

    private func readPlain(into facts: inout MediaFacts) -> Outcome {
        let container =
            switch format {
            case .jpeg: JPEGContainer.read(bytes)
            case .png: PNGContainer.read(bytes)
            case .webp: WebPContainer.read(bytes)
            case .gif: GIFContainer.read(bytes)
            case .bmp: BMPContainer.read(bytes)
            case .psd: PhotoshopContainer.read(bytes)
            case .jpeg2000: JPEG2000Container.read(bytes)
            default: TIFFContainer.read(bytes)
            }
        if let refusal = container.refusal { return .refused(refusal) }
        if let damage = container.damage ?? SizeCheck.damage(container.size, maximumPixels) {
            return .damaged(damage)
        }
        var metadata = RawMetadata()
        if format == .tiff {
            metadata.readFile(bytes)
        } else {
            read(container, into: &metadata)
        }
        let reader = describe(container, metadata, into: &facts)
        facts.orientation = container.orientation ?? reader.orientation ?? .up
        facts.displaySize = container.size?.displayed(with: facts.orientation)
        var previews = Previews(profile: container.profile)
        var candidates = container.previews.map(\.bytes)
        if let block = container.exif, let thumbnail = Thumbnail.jpeg(in: block) {
            candidates.append(thumbnail.bytes)
        }
        if !candidates.isEmpty { previews.source = .jpegs(candidates) }
        return .read(previews)
    }

    /// Returns the input for FFmpeg's decoder; nil for a file that another library decodes.
    func frame(_ descriptor: Int32, _ orientation: Orientation) -> StillFrame? {
        let container: Container
        switch format {
        case .bmp: container = BMPContainer.read(bytes)
        case .psd: container = PhotoshopContainer.read(bytes)
        case .tiff:
            container = TIFFContainer.read(bytes)
            guard container.isFullRangeLuma != nil else { return nil }
        default: return nil
        }
        return StillFrame(
            descriptor: descriptor,
            container: MovieReader.demuxer(for: format),
            orientation: orientation,
            profile: container.profile,
            hasAlpha: !container.hasUnusedAlpha,
            isMatted: container.isMatted,
            isFullRange: container.isFullRangeLuma ?? true
        )
    }

    // MARK: - HEIF and AVIF

    private func readHEIF(into facts: inout MediaFacts) -> Outcome {
        let container = HEIFContainer.read(bytes)
        var metadata = RawMetadata()
        read(container, into: &metadata)
        describe(container, metadata, into: &facts)
        do {
            let picture = try HEIFPicture(bytes.bytes, maximumPixels: maximumPixels)
            facts.displaySize = picture.displaySize
            if let damage = SizeCheck.damage(picture.displaySize, maximumPixels) {
                return .damaged(damage)
            }
            return .read(
                Previews(source: .heif(picture), profile: picture.profile ?? container.profile)
            )
        } catch {
            // A sequence has no still image; its track has the size.
            if container.isAnimated, container.damage == nil, let size = container.size {
                facts.displaySize = size
                return .read(Previews())
            }
            guard container.damage == nil, metadata.hasExif, let size = container.size else {
                return .damaged(container.damage ?? "The image cannot be opened: \(error.words).")
            }
            facts.displaySize = size
            facts.markUnreadable("The image cannot be opened: \(error.words).")
            return .read(Previews())
        }
    }

    // MARK: - JPEG XL

    private func readJPEGXL(into facts: inout MediaFacts) -> Outcome {
        let picture: JPEGXLPicture
        do {
            picture = try JPEGXLPicture(bytes.bytes)
        } catch {
            return .damaged("The JPEG XL file cannot be read: \(error.words).")
        }
        if let damage = SizeCheck.damage(picture.storedSize, maximumPixels) {
            return .damaged(damage)
        }
        var container = Container()
        container.size = picture.storedSize
        container.isAnimated = picture.isAnimated && (picture.frameCount ?? 2) > 1
        container.frameCount = picture.frameCount
        if picture.transfer == 16 { container.hdr.insert("pq") }
        if picture.transfer == 18 { container.hdr.insert("hlg") }
        container.setColorName(primaries: picture.primaries)
        for box in picture.boxes {
            switch box.type {
            case "Exif":
                // The first four bytes are the offset of the TIFF header after them.
                let block = box.bytes.withUnsafeBytes { whole -> [UInt8] in
                    let view = ByteView(whole)
                    return Array(view.available(at: 4 + (view.integer32(at: 0) ?? 0)).bytes)
                }
                if container.unpackedExif == nil { container.unpackedExif = block }
            case "xml ": container.unpackedXMP.append(box.bytes)
            default: container.hdr.insert("hdrgm-xmp")
            }
        }
        var metadata = RawMetadata()
        read(container, into: &metadata)
        describe(container, metadata, into: &facts)
        facts.orientation = picture.orientation
        facts.displaySize = picture.storedSize.displayed(with: picture.orientation)
        return .read(Previews())
    }

    // MARK: - RAW

    private func readRAW(into facts: inout MediaFacts) -> Outcome {
        var metadata = RawMetadata()
        if facts.contentType == "com.canon.cr3-raw-image" {
            CanonRAWContainer.read(bytes, into: &metadata)
        } else {
            metadata.readFile(bytes)
        }
        let reader = describe(Container(), metadata, into: &facts)
        do {
            let picture = try RAWPicture(bytes.bytes)
            facts.storedSize = picture.storedSize
            facts.displaySize = picture.displaySize
            facts.orientation = picture.orientation
            if facts.camera.make == nil { facts.camera.make = Text.clean(picture.make) }
            if facts.camera.model == nil { facts.camera.model = Text.clean(picture.model) }
            return .read(Previews(source: .raw(bytes.bytes)))
        } catch {
            guard metadata.hasExif else {
                return .damaged("The RAW file cannot be read: \(error.words).")
            }
            facts.orientation = reader.orientation ?? .up
            facts.markUnreadable("LibRaw cannot read the image: \(error.words).")
            return .read(Previews())
        }
    }

    // MARK: - Metadata

    private func read(_ container: Container, into metadata: inout RawMetadata) {
        if let block = container.exif { metadata.readExif(block) }
        container.unpackedExif?.withUnsafeBytes { metadata.readExif(ByteView($0)) }
        for packet in container.xmp { metadata.readXMP(packet) }
        for packet in container.unpackedXMP {
            _ = packet.withUnsafeBytes { metadata.readXMP(ByteView($0)) }
        }
        if let block = container.iptc { metadata.readIPTC(block) }
        container.unpackedIPTC?.withUnsafeBytes { metadata.readIPTC(ByteView($0)) }
    }

    @discardableResult
    private func describe(
        _ container: Container,
        _ metadata: RawMetadata,
        into facts: inout MediaFacts
    ) -> FactsReader {
        if let type = container.contentType { facts.contentType = type }
        facts.storedSize = container.size
        facts.frameCount = container.frameCount ?? 1
        facts.isAnimated = container.isAnimated
        facts.warnings += container.warnings
        facts.isCutShort = container.isCutShort
        if let reason = container.undecodable { facts.markUnreadable(reason) }
        let block = container.exif
        let isBigEndian =
            block.flatMap { TagDirectory.isBigEndian($0) }
            ?? container.unpackedExif.map { $0.first == 0x4d } ?? false
        let reader = FactsReader(
            metadata: metadata,
            container: container,
            isBigEndian: isBigEndian
        )
        reader.read(into: &facts)
        if wantsTags {
            facts.tags = metadata.tags
            facts.profileName = container.profileName
        }
        if let length = facts.embeddedMovieLength,
            length <= 0 || length >= size - facts.embeddedMovieTail
        {
            facts.embeddedMovieLength = nil
        }
        return reader
    }
}

/// Validates the size that a file declares.
enum SizeCheck {
    /// The multiple of the pixel limit above which a declared size counts as damage.
    ///
    /// No camera or scanner produces images of such sizes.
    private static let absurdity = 100

    static func isWithin(_ size: PixelSize, _ maximumPixels: Int) -> Bool {
        let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
        return !overflow && pixels <= maximumPixels
    }

    /// Returns the reason why a size is implausible, as text for users.
    static func damage(_ size: PixelSize?, _ maximumPixels: Int) -> String? {
        guard let size else { return nil }
        let (limit, overflow) = maximumPixels.multipliedReportingOverflow(by: absurdity)
        guard !overflow, !isWithin(size, limit) else { return nil }
        return "It declares an invalid size (\(size.width)x\(size.height) pixels)."
    }
}
