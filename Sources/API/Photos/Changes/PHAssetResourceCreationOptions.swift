public import Foundation
public import PhotosCompanions

/// Options for adding a resource to a new asset.
///
/// The request copies its options, so later changes to them have no effect on it.
open class PHAssetResourceCreationOptions: NSObject, NSCopying {
    /// The file name to store, or nil to use the source file's name or, for data, a generated name.
    open var originalFilename: String?

    /// The content type of the file, or nil to detect it from the content.
    ///
    /// If the two differ, the type detected from the content is used. ``uniformTypeIdentifier`` is
    /// another form of this property.
    open var contentType: UTType?

    /// Indicates whether the source file is removed after the library has stored it.
    ///
    /// If the file has another hard link, is open in any program, or is in the folder of a photo
    /// library or of an exported one, the change fails before anything is changed. The property has
    /// no effect for data.
    open var shouldMoveFile = false

    /// Creates options with default values.
    public override init() {
        super.init()
    }

    /// The identifier of ``contentType``.
    open var uniformTypeIdentifier: String? {
        get { contentType?.identifier }
        set { contentType = newValue.map { UTType(importedAs: $0) } }
    }

    /// Returns a copy with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = PHAssetResourceCreationOptions()
        copy.originalFilename = originalFilename
        copy.contentType = contentType
        copy.shouldMoveFile = shouldMoveFile
        return copy
    }

    /// Returns a copy with the same values.
    open override func copy() -> Any { copy(with: nil) }
}
