/// A file that a library has besides its database and the log of that.
package enum ForeignLibraryPart: String, Codable, Hashable, Sendable, CaseIterable {
    /// The property list that states the program and the version of iPhoto's or Aperture's library.
    ///
    /// Its presence selects the reader of iPhoto's libraries.
    case modelVersion
    /// iPhoto's database of descriptions and places, and its write-ahead log.
    case properties, propertiesLog
    /// iPhoto's database of people, and its write-ahead log.
    case faces, facesLog

    /// The maximum length of `modelVersion` in bytes.
    package static let maximumListLength = 1 << 20

    /// The reason against libraries of Aperture, as text for users.
    package static let apertureReason =
        "It is a library of Aperture or of Photos 1, since its DataModelVersion.plist does not say"
        + " that it is iPhoto's."
}
