public import Foundation

/// The objects of one type that a change affected.
///
/// Each object is in at most one of the sets. The objects may no longer exist when they are
/// fetched.
open class PHPersistentObjectChangeDetails: NSObject, @unchecked Sendable {
    // Unchecked because the class is open. Every stored property is immutable and Sendable.

    private let type: PHObjectType
    private let inserted: Set<String>
    private let updated: Set<String>
    private let deleted: Set<String>

    /// Creates details for assets, without affected objects.
    ///
    /// Programs subclass it to make a test double.
    public override init() {
        type = .asset
        inserted = []
        updated = []
        deleted = []
        super.init()
    }

    init(
        _ type: PHObjectType,
        inserted: Set<String>,
        updated: Set<String>,
        deleted: Set<String>
    ) {
        self.type = type
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
        super.init()
    }

    /// The type of the objects.
    open var objectType: PHObjectType { type }

    /// The identifiers of inserted objects, including those restored from Recently Deleted.
    open var insertedLocalIdentifiers: Set<String> { inserted }

    /// The identifiers of changed objects, including albums whose members changed.
    open var updatedLocalIdentifiers: Set<String> { updated }

    /// The identifiers of deleted objects, including those moved to Recently Deleted.
    open var deletedLocalIdentifiers: Set<String> { deleted }
}
