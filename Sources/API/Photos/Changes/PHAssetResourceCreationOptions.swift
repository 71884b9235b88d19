public import Foundation
public import PhotosCompanions

/// How a file becomes part of a new asset.
///
/// Copied into the request: later changes do not reach it.
open class PHAssetResourceCreationOptions: NSObject, NSCopying {
    /// The name to remember; nil for that of the file, or a made-up one where there is no file.
    open var originalFilename: String?

    /// What kind of file it is; nil for what its bytes say.
    ///
    /// What the bytes say counts where the two differ. The same as ``uniformTypeIdentifier``.
    open var contentType: UTType?

    /// Whether the file is removed from its place once the library has it.
    ///
    /// A change with a file that has another name (a hard link), or that is open anywhere, fails
    /// before anything is changed. Without meaning for data.
    open var shouldMoveFile = false

    /// Options that ask for nothing in particular.
    public override init() {
        super.init()
    }

    /// The identifier of ``contentType``.
    open var uniformTypeIdentifier: String? {
        get { contentType?.identifier }
        set { contentType = newValue.map { UTType(importedAs: $0) } }
    }

    /// A copy with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = PHAssetResourceCreationOptions()
        copy.originalFilename = originalFilename
        copy.contentType = contentType
        copy.shouldMoveFile = shouldMoveFile
        return copy
    }

    /// A copy with the same values.
    open override func copy() -> Any { copy(with: nil) }
}
