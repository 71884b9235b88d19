internal import Glibc

/// What Apple's cameras write in their MakerNote: a plain TIFF directory after 14 bytes.
package struct AppleMakerNote {
    package var hdrImageType: Int?
    package var burstIdentifier: String?
    package var contentIdentifier: String?
    /// Tag 0x0019: what an image was captured as; kept for telling special captures apart.
    package var imageCaptureType: Int?
    /// How many times brighter than white the gain map makes the picture.
    package var headroom: Double?

    /// Reads the tag's bytes; nil when another maker wrote them.
    package init?(_ note: ByteView) {
        guard let directory = Self.directory(in: note) else { return nil }
        hdrImageType = directory[0x000a]?.integer
        burstIdentifier = directory[0x000b]?.text
        // Until iOS 17 the identifier of a Live Photo; older notes have it under the same number.
        contentIdentifier = directory[0x0011]?.text
        imageCaptureType = directory[0x0014]?.integer
        if let most = directory[0x0021]?.double, let gain = directory[0x0030]?.double {
            headroom = Self.headroom(most, gain)
        }
    }

    /// The tags of a note; nil when another maker wrote it.
    package static func directory(in note: ByteView) -> TagDirectory? {
        guard note.starts(with: "Apple iOS\u{0}"),
            let order = TagDirectory.isBigEndian(note.available(at: 12))
        else { return nil }
        return TagDirectory(in: note, at: 14, isBigEndian: order)
    }

    /// As Apple documents it for its gain maps: straight lines, in stops.
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
