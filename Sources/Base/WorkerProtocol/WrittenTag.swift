/// One tag of a picture's EXIF, as it is written.
package struct WrittenTag: Codable, Hashable, Sendable {
    /// Where a tag stands: its number means something else in each.
    package enum Directory: Int, Codable, Hashable, Sendable {
        /// The picture's own (TIFF).
        case image = 1
        /// What the camera did (EXIF).
        case photo = 2
        /// The place and the satellites' time (GPS).
        case gps = 3
        /// What Apple's cameras note.
        case apple = 4
    }

    /// What a tag says.
    package enum Value: Codable, Hashable, Sendable {
        /// Valid UTF-8 without control characters.
        case text(String)
        /// At least one; fractions by zero are left out with their tag.
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
