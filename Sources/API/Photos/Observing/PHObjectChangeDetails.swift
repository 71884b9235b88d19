public import Foundation

/// The change details of one object.
open class PHObjectChangeDetails<ObjectType: PHObject>: NSObject, @unchecked Sendable {
    // Unchecked because the class is open. Every stored property is immutable and Sendable.

    private let before: ObjectType?
    private let after: ObjectType?
    private let contentChanged: Bool
    private let wasDeleted: Bool

    /// Creates details without an object.
    ///
    /// Programs subclass the class to make a test double, which must override
    /// ``objectBeforeChanges``.
    public override init() {
        before = nil
        after = nil
        contentChanged = false
        wasDeleted = false
        super.init()
    }

    init(before: ObjectType, after: ObjectType?, contentChanged: Bool, wasDeleted: Bool) {
        self.before = before
        self.after = after
        self.contentChanged = contentChanged
        self.wasDeleted = wasDeleted
        super.init()
    }

    /// The object for which details were requested.
    open var objectBeforeChanges: ObjectType {
        guard let before else {
            preconditionFailure(
                "PHObjectChangeDetails.objectBeforeChanges: these details were made with init() and"
                    + " have none; a subclass has to override it"
            )
        }
        return before
    }

    /// The object after the changes, or nil if it was deleted.
    open var objectAfterChanges: ObjectType? { after }

    /// Indicates whether the image, movie or audio itself changed, not only its metadata.
    open var assetContentChanged: Bool { contentChanged }

    /// Indicates whether the object was deleted, which includes moving it to Recently Deleted.
    open var objectWasDeleted: Bool { wasDeleted }
}
