public import Foundation
internal import PhotoModel
internal import WorkerClient

extension CIContext {
    // MARK: - Files in memory

    /// The picture as a JPEG file, what is transparent on black.
    ///
    /// The file gets the EXIF data of the first file that the picture was made of, with the orientation
    /// that the picture's `properties` say: 1 once it was turned upright.
    ///
    /// - Parameters:
    ///   - image: What is drawn, all of it.
    ///   - colorSpace: sRGB or Display P3, whose profile is written.
    ///   - options: `kCGImageDestinationLossyCompressionQuality`, 0...1; 0.9 without it.
    /// - Returns: Nil when it can't be drawn.
    public func jpegRepresentation(
        of image: CIImage,
        colorSpace: CGColorSpace,
        options: [CIImageRepresentationOption: Any] = [:]
    ) -> Data? {
        data(image, .jpeg(quality: Self.quality(options)), colorSpace)
    }

    /// The picture as a PNG file of 8 bits a component, with alpha where it has any.
    ///
    /// - Parameters:
    ///   - image: What is drawn, all of it.
    ///   - format: `RGBA8` or `BGRA8`: it makes no difference to a file.
    ///   - colorSpace: sRGB or Display P3, whose profile is written.
    ///   - options: None that a PNG file has.
    /// - Returns: Nil when it can't be drawn.
    public func pngRepresentation(
        of image: CIImage,
        format: CIFormat,
        colorSpace: CGColorSpace,
        options: [CIImageRepresentationOption: Any] = [:]
    ) -> Data? {
        do throws(CIRenderingError) {
            try Self.check(format)
            return try file(image, .png, colorSpace).withBytes { Data($0) }
        } catch {
            RenderingLog.record(error)
            return nil
        }
    }

    /// The picture as a HEIC file of 8 bits a component.
    ///
    /// As ``jpegRepresentation(of:colorSpace:options:)``; encoding takes ten times as long.
    public func heifRepresentation(
        of image: CIImage,
        format: CIFormat,
        colorSpace: CGColorSpace,
        options: [CIImageRepresentationOption: Any] = [:]
    ) -> Data? {
        do throws(CIRenderingError) {
            try Self.check(format)
            return try file(image, .heif(quality: Self.quality(options)), colorSpace)
                .withBytes { Data($0) }
        } catch {
            RenderingLog.record(error)
            return nil
        }
    }

    // MARK: - Files on disk

    /// Writes the picture as a JPEG file, in place of one that is there.
    ///
    /// - Parameters:
    ///   - image: What is drawn, all of it.
    ///   - url: Where; the file appears there whole or not at all.
    ///   - colorSpace: sRGB or Display P3, whose profile is written.
    ///   - options: As for ``jpegRepresentation(of:colorSpace:options:)``.
    /// - Throws: ``CIRenderingError``.
    public func writeJPEGRepresentation(
        of image: CIImage,
        to url: URL,
        colorSpace: CGColorSpace,
        options: [CIImageRepresentationOption: Any] = [:]
    ) throws {
        try Self.write(file(image, .jpeg(quality: Self.quality(options)), colorSpace), to: url)
    }

    /// Writes the picture as a PNG file, in place of one that is there.
    ///
    /// - Parameters:
    ///   - image: What is drawn, all of it.
    ///   - url: Where; the file appears there whole or not at all.
    ///   - format: `RGBA8` or `BGRA8`: it makes no difference to a file.
    ///   - colorSpace: sRGB or Display P3, whose profile is written.
    ///   - options: None that a PNG file has.
    /// - Throws: ``CIRenderingError``.
    public func writePNGRepresentation(
        of image: CIImage,
        to url: URL,
        format: CIFormat,
        colorSpace: CGColorSpace,
        options: [CIImageRepresentationOption: Any] = [:]
    ) throws {
        try Self.check(format)
        try Self.write(file(image, .png, colorSpace), to: url)
    }

    /// Writes the picture as a HEIC file, in place of one that is there.
    ///
    /// - Parameters:
    ///   - image: What is drawn, all of it.
    ///   - url: Where; the file appears there whole or not at all.
    ///   - format: `RGBA8` or `BGRA8`: it makes no difference to a file.
    ///   - colorSpace: sRGB or Display P3, whose profile is written.
    ///   - options: As for ``jpegRepresentation(of:colorSpace:options:)``.
    /// - Throws: ``CIRenderingError``.
    public func writeHEIFRepresentation(
        of image: CIImage,
        to url: URL,
        format: CIFormat,
        colorSpace: CGColorSpace,
        options: [CIImageRepresentationOption: Any] = [:]
    ) throws {
        try Self.check(format)
        try Self.write(file(image, .heif(quality: Self.quality(options)), colorSpace), to: url)
    }

    // MARK: - Parts

    private func data(
        _ image: CIImage,
        _ output: PictureRendering.Output,
        _ colorSpace: CGColorSpace
    ) -> Data? {
        do throws(CIRenderingError) {
            return try file(image, output, colorSpace).withBytes { Data($0) }
        } catch {
            RenderingLog.record(error)
            return nil
        }
    }

    private func file(
        _ image: CIImage,
        _ output: PictureRendering.Output,
        _ colorSpace: CGColorSpace
    ) throws(CIRenderingError) -> SealedMemory {
        try drawing.file(image, as: output, colorSpace)
    }

    /// Writes a file that was drawn.
    static func write(_ file: SealedMemory, to url: URL) throws(CIRenderingError) {
        guard url.isFileURL else {
            throw CIRenderingError(
                .notWritten,
                "“\(url.absoluteString)” is not a place for a file.",
                recovery: "Make the URL with URL(fileURLWithPath:)."
            )
        }
        do {
            let data = Data(
                bytesNoCopy: UnsafeMutableRawPointer(mutating: file.start),
                count: file.count,
                deallocator: .custom { _, _ in withExtendedLifetime(file) {} }
            )
            try data.write(to: url, options: .atomic)
        } catch {
            throw CIRenderingError(
                .notWritten,
                "The picture “\(url.path)” can't be written.",
                reason: (error as NSError).localizedDescription,
                recovery: "Check that the folder is there, its permissions, and the free space."
            )
        }
    }

    private static func check(_ format: CIFormat) throws(CIRenderingError) {
        guard format == .RGBA8 || format == .BGRA8 else {
            throw CIRenderingError(
                .invalidRequest,
                "A file can't have pixels of the format \(format.rawValue).",
                recovery: "Use CIFormat.RGBA8."
            )
        }
    }

    /// The quality by libjpeg's scale.
    private static func quality(_ options: [CIImageRepresentationOption: Any]) -> Int {
        let key = CIImageRepresentationOption(
            rawValue: "kCGImageDestinationLossyCompressionQuality"
        )
        let quality: Double? =
            switch options[key] {
            case let number as Double: number
            case let number as Float: Double(number)
            case let number as CGFloat: Double(number)
            case let number as Int: Double(number)
            case let number as NSNumber: number.doubleValue
            default: nil
            }
        guard let quality, quality.isFinite else { return 90 }
        return max(1, Int((min(max(quality, 0), 1) * 100).rounded()))
    }
}
