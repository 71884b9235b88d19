public import Foundation
internal import LibraryService
package import PhotoModel

/// A collection of assets, or a list of collections, as it was when loaded.
///
/// An album, a smart album or a moment is a ``PHAssetCollection``. A folder or a list of moments is
/// a ``PHCollectionList``. Collections are immutable; fetch again to see a newer state. They do not
/// contain their members, which are fetched separately.
open class PHCollection: PHObject, @unchecked Sendable {
    // Unchecked because the class is open. Its one stored property is immutable and Sendable.

    /// The stored record, or nil if the collection has no library or could not be loaded.
    package let record: CollectionRecord?
    /// The library that the collection was loaded from.
    package var connection: LibraryConnection? { batch?.connection }

    /// Creates a collection that belongs to no library and whose properties have default values.
    public override init() {
        record = nil
        super.init()
    }

    /// Creates a collection from its record.
    ///
    /// If the record is nil, the collection's properties have default values.
    package init(record: CollectionRecord?, batch: ObjectBatch) {
        self.record = record
        super.init(batch: batch)
    }

    /// Returns a collection list if the record is a folder or a moment list, otherwise an asset
    /// collection.
    package static func loaded(_ record: CollectionRecord, batch: ObjectBatch) -> PHCollection {
        record.kind == .folder || record.kind == .momentList
            ? PHCollectionList(record: record, batch: batch)
            : PHAssetCollection(record: record, batch: batch)
    }

    package override var rowID: Int64? { record?.id }

    /// The local identifier, whose suffix depends on the kind of collection.
    ///
    /// It is `UUID/L0/040` for an album, `UUID/L0/020` for a folder, `UUID/L0/060` for a moment and
    /// `UUID/L0/080` for a list of moments.
    open override var localIdentifier: String { record?.localIdentifier ?? "" }

    /// Indicates whether the collection can contain assets, which is true for asset collections.
    open var canContainAssets: Bool { false }

    /// Indicates whether the collection can contain collections, which is true for lists.
    open var canContainCollections: Bool { false }

    /// The title, or nil for the root folder.
    ///
    /// Titles need not be unique.
    open var localizedTitle: String? {
        record.flatMap { $0.uuid == CollectionRecord.rootUUID ? nil : $0.title }
    }

    /// The date of the last change to the title or content.
    ///
    /// It is nil for the root folder, smart albums and moments.
    open var modificationDate: Date? {
        record.flatMap { $0.isBuiltIn || $0.momentLevel != nil ? nil : $0.modificationDate }
    }

    /// The smart album that the collection represents, or nil for all other collections.
    var smartAlbum: SmartAlbum? { record.flatMap { SmartAlbum(rowID: $0.id) } }

    /// Returns whether the library currently allows an operation on the collection.
    ///
    /// While the library is writable, albums and folders allow all operations. The root folder
    /// cannot be renamed or deleted, and its content can be removed only by moving it to another
    /// folder. Smart albums and moments allow only deleting their content, because the properties
    /// of assets determine their membership. Lists of moments and deleted collections allow no
    /// operations.
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

    /// Returns the value of a property by its name, for programs that rely on key-value coding.
    ///
    /// Every property name is accepted, and `title` as another name of the title.
    open override func value(forKey key: String) -> Any? {
        propertyValue(forKey: key)
    }

    // MARK: - Fetching

    /// Fetches the collections directly inside a list.
    ///
    /// These are the albums and folders of a folder, the clusters of moments of a year, or the
    /// moments of a cluster.
    ///
    /// - Parameters:
    ///   - collectionList: A folder, a list of moments, or a list that a program created in memory.
    ///   - options: A predicate, sort descriptors, a limit; nil for the list's own order.
    /// - Returns: The asset collections and lists. The result is empty, and the reason is logged,
    ///   when the options are not supported.
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

    /// Fetches the albums and folders directly inside the root folder.
    ///
    /// - Parameter options: A predicate, sort descriptors, a limit; nil for the order that the user
    ///   sees.
    /// - Returns: The albums and folders. The result is empty, and the reason is logged, when the
    ///   options are not supported.
    @discardableResult
    open class func fetchTopLevelUserCollections(
        with options: PHFetchOptions?
    ) -> PHFetchResult<PHCollection> {
        CollectionFetch(.children(folder: CollectionRecord.rootUUID), options: options).result()
    }
}
