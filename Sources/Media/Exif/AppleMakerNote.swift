/// What Apple's cameras write in their MakerNote: a plain TIFF directory after 14 bytes.
package struct AppleMakerNote {
    package var hdrImageType: Int?
    package var burstIdentifier: String?
    package var contentIdentifier: String?
    /// Tag 0x0019: what an image was captured as; kept for telling special captures apart.
    package var imageCaptureType: Int?

    /// Reads the tag's bytes; nil when another maker wrote them.
    package init?(_ note: ByteView) {
        guard note.starts(with: "Apple iOS\u{0}"),
            let order = TagDirectory.isBigEndian(note.available(at: 12))
        else { return nil }
        guard let directory = TagDirectory(in: note, at: 14, isBigEndian: order) else { return nil }
        hdrImageType = directory[0x000a]?.integer
        burstIdentifier = directory[0x000b]?.text
        // Until iOS 17 the identifier of a Live Photo; older notes have it under the same number.
        contentIdentifier = directory[0x0011]?.text
        imageCaptureType = directory[0x0014]?.integer
    }
}
