public import Foundation
internal import LibraryService
package import PhotoModel

/// A folder of albums and folders, or a list of moments, as it was when it was loaded.
///
/// What is in it comes from ``PHCollection/fetchCollections(in:options:)``.
open class PHCollectionList: PHCollection, @unchecked Sendable {
    // Unchecked because the class is open; its one stored property is immutable and Sendable.

    /// What a list that lives in memory only holds; nil for folders of the library.
    let members: TransientCollections?

    /// A folder of no library, without values.
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

    /// `UUID/L0/020`, for a list of moments `UUID/L0/080`.
    open override var localIdentifier: String { members?.localIdentifier ?? super.localIdentifier }

    /// What kind of list it is.
    open var collectionListType: PHCollectionListType {
        record?.kind == .momentList ? .momentList : .folder
    }

    /// Which list it is: the root folder, or one of the user's own; a cluster of moments, or a year.
    open var collectionListSubtype: PHCollectionListSubtype {
        switch record?.momentLevel {
        case .cluster: return .momentListCluster
        case .year: return .momentListYear
        case .moment, nil: break
        }
        return record?.uuid == CollectionRecord.rootUUID ? .rootFolder : .regularFolder
    }

    /// True.
    open override var canContainCollections: Bool { true }

    /// The title; several folders may have the same.
    ///
    /// Nil for the root folder. A year's is its number, a cluster's the place that most of it is of, or
    /// its month.
    open override var localizedTitle: String? {
        if let members { members.title } else { super.localizedTitle }
    }

    /// The earliest creation date in a list of moments; nil for folders.
    open var startDate: Date? { record?.momentLevel == nil ? nil : record?.startDate }

    /// The latest creation date in a list of moments; nil for folders.
    open var endDate: Date? { record?.momentLevel == nil ? nil : record?.endDate }

    /// The names of the place that most of a list's placed assets are of, as
    /// ``PHAssetCollection/localizedLocationNames`` has them; empty for folders.
    open var localizedLocationNames: [String] { record?.locationNames ?? [] }

    // MARK: - Fetching

    /// The folder that holds a collection: one or, for what is in the root folder, none; for a moment its
    /// cluster and its year.
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

    /// The folders with these identifiers: each once, unknown ones left out.
    ///
    /// Without sort descriptors they come in the order of `identifiers`. The root folder's identifier
    /// counts only when it is the only one.
    @discardableResult
    open class func fetchCollectionLists(
        withLocalIdentifiers identifiers: [String],
        options: PHFetchOptions?
    ) -> PHFetchResult<PHCollectionList> {
        guard identifiers != [CollectionRecord.root.localIdentifier] else { return rootFolder() }
        return CollectionFetch(.identifiers(identifiers), kind: .folder, options: options).result()
    }

    /// The folders of a kind.
    ///
    /// - Parameters:
    ///   - collectionListType: Folders, or lists of moments; there are no smart folders.
    ///   - subtype: `rootFolder` for the root folder, which comes in no other answer; else `any`,
    ///     `regularFolder`, `momentListCluster` or `momentListYear`.
    ///   - options: A predicate, an order, a limit; nil for the order in which they were made. Without
    ///     meaning for the root folder.
    /// - Returns: The folders; empty with a logged reason when the options cannot be answered.
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

    /// The root folder, which has no row that a fetch could find.
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

    /// The cluster or the year that a moment is in.
    ///
    /// Deprecated in PhotoKit.
    ///
    /// - Parameters:
    ///   - momentListSubtype: `momentListCluster`, `momentListYear`, or `any` for both.
    ///   - moment: A moment.
    ///   - options: A predicate, an order, a limit; nil for the order of time.
    /// - Returns: One list of each subtype; nothing for what is no moment.
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

    /// Clusters of moments that lie near one another, or the moments of each year; in the order of time.
    ///
    /// Deprecated in PhotoKit. A cluster ends with a month, with more than three days without a moment,
    /// and where the next was captured more than a hundred kilometres away.
    ///
    /// - Parameters:
    ///   - momentListSubtype: `momentListCluster`, `momentListYear`, or `any` for both.
    ///   - options: A predicate, an order, a limit; nil for the order of time.
    /// - Returns: The lists; empty with a logged reason when the options cannot be answered.
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

    // MARK: - In memory only

    /// A list that lives in memory only, and can be given to
    /// ``PHCollection/fetchCollections(in:options:)``.
    ///
    /// - Parameters:
    ///   - collections: What is in it, in order; collections in memory, too.
    ///   - title: Its title.
    /// - Returns: A list with an identifier that no fetch finds, and that nothing changes.
    @discardableResult
    open class func transientCollectionList(
        with collections: [PHCollection],
        title: String?
    ) -> PHCollectionList {
        PHCollectionList(TransientCollections(collections, title: title))
    }

    /// A list that lives in memory only, and can be given to
    /// ``PHCollection/fetchCollections(in:options:)``.
    ///
    /// - Parameters:
    ///   - fetchResult: What is in it, in order.
    ///   - title: Its title.
    /// - Returns: A list with an identifier that no fetch finds, and that nothing changes.
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
