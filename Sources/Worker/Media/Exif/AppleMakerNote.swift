internal import Glibc

/// The MakerNote of Apple's cameras: a TIFF directory after a header of 14 bytes.
package struct AppleMakerNote {
    package var hdrImageType: Int?
    package var burstIdentifier: String?
    package var contentIdentifier: String?
    /// The image capture type (tag 0x0014): a number for the kind of capture, such as ProRAW or
    /// portrait.
    package var imageCaptureType: Int?
    /// The brightness of the brightest pixels once the gain map is applied, as a multiple of SDR
    /// white.
    package var headroom: Double?

    /// Reads the content of the MakerNote tag; returns nil for another manufacturer's note.
    package init?(_ note: ByteView) {
        guard let directory = Self.directory(in: note) else { return nil }
        hdrImageType = directory[0x000a]?.integer
        burstIdentifier = directory[0x000b]?.text
        // The identifier of a Live Photo, up to iOS 17; older notes use the same number.
        contentIdentifier = directory[0x0011]?.text
        imageCaptureType = directory[0x0014]?.integer
        if let most = directory[0x0021]?.double, let gain = directory[0x0030]?.double {
            headroom = Self.headroom(most, gain)
        }
    }

    /// Returns the TIFF directory of a MakerNote; nil for another manufacturer's note.
    package static func directory(in note: ByteView) -> TagDirectory? {
        guard note.starts(with: "Apple iOS\u{0}"),
            let order = TagDirectory.isBigEndian(note.available(at: 12))
        else { return nil }
        return TagDirectory(in: note, at: 14, isBigEndian: order)
    }

    /// Computes the headroom from two MakerNote values; returns nil if the result is implausible.
    ///
    /// Apple documents piecewise linear functions whose results are in stops.
    private static func headroom(_ most: Double, _ gain: Double) -> Double? {
        let stops =
            switch (most < 1, gain <= 0.01) {
            case (true, true): -20 * gain + 1.8
            case (true, false): -0.101 * gain + 1.601
            case (false, true): -70 * gain + 3
            case (false, false): -0.303 * gain + 2.303
            }
        return stops.isFinite && stops > 0 && stops < 6 ? exp2(stops) : nil
    }
}
