public import Foundation
internal import PhotoModel
internal import WorkerClient

extension CIContext {
    // MARK: - Files in memory

    /// Returns the image as JPEG data, with transparency composited over black.
    ///
    /// The data has the EXIF metadata of the first file that the image was made from. Its
    /// orientation is the one in the image's `properties`: 1 once the image has been oriented
    /// upright.
    ///
    /// - Parameters:
    ///   - image: The image, rendered in full.
    ///   - colorSpace: sRGB or Display P3; its profile is embedded.
    ///   - options: `kCGImageDestinationLossyCompressionQuality`, 0...1; 0.9 by default.
    /// - Returns: The data, or nil if rendering fails.
    public func jpegRepresentation(
        of image: CIImage,
        colorSpace: CGColorSpace,
        options: [CIImageRepresentationOption: Any] = [:]
    ) -> Data? {
        data(image, .jpeg(quality: Self.quality(options)), colorSpace)
    }

    /// Returns the image as PNG data with 8 bits per component, and with alpha if the image has
    /// any.
    ///
    /// - Parameters:
    ///   - image: The image, rendered in full.
    ///   - format: `RGBA8` or `BGRA8`, with the same result.
    ///   - colorSpace: sRGB or Display P3; its profile is embedded.
    ///   - options: Ignored; PNG has no options.
    /// - Returns: The data, or nil if rendering fails.
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

    /// Returns the image as HEIC data with 8 bits per component.
    ///
    /// Works like ``jpegRepresentation(of:colorSpace:options:)``, but encoding takes ten times as
    /// long.
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

    /// Writes the image as a JPEG file, replacing an existing file.
    ///
    /// - Parameters:
    ///   - image: The image, rendered in full.
    ///   - url: The file's location; the write is atomic.
    ///   - colorSpace: sRGB or Display P3; its profile is embedded.
    ///   - options: The options of ``jpegRepresentation(of:colorSpace:options:)``.
    /// - Throws: ``CIRenderingError``.
    public func writeJPEGRepresentation(
        of image: CIImage,
        to url: URL,
        colorSpace: CGColorSpace,
        options: [CIImageRepresentationOption: Any] = [:]
    ) throws {
        try Self.write(file(image, .jpeg(quality: Self.quality(options)), colorSpace), to: url)
    }

    /// Writes the image as a PNG file, replacing an existing file.
    ///
    /// - Parameters:
    ///   - image: The image, rendered in full.
    ///   - url: The file's location; the write is atomic.
    ///   - format: `RGBA8` or `BGRA8`, with the same result.
    ///   - colorSpace: sRGB or Display P3; its profile is embedded.
    ///   - options: Ignored; PNG has no options.
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

    /// Writes the image as a HEIC file, replacing an existing file.
    ///
    /// - Parameters:
    ///   - image: The image, rendered in full.
    ///   - url: The file's location; the write is atomic.
    ///   - format: `RGBA8` or `BGRA8`, with the same result.
    ///   - colorSpace: sRGB or Display P3; its profile is embedded.
    ///   - options: The options of ``jpegRepresentation(of:colorSpace:options:)``.
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

    // MARK: - Helpers

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

    /// Writes a rendered file atomically.
    static func write(_ file: SealedMemory, to url: URL) throws(CIRenderingError) {
        guard url.isFileURL else {
            throw CIRenderingError(
                .notWritten,
                "“\(url.absoluteString)” is not the URL of a file.",
                recovery: "Create the URL with URL(fileURLWithPath:)."
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
                "The image “\(url.path)” cannot be written.",
                reason: (error as NSError).localizedDescription,
                recovery: "Check that the folder exists, its permissions, and the free space."
            )
        }
    }

    private static func check(_ format: CIFormat) throws(CIRenderingError) {
        guard format == .RGBA8 || format == .BGRA8 else {
            throw CIRenderingError(
                .invalidRequest,
                "A file cannot have pixels of the format \(format.rawValue).",
                recovery: "Use CIFormat.RGBA8."
            )
        }
    }

    /// Returns the quality on libjpeg's scale, 1...100.
    private static func quality(_ options: [CIImageRepresentationOption: Any]) -> Int {
        let key = CIImageRepresentationOption(
            rawValue: "kCGImageDestinationLossyCompressionQuality"
        )
        guard let quality = PropertyValue.number(options[key]), quality.isFinite else { return 90 }
        return max(1, Int((min(max(quality, 0), 1) * 100).rounded()))
    }
}
