public import Foundation
internal import LibraryService
package import PhotoModel

/// An album, a moment, or a folder or list of them, as it was when it was loaded.
///
/// Each is a ``PHAssetCollection`` or a ``PHCollectionList``. Collections never change: a new state
/// comes only with a new fetch. They do not hold what is in them; that is fetched.
open class PHCollection: PHObject, @unchecked Sendable {
    // Unchecked because the class is open; its one stored property is immutable and Sendable.

    /// What is stored about it; nil for a collection of no library.
    package let record: CollectionRecord?
    /// The library that it came from.
    package var connection: LibraryConnection? { batch?.connection }

    /// A collection of no library, without values.
    public override init() {
        record = nil
        super.init()
    }

    /// A collection as it was loaded; without values when its row was gone.
    package init(record: CollectionRecord?, batch: ObjectBatch) {
        self.record = record
        super.init(batch: batch)
    }

    /// The object for a record: an asset collection for an album, a list for a folder.
    package static func loaded(_ record: CollectionRecord, batch: ObjectBatch) -> PHCollection {
        record.kind == .folder || record.kind == .momentList
            ? PHCollectionList(record: record, batch: batch)
            : PHAssetCollection(record: record, batch: batch)
    }

    package override var rowID: Int64? { record?.id }

    /// `UUID/L0/040` for an album, `UUID/L0/020` for a folder, `UUID/L0/060` for a moment and
    /// `UUID/L0/080` for a list of moments.
    open override var localIdentifier: String { record?.localIdentifier ?? "" }

    /// Whether assets can be in it: true for albums.
    open var canContainAssets: Bool { false }

    /// Whether collections can be in it: true for folders.
    open var canContainCollections: Bool { false }

    /// The title.
    ///
    /// Several collections may have the same. Nil for the root folder.
    open var localizedTitle: String? {
        record.flatMap { $0.uuid == CollectionRecord.rootUUID ? nil : $0.title }
    }

    /// When its title, or what is in it, was last changed; nil for the root folder, smart albums and
    /// moments.
    open var modificationDate: Date? {
        record.flatMap { $0.isBuiltIn || $0.momentLevel != nil ? nil : $0.modificationDate }
    }

    /// Which smart album it is; nil for all other collections.
    var smartAlbum: SmartAlbum? { record.flatMap { SmartAlbum(rowID: $0.id) } }

    /// Whether an operation would be allowed, as far as can be told now.
    ///
    /// Everything is for albums and folders while the library can be written to; but the root folder
    /// can be neither renamed nor deleted, and what is in it can be taken out only by putting it into
    /// another folder. Of a smart album or a moment only what is in it can be deleted: which assets
    /// those are follows from their properties. Nothing can be done to lists of moments, and nothing
    /// is for what was deleted since.
    open func canPerform(_ anOperation: PHCollectionEditOperation) -> Bool {
        guard let connection, let record, let service = try? connection.service(),
            let status = try? service.status(), status.readOnlyReason == nil,
            let reply = try? service.loadCollections(
                CollectionLoadRequest(ids: RowIDBuffer(CollectionOfOne(record.id)))
            ), !reply.collections.isEmpty
        else { return false }
        if smartAlbum != nil || record.kind == .moment { return anOperation == .deleteContent }
        if record.kind == .momentList { return false }
        guard record.uuid == CollectionRecord.rootUUID else { return true }
        return switch anOperation {
        case .delete, .rename, .removeContent: false
        case .deleteContent, .addContent, .createContent, .rearrangeContent: true
        }
    }

    /// A property by its name, for programs that are used to key-value coding.
    ///
    /// Every property works; `title` is the title, too.
    open override func value(forKey key: String) -> Any? {
        propertyValue(forKey: key)
    }

    // MARK: - Fetching

    /// Fetches what is directly in a folder: albums and folders; in a year: its clusters of moments; in
    /// a cluster: its moments.
    ///
    /// - Parameters:
    ///   - collectionList: A folder, a list of moments, or a list that a program made.
    ///   - options: A predicate, an order, a limit; nil for the folder's own order.
    /// - Returns: Asset collections and lists mixed; empty with a logged reason when the options
    ///   cannot be answered.
    @discardableResult
    open class func fetchCollections(
        in collectionList: PHCollectionList,
        options: PHFetchOptions?
    ) -> PHFetchResult<PHCollection> {
        if let members = collectionList.members { return members.fetch(options) }
        guard let record = collectionList.record else { return PHFetchResult() }
        let scope: CollectionFetchRequest.Scope =
            switch record.momentLevel {
            case .year: .moments(.init([.cluster], .inList(record.uuid)))
            case .cluster, .moment: .moments(.init([.moment], .inList(record.uuid)))
            case nil: .children(folder: record.uuid)
            }
        return CollectionFetch(
            scope,
            options: options,
            connection: collectionList.connection ?? .current
        ).result()
    }

    /// The albums and folders that are in no other folder: what is in the root folder.
    ///
    /// - Parameter options: A predicate, an order, a limit; nil for the order that the user sees.
    /// - Returns: Empty with a logged reason when the options cannot be answered.
    @discardableResult
    open class func fetchTopLevelUserCollections(
        with options: PHFetchOptions?
    ) -> PHFetchResult<PHCollection> {
        CollectionFetch(.children(folder: CollectionRecord.rootUUID), options: options).result()
    }
}
