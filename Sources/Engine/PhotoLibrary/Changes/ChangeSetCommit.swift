internal import Foundation
internal import GRDB
internal import LibraryService
internal import PhotoModel
internal import WorkerClient

/// Applies a complete change set in one write transaction; errors name the failed request and the
/// reason.
///
/// 1. Operations take effect in order; a later one sees the objects that earlier ones created and
///    deleted.
/// 2. Values that are already as requested are left alone. A set that changes nothing creates no
///    version, and an asset's modification date changes only when the asset does (pains 21).
/// 3. Files are placed last, by the caller that commits; `moves` lists them.
struct ChangeSetCommit {
    /// The pixels of the first rendition of an asset that the set creates or edits.
    typealias Rendition = BatchCommit.Rendition

    let transaction: LibraryTransaction
    let editing: AssetEditing
    /// The staged files of the set and the facts found in them.
    let staged: StagedChanges

    /// The UUIDs of reused existing collections, by the UUIDs of the requested collections.
    var reused: [String: String] = [:]
    var moves: [FilePlacement.Move] = []
    var renditions: [Rendition] = []
    /// The UUIDs of the objects that the set has deleted so far.
    var deleted: Set<String> = []
    var touchedBursts: Set<String> = []

    init(
        transaction: LibraryTransaction,
        editing: AssetEditing,
        staged: StagedChanges
    ) {
        self.transaction = transaction
        self.editing = editing
        self.staged = staged
    }

    /// Applies all operations of a set in order.
    ///
    /// - Throws: The first error, with the number and name of its request.
    mutating func run(_ set: ChangeSet, _ progress: CommitProgress) throws {
        for (position, operation) in set.operations.enumerated() {
            do { try apply(operation.action, at: position) } catch let error as LibraryError {
                throw error.ofRequest(
                    position + 1,
                    of: set.operations.count,
                    named: operation.request
                )
            }
            progress.step()
        }
        for burst in touchedBursts.sorted() { try transaction.resolveBurst(burst) }
    }

    private mutating func apply(_ action: ChangeAction, at position: Int) throws {
        switch action {
        case .createAsset(let creation): try create(creation.uuid, at: position)
        case .editAsset(let uuid, let edit): try self.edit(uuid, edit)
        case .editContent(let uuid, _): try editContent(of: uuid, at: position)
        case .revertContent(let uuid, let choice):
            try revertContent(of: uuid, choice: choice, at: position)
        case .deleteAssets(let uuids): try deleteAssets(uuids)
        case .restoreAssets(let uuids): try restoreAssets(uuids)
        case .purgeAssets(let uuids): try purgeAssets(uuids)
        case .createCollection(let creation): try create(creation)
        case .retitleCollection(let uuid, let title): try retitle(uuid, title)
        case .deleteCollections(let uuids): try deleteCollections(uuids)
        case .editMembers(let album, let edit): try editMembers(of: album, edit)
        case .editChildren(let folder, let edit): try editChildren(of: folder, edit)
        }
    }

    // MARK: - Looking up

    /// Returns the asset with a UUID, even if it is in Recently Deleted.
    func asset(_ uuid: String) throws -> AssetRecord {
        if let record = try transaction.asset(uuid: uuid) { return record }
        let twins = CloudTwinTable(database: transaction.database)
        if let shown = try twins.representative(of: uuid),
            let record = try transaction.asset(uuid: shown)
        {
            return record
        }
        throw try missing("asset", uuid, kind: .asset)
    }

    /// Returns an asset that can be changed, that is, one not in Recently Deleted.
    func changeableAsset(_ uuid: String) throws -> AssetRecord {
        let record = try asset(uuid)
        guard record.trashedDate == nil else {
            throw deleted.contains(uuid)
                ? ChangeProblem.deletedBefore(
                    "asset",
                    uuid,
                    suffix: ObjectKind.asset.identifierSuffix
                )
                : ChangeProblem.trashed([record.localIdentifier])
        }
        return record
    }

    /// Returns the row id of an asset and whether it is in Recently Deleted, which is all that list
    /// edits need.
    func assetPlace(_ uuid: String) throws -> (id: Int64, isTrashed: Bool) {
        let statement = try transaction.database.cachedStatement(
            sql: """
                SELECT id, trashedDate IS NOT NULL FROM asset
                WHERE uuid = \(CloudTwinTable.answeringSQL("?1"))
                """
        )
        guard let row = try Row.fetchOne(statement, arguments: [uuid]) else {
            throw try missing("asset", uuid, kind: .asset)
        }
        return (row[0], row[1])
    }

    /// Returns the album or folder with a UUID, or the root folder.
    ///
    /// - Parameters:
    ///   - uuid: The UUID in the request. The UUID that the set gave to a reused collection is
    ///     resolved.
    ///   - kind: The required kind; nil for either.
    /// - Returns: Its record.
    /// - Throws: `identifierNotFound`, or `changeNotSupported` for an object that cannot be
    ///   changed.
    func collection(_ uuid: String, kind: ObjectKind? = nil) throws -> CollectionRecord {
        let uuid = reused[uuid] ?? uuid
        let words = kind.map { "\($0)" } ?? "album or folder"
        let found =
            uuid == CollectionRecord.rootUUID
            ? CollectionRecord.root : try transaction.collection(uuid: uuid)
        guard let found else { throw try missing(words, uuid, kind: kind ?? .album) }
        guard kind == nil || found.kind == kind else {
            throw ChangeProblem.wrongKind(uuid, is: found.kind, needs: words)
        }
        return found
    }

    /// Returns the error for a UUID without an object of the required kind.
    private func missing(_ words: String, _ uuid: String, kind: ObjectKind) throws -> LibraryError {
        if deleted.contains(uuid) {
            return ChangeProblem.deletedBefore(words, uuid, suffix: kind.identifierSuffix)
        }
        if uuid.hasPrefix(CollectionRecord.builtInPrefix) { return ChangeProblem.builtIn(uuid) }
        if let collection = try transaction.collection(uuid: reused[uuid] ?? uuid) {
            return ChangeProblem.wrongKind(uuid, is: collection.kind, needs: words)
        }
        if try transaction.asset(uuid: uuid) != nil {
            return ChangeProblem.wrongKind(uuid, is: .asset, needs: words)
        }
        return ChangeProblem.unknown(words, uuid, suffix: kind.identifierSuffix)
    }

    /// An SQL condition: an object of the library has or had the UUID `?1`, or the cloud library
    /// has dropped such an object.
    static let isUsedSQL = """
        (EXISTS (SELECT 1 FROM asset WHERE uuid = ?1)
            OR EXISTS (SELECT 1 FROM collection WHERE uuid = ?1)
            OR EXISTS (SELECT 1 FROM tombstone WHERE uuid = ?1)
            OR EXISTS (SELECT 1 FROM cloudStamp
                WHERE kind = \(CloudStampTable.Kind.final.rawValue) AND uuid = ?1))
        """

    /// Throws an error unless the UUID of a new object is valid and unused.
    func checkNew(_ uuid: String) throws {
        guard UUID(uuidString: uuid)?.uuidString == uuid else {
            throw ChangeProblem.newIdentifier(
                uuid,
                reason: "It is not a UUID in upper-case letters."
            )
        }
        let statement = try transaction.database.cachedStatement(
            sql: "SELECT \(Self.isUsedSQL)"
        )
        guard try Bool.fetchOne(statement, arguments: [uuid]) == false, reused[uuid] == nil else {
            throw ChangeProblem.usedIdentifier(uuid)
        }
    }
}
