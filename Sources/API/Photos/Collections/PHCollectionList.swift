public import Foundation
internal import LibraryService
package import PhotoModel

/// A folder of albums and folders, or a list of moments, as it was when loaded.
///
/// Fetch its content with ``PHCollection/fetchCollections(in:options:)``.
open class PHCollectionList: PHCollection, @unchecked Sendable {
    // Unchecked because the class is open. Its one stored property is immutable and Sendable.

    /// The content of a list that exists only in memory, or nil for a list in the library.
    let members: TransientCollections?

    /// Creates a folder that belongs to no library and whose properties have default values.
    public override init() {
        members = nil
        super.init()
    }

    package override init(record: CollectionRecord?, batch: ObjectBatch) {
        members = nil
        super.init(record: record, batch: batch)
    }

    private init(_ members: TransientCollections) {
        self.members = members
        super.init()
    }

    /// The local identifier, in the form `UUID/L0/020`, or `UUID/L0/080` for a list of moments.
    open override var localIdentifier: String { members?.localIdentifier ?? super.localIdentifier }

    /// The type of the list: folder or list of moments.
    open var collectionListType: PHCollectionListType {
        record?.kind == .momentList ? .momentList : .folder
    }

    /// The subtype of the list: the root folder, another folder, a cluster of moments, or a year of
    /// moments.
    open var collectionListSubtype: PHCollectionListSubtype {
        switch record?.momentLevel {
        case .cluster: return .momentListCluster
        case .year: return .momentListYear
        case .moment, nil: break
        }
        return record?.uuid == CollectionRecord.rootUUID ? .rootFolder : .regularFolder
    }

    /// Indicates whether the list can contain collections, which is always true.
    open override var canContainCollections: Bool { true }

    /// The title, which need not be unique, or nil for the root folder.
    ///
    /// The title of a year is its number. The title of a cluster is the place of most of its
    /// assets, or its month.
    open override var localizedTitle: String? {
        if let members { members.title } else { super.localizedTitle }
    }

    /// The earliest creation date in a list of moments, or nil for a folder.
    open var startDate: Date? { record?.momentLevel == nil ? nil : record?.startDate }

    /// The latest creation date in a list of moments, or nil for a folder.
    open var endDate: Date? { record?.momentLevel == nil ? nil : record?.endDate }

    /// The location names of the moment with the most geotagged assets in a list of moments.
    ///
    /// They have the form of ``PHAssetCollection/localizedLocationNames``. The array is empty for a
    /// folder.
    open var localizedLocationNames: [String] { record?.locationNames ?? [] }

    // MARK: - Fetching

    /// Fetches the folder that contains a collection, or the cluster and the year that contain a
    /// moment.
    ///
    /// The result is empty for a collection in the root folder.
    @discardableResult
    open class func fetchCollectionListsContaining(
        _ collection: PHCollection,
        options: PHFetchOptions?
    ) -> PHFetchResult<PHCollectionList> {
        guard let record = collection.record else { return PHFetchResult() }
        if let moment = collection as? PHAssetCollection, record.kind == .moment {
            return fetchMomentLists(with: .any, containingMoment: moment, options: options)
        }
        return CollectionFetch(
            .parents(collection: record.uuid),
            kind: .folder,
            options: options,
            connection: collection.connection ?? .current
        ).result()
    }

    /// Fetches the folders with the given local identifiers.
    ///
    /// Each folder appears once, and unknown identifiers are ignored. Without sort descriptors, the
    /// folders come in the order of `identifiers`. The root folder is found only if its identifier
    /// is the only one.
    @discardableResult
    open class func fetchCollectionLists(
        withLocalIdentifiers identifiers: [String],
        options: PHFetchOptions?
    ) -> PHFetchResult<PHCollectionList> {
        guard identifiers != [CollectionRecord.root.localIdentifier] else { return rootFolder() }
        return CollectionFetch(.identifiers(identifiers), kind: .folder, options: options).result()
    }

    /// Fetches the lists of a type and subtype.
    ///
    /// - Parameters:
    ///   - collectionListType: Folders, or lists of moments. Smart folders do not exist.
    ///   - subtype: `rootFolder` for the root folder, which no other subtype includes; otherwise
    ///     `any`, `regularFolder`, `momentListCluster` or `momentListYear`.
    ///   - options: A predicate, sort descriptors, a limit; nil sorts folders in order of creation.
    ///     The options are ignored for the root folder.
    /// - Returns: The lists. The result is empty, and the reason is logged, when the options are
    ///   not supported.
    @discardableResult
    open class func fetchCollectionLists(
        with collectionListType: PHCollectionListType,
        subtype: PHCollectionListSubtype,
        options: PHFetchOptions?
    ) -> PHFetchResult<PHCollectionList> {
        switch (collectionListType, subtype) {
        case (.folder, .any), (.folder, .regularFolder):
            return CollectionFetch(.library, kind: .folder, options: options).result()
        case (.folder, .rootFolder):
            return rootFolder()
        case (.momentList, _): return fetchMomentLists(with: subtype, options: options)
        case (.folder, _), (.smartFolder, _): return PHFetchResult()
        }
    }

