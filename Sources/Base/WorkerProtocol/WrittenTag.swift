/// An EXIF tag of an image, as written in the file.
package struct WrittenTag: Codable, Hashable, Sendable {
    /// The directory that a tag belongs to.
    ///
    /// The same tag number has different meanings in different directories.
    package enum Directory: Int, Codable, Hashable, Sendable {
        /// The tags of the image itself (TIFF).
        case image = 1
        /// The tags of the capture (EXIF).
        case photo = 2
        /// The tags of the location and of the GPS time.
        case gps = 3
        /// The tags of the maker note of Apple's cameras.
        case apple = 4
    }

    /// The value of a tag.
    package enum Value: Codable, Hashable, Sendable {
        /// Text as valid UTF-8 without control characters.
        case text(String)
        /// A list of at least one number.
        ///
        /// A tag that contains a fraction with a denominator of 0 is omitted.
        case numbers([Double])
    }

    package var directory: Directory
    package var number: Int
    package var value: Value

    package init(directory: Directory, number: Int, value: Value) {
        self.directory = directory
        self.number = number
        self.value = value
    }
}
