package import PhotoModel

/// The properties of a container's own structure, and the locations of its metadata.
///
/// The views point into the file's bytes; unpacked or assembled blocks are owned.
package struct Container {
    /// The stored size in pixels.
    package var size: PixelSize?
    /// The container's own orientation, which precedes any metadata block.
    package var orientation: Orientation?
    package var frameCount: Int?
    package var isAnimated = false
    /// The EXIF block, starting with a TIFF header.
    package var exif: ByteView?
    package var xmp: [ByteView] = []
    package var iptc: ByteView?
    /// An unpacked EXIF block, starting with a TIFF header.
    package var unpackedExif: [UInt8]?
    package var unpackedXMP: [[UInt8]] = []
    package var unpackedIPTC: [UInt8]?
    package var profile: [UInt8]?
    /// The name of the color space that the container specifies with codes.
    package var colorName: String?
    /// The name in the color profile; without a profile, `colorName`.
    package var profileName: String? { profile.flatMap { ProfileName.read($0) } ?? colorName }
    /// The text entries by the container's keywords.
    package var texts: [String: String] = [:]
    /// The modification date as `YYYY:MM:DD HH:MM:SS`.
    package var modified: String?
    package var hdr: Set<String> = []
    package var depth: Set<String> = []
    package var isStereo = false
    /// The embedded JPEG previews, in no particular order.
    package var previews: [ByteView] = []
    /// The further images of a JPEG that are gain maps.
    package var gainMaps: [ByteView] = []
    /// The gain map parameters as defined in ISO 21496-1.
    package var toneMap: [UInt8]?
    /// The HEIF item to which these parameters apply.
    package var gainMapItem: Int?
    /// A more precise content type than the sniffer's.
    package var contentType: String?
    package var embeddedMovie: EmbeddedMoviePlace?
    /// Indicates whether the last channel of the pixels is not alpha.
    package var hasUnusedAlpha = false
    /// Indicates whether colors are blended with white according to their alpha.
    package var isMatted = false
    /// Indicates whether luma is full range, for YCbCr pixels in a file that libvips reads as RGB;
    /// nil for other pixels.
    package var isFullRangeLuma: Bool?
    /// The reason why the library does not support an undamaged file.
    package var refusal: String?
    package var warnings: [String] = []
    /// Indicates whether a part of the image lies beyond the end of the file.
    package var isCutShort = false
    /// The reason why no decoder here supports the pixels of an undamaged file.
    package var undecodable: String?
    /// The reason why the file is unreadable: an essential structure is damaged.
    package var damage: String?

    package init() {}
}
