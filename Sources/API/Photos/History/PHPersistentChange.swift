public import Foundation
internal import LibraryService
internal import PhotoModel

/// One change in a library's history: everything that was committed at once.
open class PHPersistentChange: NSObject, @unchecked Sendable {
    // Unchecked because the class is open; both stored properties are immutable and Sendable.

    private let token: PHPersistentChangeToken
    private let changes: Result<[HistoryChange], PHPhotosError>

    /// A change that touched nothing.
    ///
    /// Programs subclass it as a test double.
    public override init() {
        token = PHPersistentChangeToken()
        changes = .success([])
        super.init()
    }

    init(token: PHPersistentChangeToken, changes: Result<[HistoryChange], PHPhotosError>) {
        self.token = token
        self.changes = changes
        super.init()
    }

    /// Stands for everything up to and including this change: keep it once the change is dealt with.
    open var changeToken: PHPersistentChangeToken { token }

    /// Which objects of a type the change touched.
    ///
    /// - Parameter objectType: The type to tell of.
    /// - Returns: Empty sets where none was.
    /// - Throws: ``PHPhotosError``, with code `persistentChangeDetailsUnavailable` when history was
    ///   pruned while it was read: then start over with a full fetch and a new token.
    open func changeDetails(
        for objectType: PHObjectType
    ) throws -> PHPersistentObjectChangeDetails {
        let kind = ObjectKind(objectType)
        var sets: [HistoryChange.Kind: Set<String>] = [:]
        for change in try changes.get() where change.object == kind {
            sets[change.kind, default: []].insert(change.localIdentifier)
        }
        return PHPersistentObjectChangeDetails(
            objectType,
            inserted: sets[.inserted] ?? [],
            updated: sets[.updated] ?? [],
            deleted: sets[.deleted] ?? []
        )
    }

    /// The class and the token, for a person.
    open override var description: String { "<\(type(of: self)) \(token)>" }
}

extension ObjectKind {
    /// What history calls a type of object.
    fileprivate init(_ type: PHObjectType) {
        self =
            switch type {
            case .asset: .asset
            case .assetCollection: .album
            case .collectionList: .folder
            }
    }
}
