package import PhotoModel

/// What a container's own structure says, and where it keeps its metadata.
///
/// The views reach into the file's bytes; blocks that had to be unpacked or put together are owned.
package struct Container {
    /// Pixels as stored.
    package var size: PixelSize?
    /// As the container itself says, before any metadata block.
    package var orientation: Orientation?
    package var frameCount: Int?
    package var isAnimated = false
    /// A block that starts with a TIFF header.
    package var exif: ByteView?
    package var xmp: [ByteView] = []
    package var iptc: ByteView?
    /// A block that starts with a TIFF header, and was unpacked.
    package var unpackedExif: [UInt8]?
    package var unpackedXMP: [[UInt8]] = []
    package var unpackedIPTC: [UInt8]?
    package var profile: [UInt8]?
    /// What the colors are called that the container tells by numbers.
    package var colorName: String?
    /// What the color profile calls itself; nil without one.
    package var profileName: String? { profile.flatMap { ProfileName.read($0) } ?? colorName }
    /// Text by the container's own keyword.
    package var texts: [String: String] = [:]
    /// `YYYY:MM:DD HH:MM:SS`.
    package var modified: String?
    package var hdr: Set<String> = []
    package var depth: Set<String> = []
    package var isStereo = false
    /// Embedded JPEGs, largest last is not promised.
    package var previews: [ByteView] = []
    /// Further pictures of a JPEG that say what is brighter than white.
    package var gainMaps: [ByteView] = []
    /// The numbers of ISO 21496-1.
    package var toneMap: [UInt8]?
    /// The item of a HEIF file that those numbers are about.
    package var gainMapItem: Int?
    /// More precise than the sniffer's.
    package var contentType: String?
    package var embeddedMovie: EmbeddedMoviePlace?
    /// Whether a last channel of the pixels is no opacity.
    package var hasUnusedAlpha = false
    /// Whether colors are mixed with white by their opacity.
    package var isMatted = false
    /// Whether the pixels are luma and chroma in a file that libvips takes for red, green and blue;
    /// nil when they are not, else whether luma uses all numbers.
    package var isFullRangeLuma: Bool?
    /// Why the library does not hold such a file although nothing is damaged.
    package var refusal: String?
    package var warnings: [String] = []
    /// Whether a part of the picture lies behind the end of the file.
    package var isCutShort = false
    /// Why no decoder here reads the pixels although nothing is damaged.
    package var undecodable: String?
    /// Why the file can't be read: its structure is damaged where that matters.
    package var damage: String?

    package init() {}
}
