package import PhotoModel

/// An object that a change block makes, before it is there.
///
/// It can be added to albums and folders in the same block. Its identifier is final, so it equals the
/// object that is fetched after the block was committed.
open class PHObjectPlaceholder: PHObject, @unchecked Sendable {
    // Unchecked because the class is open; its one stored property is immutable and Sendable.

    package let identifier: LocalIdentifier?

    /// A placeholder for nothing.
    public override init() {
        identifier = nil
        super.init()
    }

    package init(_ identifier: LocalIdentifier) {
        self.identifier = identifier
        super.init()
    }

    /// The identifier of the object to come.
    open override var localIdentifier: String { identifier?.description ?? "" }
}
