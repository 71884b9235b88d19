/// A reader for the thumbnail in an EXIF block.
package enum Thumbnail {
    /// Returns the JPEG file to which the second TIFF directory points.
    package static func jpeg(in block: ByteView) -> ByteView? {
        guard let directory = TagDirectory.second(ofTIFF: block),
            let offset = directory[0x0201]?.integer, let length = directory[0x0202]?.integer,
            length > 4, let part = block.part(at: offset, length: length),
            part.byte(at: 0) == 0xff, part.byte(at: 1) == 0xd8
        else { return nil }
        return part
    }
}
