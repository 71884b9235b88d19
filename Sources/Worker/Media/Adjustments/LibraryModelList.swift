/// The property list `DataModelVersion.plist` of a library of iPhoto or Aperture.
package struct LibraryModelList {
    /// Indicates whether the library is iPhoto's; false where the list does not say so.
    package var isIPhoto = false
    /// The version of the database; 0 if it is not stated.
    package var version = 0

    /// Reads an XML or binary property list; damaged bytes state nothing.
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
