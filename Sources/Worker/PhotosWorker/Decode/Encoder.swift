internal import Glibc
internal import Imaging
internal import Media
internal import PhotoModel
internal import WorkerProtocol

/// The handler of a request to encode pixels that the host provides.
struct Encoder {
    let request: EncodeRequest
    let limits: WorkerLimits

    func encode(_ descriptor: Int32, into sink: PixelWriter) -> WorkerReply {
        let pixels = request.pixels
        guard let length = pixels.length, let file = MappedFile.map(descriptor),
            file.bytes.bytes.count >= length
        else { return .failed(reason: "The pixels do not match their declaration.") }
        let (count, overflow) = pixels.size.width.multipliedReportingOverflow(
            by: pixels.size.height
        )
        guard !overflow, count <= limits.maximumPixels else {
            return .failed(
                reason:
                    "The image (\(pixels.size.width)x\(pixels.size.height)) is over the limit "
                    + "of \(limits.maximumPixels / 1_000_000) megapixels and is not encoded."
            )
        }
        let quality: Int
        switch request.format {
        case .png: quality = 0
        case .jpeg(let value):
            guard (1...100).contains(value) else {
                return .failed(reason: "\(value) is not a valid JPEG quality.")
            }
            guard pixels.size.width <= 65_500, pixels.size.height <= 65_500 else {
                return .failed(reason: "JPEG is limited to 65,500 pixels per side.")
            }
            quality = value
        }
        do throws(DecodeFailure) {
            let written = try PictureEncoder.encode(
                UnsafeRawBufferPointer(rebasing: file.bytes.bytes.prefix(length)),
                size: pixels.size,
                bytesPerPixel: pixels.layout.bytesPerPixel,
                hasAlpha: request.hasAlpha,
                orientation: request.orientation,
                quality: quality,
                isDisplayP3: pixels.colors == .displayP3
            ) { sink.take($0) ? $0.count : 0 }
            guard written > 0 else {
                return .failed(reason: "There is not enough memory for the file.")
            }
            return .encoded(length: written)
        } catch {
            guard case .damaged(let reason) = error else {
                return .failed(reason: "The image cannot be encoded.")
            }
            return .failed(reason: "The image cannot be encoded: \(reason).")
        }
    }
}
