public import Foundation
internal import LibraryService
package import PhotoModel

/// A folder of albums and folders, as it was when it was loaded.
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

    /// `UUID/L0/020`.
    open override var localIdentifier: String { members?.localIdentifier ?? super.localIdentifier }

    /// What kind of list it is.
    open var collectionListType: PHCollectionListType { .folder }

    /// Which list it is: the root folder, or one of the user's own.
    open var collectionListSubtype: PHCollectionListSubtype {
        record?.uuid == CollectionRecord.rootUUID ? .rootFolder : .regularFolder
    }

    /// True.
    open override var canContainCollections: Bool { true }

    /// The title; several folders may have the same.
    ///
    /// Nil for the root folder.
    open override var localizedTitle: String? {
        if let members { members.title } else { super.localizedTitle }
    }

    /// Nil for folders: only lists of moments are about a time.
    open var startDate: Date? { nil }

    /// Nil for folders: only lists of moments are about a time.
    open var endDate: Date? { nil }

    /// Empty for folders: only lists of moments are about places.
    open var localizedLocationNames: [String] { [] }

    // MARK: - Fetching

    /// The folder that holds a collection: one or, for what is in the root folder, none.
    open class func fetchCollectionListsContaining(
        _ collection: PHCollection,
        options: PHFetchOptions?
    ) -> PHFetchResult<PHCollectionList> {
        guard let record = collection.record else { return PHFetchResult() }
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
    ///   - collectionListType: Smart folders and lists of moments are not there: the result is empty,
    ///     and for moments a reason is logged.
    ///   - subtype: `rootFolder` for the root folder, which comes in no other answer; else `any` or
    ///     `regularFolder`.
    ///   - options: A predicate, an order, a limit; nil for the order in which they were made. Without
    ///     meaning for the root folder.
    /// - Returns: The folders; empty with a logged reason when the options cannot be answered.
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
        case (.momentList, _): return noMoments()
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

    /// Nothing yet, and a logged reason.
    ///
    /// Deprecated in PhotoKit.
    open class func fetchMomentLists(
        with momentListSubtype: PHCollectionListSubtype,
        containingMoment moment: PHAssetCollection,
        options: PHFetchOptions?
    ) -> PHFetchResult<PHCollectionList> {
        noMoments()
    }

    /// Nothing yet, and a logged reason.
    ///
    /// Deprecated in PhotoKit.
    open class func fetchMomentLists(
        with momentListSubtype: PHCollectionListSubtype,
        options: PHFetchOptions?
    ) -> PHFetchResult<PHCollectionList> {
        noMoments()
    }

    private static func noMoments() -> PHFetchResult<PHCollectionList> {
        LibraryConnection.current.noteAbsence(of: "lists of moments")
        return PHFetchResult()
    }

    // MARK: - In memory only

    /// A list that lives in memory only, and can be given to
    /// ``PHCollection/fetchCollections(in:options:)``.
    ///
    /// - Parameters:
    ///   - collections: What is in it, in order; collections in memory, too.
    ///   - title: Its title.
    /// - Returns: A list with an identifier that no fetch finds, and that nothing changes.
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
    open class func transientCollectionList(
        withCollectionsFetchResult fetchResult: PHFetchResult<PHCollection>,
        title: String?
    ) -> PHCollectionList {
        PHCollectionList(
            TransientCollections((0..<fetchResult.count).map { fetchResult[$0] }, title: title)
        )
    }
}
