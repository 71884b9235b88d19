public import Foundation

/// Which objects of one type a change touched.
///
/// An object is in one of the sets at most. Those that are named may be gone by the time that they are
/// fetched.
open class PHPersistentObjectChangeDetails: NSObject, @unchecked Sendable {
    // Unchecked because the class is open; every stored property is immutable and Sendable.

    private let type: PHObjectType
    private let inserted: Set<String>
    private let updated: Set<String>
    private let deleted: Set<String>

    /// Details of assets, none of which was touched.
    ///
    /// Programs subclass it as a test double.
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

    /// Those that appeared, out of Recently Deleted too.
    open var insertedLocalIdentifiers: Set<String> { inserted }

    /// Those that were there before and changed; an album also when its members did.
    open var updatedLocalIdentifiers: Set<String> { updated }

    /// Those that went, into Recently Deleted too.
    open var deletedLocalIdentifiers: Set<String> { deleted }
}
