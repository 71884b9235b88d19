/// A file of a foreign library other than its database and the database's write-ahead log.
package enum ForeignLibraryPart: String, Codable, Hashable, Sendable, CaseIterable {
    /// The property list that states the program and the version of a library of iPhoto or
    /// Aperture.
    ///
    /// Its presence selects the reader for iPhoto's libraries.
    case modelVersion
    /// iPhoto's database of descriptions and places, and its write-ahead log.
    case properties, propertiesLog
    /// iPhoto's database of people, and its write-ahead log.
    case faces, facesLog

    /// The maximum length of `modelVersion` in bytes.
    package static let maximumListLength = 1 << 20

    /// The reason why libraries of Aperture cannot be imported, as text for users.
    package static let apertureReason =
        "It is a library of Aperture or of Photos 1, since its DataModelVersion.plist does not say"
        + " that it is iPhoto's."
}
