package import FoundationEssentials

/// The metadata that a program supplies for a rendered image file, in addition to the pixels.
package struct PictureAttachments: Codable, Hashable, Sendable {
    /// A gain map image.
    package struct GainMapPicture: Codable, Hashable, Sendable {
        /// The index of the rendering's source that contains the map's pixels.
        package var source: Int
        package var size: PixelSize
        /// Indicates whether each pixel's three components are equal.
        package var isGray: Bool
        /// The XMP metadata of the map.
        package var xmp: Data

        package init(source: Int, size: PixelSize, isGray: Bool, xmp: Data) {
            self.source = source
            self.size = size
            self.isGray = isGray
            self.xmp = xmp
        }
    }

    package var tags = TagDirectories()
    /// An XMP packet.
    package var xmp: Data?
    /// IPTC data sets, one after another.
    package var iptc: Data?
    /// The orientation of the pixels, which a tag in `tags` states as well.
    ///
    /// It is stored separately because a HEIF file states the orientation outside the tags, too.
    package var orientation = Orientation.up
    package var gainMap: GainMapPicture?

    package init() {}
}
