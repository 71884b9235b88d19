internal import PhotoModel

/// A writer that stores an image as an uncompressed TIFF file.
enum TIFFFile {
    private static let maximumLength = 4_294_000_000

    /// Writes the file.
    ///
    /// - Parameters:
    ///   - image: The rows, with three or four bytes per pixel, not premultiplied.
    ///   - size: The size in pixels.
    ///   - hasAlpha: Whether there are four bytes.
    ///   - attachments: The metadata.
    ///   - profile: The color profile.
    ///   - sink: Receives the file's bytes.
    /// - Returns: The number of bytes written.
    /// - Throws: The reason for a failure.
    static func write(
        _ image: LazyImage,
        _ size: PixelSize,
        hasAlpha: Bool,
        _ attachments: PictureAttachments?,
        profile: [UInt8]?,
        into sink: any RowSink
    ) throws(DecodeFailure) -> Int {
        let bands = hasAlpha ? 4 : 3
        let length = size.width * size.height * bands
        guard length <= maximumLength else {
            throw .damaged("a TIFF file is limited to 4 GB")
        }
        let tags = attachments?.tags ?? TagDirectories()
        var structure: [TagDirectories.Entry] = [
            .long(256, size.width), .long(257, size.height),
            .shorts(258, [Int](repeating: 8, count: bands)), .shorts(259, [1]), .shorts(262, [2]),
            .shorts(277, [bands]), .long(278, size.height), .long(279, length), .shorts(284, [1]),
        ]
        if hasAlpha { structure.append(.shorts(338, [2])) }
        let known = Set(tags.image.map(\.number))
        for (number, entry) in [
            (282, TagDirectories.Entry.rationals(282, [72])), (283, .rationals(283, [72])),
            (296, .shorts(296, [2])),
        ] where !known.contains(number) {
            structure.append(entry)
        }
        if let xmp = attachments?.xmp { structure.append(.bytes(700, Array(xmp))) }
        if let iptc = attachments?.iptc { structure.append(.undefined(33723, Array(iptc))) }
        if let profile { structure.append(.undefined(34675, profile)) }
        let head = tags.head(pixelPlace: 273, structure: structure)
        guard head.withUnsafeBytes({ sink.take($0) }) else {
            throw sink.isCancelled
                ? .cancelled : .damaged("there is not enough memory for the file")
        }
        try image.deliver(into: sink)
        return head.count + length
    }
}
