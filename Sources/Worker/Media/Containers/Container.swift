package import PhotoModel

/// The properties that a file's container itself states, and the locations of the file's metadata.
///
/// The views point into the file's bytes; unpacked or assembled blocks are owned.
package struct Container {
    /// The stored size in pixels.
    package var size: PixelSize?
    /// The orientation that the container states, which takes precedence over the one in the
    /// metadata.
    package var orientation: Orientation?
    package var frameCount: Int?
    package var isAnimated = false
    /// The EXIF block, starting with a TIFF header.
    package var exif: ByteView?
    package var xmp: [ByteView] = []
    package var iptc: ByteView?
    /// An EXIF block that was unpacked or assembled, starting with a TIFF header.
    package var unpackedExif: [UInt8]?
    package var unpackedXMP: [[UInt8]] = []
    package var unpackedIPTC: [UInt8]?
    package var profile: [UInt8]?
    /// The name of the color space that the container specifies with codes.
    package var colorName: String?
    /// The name in the color profile, or `colorName` if the profile is absent or has no readable
    /// name.
    package var profileName: String? { profile.flatMap { ProfileName.read($0) } ?? colorName }
    /// The text entries, by the keywords of the container format.
    package var texts: [String: String] = [:]
    /// The modification date as `YYYY:MM:DD HH:MM:SS`.
    package var modified: String?
    package var hdr: Set<String> = []
    package var depth: Set<String> = []
    package var isStereo = false
    /// The embedded JPEG previews, in no particular order.
    package var previews: [ByteView] = []
    /// The additional images in a JPEG file that are gain maps.
    package var gainMaps: [ByteView] = []
    /// The gain map parameters as defined in ISO 21496-1.
    package var toneMap: [UInt8]?
    /// The HEIF item of the gain map to which the parameters in `toneMap` apply.
    package var gainMapItem: Int?
    /// A more precise content type than the one that the sniffer detects; nil if there is none.
    package var contentType: String?
    package var embeddedMovie: EmbeddedMoviePlace?
    /// Indicates whether a channel after the color channels, if there is one, is not alpha but
    /// padding or a saved selection.
    package var hasUnusedAlpha = false
    /// Indicates whether colors are blended with white according to their alpha.
    package var isMatted = false
    /// Indicates whether the luma of YCbCr pixels in a TIFF file is full range; nil for other
    /// pixels.
    ///
    /// libvips would read such pixels as RGB, so FFmpeg decodes them.
    package var isFullRangeLuma: Bool?
    /// The reason why an undamaged file is rejected as unsupported; nil if the file is not
    /// rejected.
    package var refusal: String?
    package var warnings: [String] = []
    /// Indicates whether the file is truncated, so that a part of the image is missing.
    package var isCutShort = false
    /// The reason why no decoder of this library supports the pixels, although the file is
    /// undamaged.
    package var undecodable: String?
    /// The reason why the file is unreadable: an essential structure is damaged.
    package var damage: String?

    package init() {}

    /// Records the name of the color space with the given H.273 code of its primaries, if it is
    /// wider than sRGB.
    package mutating func setColorName(primaries: Int?) {
        switch primaries {
        case 11, 12: colorName = "Display P3"
        case 9: colorName = "Rec. ITU-R BT.2020-1"
        default: break
        }
    }
}