    /// Returns a result that contains only the root folder.
    ///
    /// The root folder has no row that a fetch could find.
    private static func rootFolder() -> PHFetchResult<PHCollectionList> {
        let connection = LibraryConnection.current
        do throws(LibraryError) {
            let batch = ObjectBatch(
                connection: connection,
                kind: .album,
                ids: RowIDBuffer(CollectionOfOne(CollectionRecord.root.id)),
                version: try connection.service().status().version
            )
            let root = PHCollectionList(record: CollectionRecord.root, batch: batch)
            return PHFetchResult(ListedObjects([root]))
        } catch {
            connection.reportUnlessUnavailable(error)
            return PHFetchResult()
        }
    }

    /// Fetches the lists that contain a moment: its cluster, its year, or both.
    ///
    /// This method is deprecated in PhotoKit.
    ///
    /// - Parameters:
    ///   - momentListSubtype: `momentListCluster`, `momentListYear`, or `any` for both.
    ///   - moment: A moment.
    ///   - options: A predicate, sort descriptors, a limit; nil for chronological order.
    /// - Returns: One list of each subtype, or an empty result if `moment` is not a moment.
    @discardableResult
    open class func fetchMomentLists(
        with momentListSubtype: PHCollectionListSubtype,
        containingMoment moment: PHAssetCollection,
        options: PHFetchOptions?
    ) -> PHFetchResult<PHCollectionList> {
        guard let record = moment.record, record.kind == .moment else { return PHFetchResult() }
        return momentLists(
            momentListSubtype,
            .holding(record.uuid),
            options,
            moment.connection ?? .current
        )
    }

    /// Fetches clusters of nearby moments, lists of each year's moments, or both, in chronological
    /// order.
    ///
    /// This method is deprecated in PhotoKit. A cluster ends with the month, after more than three
    /// days without a moment, or before a moment captured more than a hundred kilometers away.
    ///
    /// - Parameters:
    ///   - momentListSubtype: `momentListCluster`, `momentListYear`, or `any` for both.
    ///   - options: A predicate, sort descriptors, a limit; nil for chronological order.
    /// - Returns: The lists. The result is empty, and the reason is logged, when the options are
    ///   not supported.
    @discardableResult
    open class func fetchMomentLists(
        with momentListSubtype: PHCollectionListSubtype,
        options: PHFetchOptions?
    ) -> PHFetchResult<PHCollectionList> {
        momentLists(momentListSubtype, .all, options, .current)
    }

    private static func momentLists(
        _ subtype: PHCollectionListSubtype,
        _ relation: CollectionFetchRequest.MomentScope.Relation,
        _ options: PHFetchOptions?,
        _ connection: LibraryConnection
    ) -> PHFetchResult<PHCollectionList> {
        let levels: Set<MomentLevel>
        switch subtype {
        case .momentListCluster: levels = [.cluster]
        case .momentListYear: levels = [.year]
        case .any: levels = [.cluster, .year]
        default: return PHFetchResult()
        }
        return CollectionFetch(
            .moments(.init(levels, relation)),
            kind: .folder,
            options: options,
            connection: connection
        ).result()
    }

    // MARK: - Lists in memory

    /// Creates a list in memory, for use with ``PHCollection/fetchCollections(in:options:)``.
    ///
    /// - Parameters:
    ///   - collections: The list's collections, in order, which may include collections in memory.
    ///   - title: The list's title.
    /// - Returns: An immutable list, whose identifier is not found by fetches.
    @discardableResult
    open class func transientCollectionList(
        with collections: [PHCollection],
        title: String?
    ) -> PHCollectionList {
        PHCollectionList(TransientCollections(collections, title: title))
    }

    /// Creates a list in memory, for use with ``PHCollection/fetchCollections(in:options:)``.
    ///
    /// - Parameters:
    ///   - fetchResult: The list's collections, in order.
    ///   - title: The list's title.
    /// - Returns: An immutable list, whose identifier is not found by fetches.
    @discardableResult
    open class func transientCollectionList(
        withCollectionsFetchResult fetchResult: PHFetchResult<PHCollection>,
        title: String?
    ) -> PHCollectionList {
        PHCollectionList(
            TransientCollections((0..<fetchResult.count).map { fetchResult[$0] }, title: title)
        )
    }
}
