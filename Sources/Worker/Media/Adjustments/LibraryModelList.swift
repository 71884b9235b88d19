/// The property list `DataModelVersion.plist` of a library of iPhoto or Aperture.
package struct LibraryModelList {
    /// Indicates whether the list states that the library belongs to iPhoto.
    package var isIPhoto = false
    /// The version of the database; 0 if it is not stated.
    package var version = 0

    /// Reads an XML or binary property list; properties that cannot be read keep their default
    /// values.
    package init(_ bytes: ByteView) {
        let members =
            bytes.starts(with: "bplist")
            ? BinaryPropertyList(bytes)?.members : XMLPropertyList(bytes).members
        switch members?["isIPhotoLibrary"] {
        case .flag(let isSet): isIPhoto = isSet
        case .number(let number): isIPhoto = number == 1
        default: break
        }
        if case .number(let number)? = members?["DatabaseVersion"] { version = number }
    }
}
