internal import CVipsShim
package import PhotoModel

/// An encoder that converts decoded or rendered pixels to JPEG or PNG files.
package enum PictureEncoder {
    /// Encodes rows of 8-bit components without padding.
    ///
    /// - Parameters:
    ///   - rows: The pixels, with 3 or 4 bytes each.
    ///   - size: The size in pixels.
    ///   - bytesPerPixel: 3 or 4.
    ///   - hasAlpha: Whether the fourth byte is alpha; JPEG is composited over white.
    ///   - orientation: The orientation to apply before encoding.
    ///   - quality: 1...100 for JPEG, 0 for PNG.
    ///   - isDisplayP3: Whether the colors are Display P3; its profile is then embedded.
    ///   - body: Receives the file.
    /// - Returns: The result of `body`.
    /// - Throws: The reason for a failed encode.
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
        else { throw .damaged("it has fewer pixels than its size") }
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
