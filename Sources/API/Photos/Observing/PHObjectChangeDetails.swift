public import Foundation

/// What became of one object.
open class PHObjectChangeDetails<ObjectType: PHObject>: NSObject, @unchecked Sendable {
    // Unchecked because the class is open; every stored property is immutable and Sendable.

    private let before: ObjectType?
    private let after: ObjectType?
    private let contentChanged: Bool
    private let wasDeleted: Bool

    /// Details of no object.
    ///
    /// Programs subclass the class as a test double; ``objectBeforeChanges`` is then theirs to
    /// override.
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

    /// The very object that the change was asked about.
    open var objectBeforeChanges: ObjectType {
        guard let before else {
            preconditionFailure(
                "PHObjectChangeDetails.objectBeforeChanges: these details were made with init() and"
                    + " have none; a subclass has to override it"
            )
        }
        return before
    }

    /// The object as it is now; nil when it was deleted.
    open var objectAfterChanges: ObjectType? { after }

    /// Whether the picture, the movie or the sound itself changed, and not only what is known of it.
    open var assetContentChanged: Bool { contentChanged }

    /// Whether the object was deleted, which going to Recently Deleted is too.
    open var objectWasDeleted: Bool { wasDeleted }
}
