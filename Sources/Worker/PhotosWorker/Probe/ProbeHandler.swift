internal import Imaging
internal import Media
internal import PhotoModel
internal import WorkerProtocol

/// The handler of a request to detect a file's type, read its metadata and decode its embedded
/// preview.
struct ProbeHandler {
    /// The maximum number of pixels of an embedded preview to decode.
    private static let maximumPreviewPixels = 120_000_000

    let request: ProbeRequest
    let limits: WorkerLimits
    let converter: ColorConverter

    func probe(_ descriptor: Int32, pixels: PixelWriter?) -> WorkerReply {
        guard let file = MappedFile.map(descriptor) else {
            return .failed(reason: "It is not a regular file, or it cannot be read.")
        }
        let format: MediaFormat
        let type: String
        switch Sniffer.kind(of: file.bytes) {
        case .unsupported(let reason): return .unsupported(reason: reason)
        case .medium(let found, let identifier): (format, type) = (found, identifier)
        }
        var facts = MediaFacts(format: format, contentType: type)
        if format == .xmp {
            var metadata = RawMetadata()
            facts.hasReadableHeader = XMPDocument.read(file.bytes, into: &metadata)
            FactsReader(metadata: metadata, container: Container(), isBigEndian: false)
                .read(into: &facts)
        }
        if format == .aae {
            facts.adjustmentFormat = AdjustmentEnvelope(file.bytes)?.formatIdentifier
        }
        if format.isSidecar { return .probed(facts, firstRendition: nil) }
        if format.isMovie {
            if let reason = MovieReader.read(descriptor, head: file.bytes, into: &facts) {
                return reason.hasPrefix("It is")
                    ? .unsupported(reason: reason)
                    : .failed(reason: reason)
            }
            return .probed(facts, firstRendition: nil)
        }
        let reader = StillReader(
            format: format,
            bytes: file.bytes,
            size: file.size,
            maximumPixels: limits.maximumPixels,
            wantsTags: request.wantsTags
        )
        switch reader.read(into: &facts) {
        case .refused(let reason): return .unsupported(reason: reason)
        case .damaged(let reason): return .failed(reason: reason)
        case .read(let previews):
            reader.recordLimits(in: &facts)
            return .probed(facts, firstRendition: render(previews, facts: facts, into: pixels))
        }
    }

    private func render(
        _ previews: StillReader.Previews,
        facts: MediaFacts,
        into pixels: PixelWriter?
    ) -> PixelBufferDescription? {
        guard let pixels, request.renditionSide > 0, let size = facts.displaySize, size.width > 0,
            size.height > 0, let source = previews.source
        else { return nil }
        let decoder = PreviewDecoder(
            side: min(request.renditionSide, 4096),
            displaySize: size,
            orientation: facts.orientation,
            profile: previews.profile,
            maximumPixels: min(Self.maximumPreviewPixels, limits.maximumPixels)
        )
        guard let image = decoder.make(from: source, converter: converter) else { return nil }
        guard image.bytes.withUnsafeBytes({ pixels.take($0) }) else { return nil }
        return PixelBufferDescription(size: image.size)
    }
}
