package import PhotoModel

/// A placeholder for an object that a change block creates.
///
/// You can add it to albums and folders in the same block. Its identifier is final, so it equals
/// the object fetched after the commit.
open class PHObjectPlaceholder: PHObject, @unchecked Sendable {
    // Unchecked because the class is open. Its one stored property is immutable and Sendable.

    package let identifier: LocalIdentifier?

    /// Creates a placeholder that identifies no object.
    public override init() {
        identifier = nil
        super.init()
    }

    package init(_ identifier: LocalIdentifier) {
        self.identifier = identifier
        super.init()
    }

    /// The local identifier of the object to be created.
    open override var localIdentifier: String { identifier?.description ?? "" }
}
