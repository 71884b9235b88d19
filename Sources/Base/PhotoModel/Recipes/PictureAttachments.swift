package import FoundationEssentials

/// What goes into a file beside the pixels that are drawn, as a program says it.
package struct PictureAttachments: Codable, Hashable, Sendable {
    /// A picture beside the picture that says what of it is brighter than white.
    package struct GainMapPicture: Codable, Hashable, Sendable {
        /// Which of the rendering's sources it is: pixels.
        package var source: Int
        package var size: PixelSize
        /// Whether its three numbers for each pixel are one and the same.
        package var isGray: Bool
        /// What it says of itself.
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
    /// How the pixels are turned, which the tags say too.
    package var orientation = Orientation.up
    package var gainMap: GainMapPicture?

    package init() {}
}
