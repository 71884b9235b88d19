internal import CVipsShim
package import PhotoModel

/// Encodes pixels that this library made.
package enum PictureEncoder {
    /// Encodes rows of 8 bits without padding.
    ///
    /// - Parameters:
    ///   - rows: 3 bytes a pixel, or 4.
    ///   - size: In pixels.
    ///   - bytesPerPixel: 3 or 4.
    ///   - hasAlpha: Whether the fourth byte is alpha; JPEG gets white below it.
    ///   - orientation: How the pixels are turned before.
    ///   - quality: 1...100 for JPEG, 0 for PNG.
    ///   - isDisplayP3: Whether the colours are Display P3, whose profile is written then.
    ///   - body: Gets the file.
    /// - Returns: What `body` gave.
    /// - Throws: Why there is no file.
    package static func encode<Result>(
        _ rows: UnsafeRawBufferPointer,
        size: PixelSize,
        bytesPerPixel: Int,
        hasAlpha: Bool,
        orientation: Orientation,
        quality: Int,
        isDisplayP3: Bool,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(DecodeFailure) -> Result {
        guard let start = rows.baseAddress, size.width > 0, size.height > 0,
            (3...4).contains(bytesPerPixel),
            rows.count / bytesPerPixel / size.width >= size.height
        else { throw .damaged("its pixels are fewer than its size says") }
        var words = [CChar](repeating: 0, count: 256)
        var bytes: UnsafeMutableRawPointer?
        var length = 0
        let profile = isDisplayP3 ? ColorProfile.displayP3Bytes ?? [] : []
        let code = profile.withUnsafeBytes { profile in
            cphotos_encode(
                start,
                Int32(clamping: size.width),
                Int32(clamping: size.height),
                Int32(bytesPerPixel),
                hasAlpha ? 1 : 0,
                Int32(orientation.rawValue),
                Int32(clamping: quality),
                profile.isEmpty ? nil : profile.baseAddress,
                profile.count,
                &bytes,
                &length,
                &words,
                words.count
            )
        }
        defer { cphotos_encoded_release(bytes) }
        guard code == 0 else { throw .damaged(ErrorWords.first(inBuffer: words)) }
        return body(UnsafeRawBufferPointer(start: bytes, count: length))
    }
}
