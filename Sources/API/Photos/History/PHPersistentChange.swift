public import Foundation
internal import LibraryService
internal import PhotoModel

/// An entry in a library's history: all changes of one transaction.
open class PHPersistentChange: NSObject, @unchecked Sendable {
    // Unchecked because the class is open. Its stored properties are immutable and Sendable.

    private let token: PHPersistentChangeToken
    private let changes: Result<[HistoryChange], PHPhotosError>

    /// Creates a change without affected objects.
    ///
    /// Programs subclass it to make a test double.
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

    /// The token for the history up to and including this change; keep it after processing the
    /// change.
    open var changeToken: PHPersistentChangeToken { token }

    /// Returns the identifiers of the objects of one type that the change affected.
    ///
    /// - Parameter objectType: The type of the objects.
    /// - Returns: The identifiers of the affected objects, as empty sets if there are none.
    /// - Throws: ``PHPhotosError``, with code `persistentChangeDetailsUnavailable` if the history
    ///   was pruned while it was being read. In that case, start over with a full fetch and a new
    ///   token.
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

    /// The class and the token, for debugging.
    open override var description: String { "<\(type(of: self)) \(token)>" }
}

extension ObjectKind {
    /// Creates the engine's object kind for a PhotoKit object type.
    fileprivate init(_ type: PHObjectType) {
        self =
            switch type {
            case .asset: .asset
            case .assetCollection: .album
            case .collectionList: .folder
            }
    }
}
