public import Foundation
internal import LibraryService
package import PhotoModel
public import PhotosCompanions

/// An album, as it was when it was loaded.
///
/// What is in it comes from ``PHAsset/fetchAssets(in:options:)``.
open class PHAssetCollection: PHCollection, @unchecked Sendable {
    // Unchecked because the class is open; its one stored property is immutable and Sendable.

    /// What a collection that lives in memory only holds; nil for albums of the library.
    let members: TransientAssets?

    /// An album of no library, without values.
    public override init() {
        members = nil
        super.init()
    }

    package override init(record: CollectionRecord?, batch: ObjectBatch) {
        members = nil
        super.init(record: record, batch: batch)
    }

    private init(_ members: TransientAssets) {
        self.members = members
        super.init()
    }

    /// `UUID/L0/040`.
    open override var localIdentifier: String { members?.localIdentifier ?? super.localIdentifier }

    /// What kind of album it is.
    open var assetCollectionType: PHAssetCollectionType { .album }

    /// Which album it is.
    open var assetCollectionSubtype: PHAssetCollectionSubtype { .albumRegular }

    /// True.
    open override var canContainAssets: Bool { true }

    /// The title; several albums may have the same.
    open override var localizedTitle: String? {
        if let members { members.title } else { super.localizedTitle }
    }

    /// How many assets a fetch without options gives.
    ///
    /// Always known and exact as of when the album was loaded; 0 for an album of no library.
    open var estimatedAssetCount: Int { members?.count ?? record?.assetCount ?? 0 }

    /// The earliest creation date of its assets; nil when none has one.
    open var startDate: Date? {
        if let members { members.dates.first } else { record?.startDate }
    }

    /// The latest creation date of its assets; nil when none has one.
    open var endDate: Date? {
        if let members { members.dates.last } else { record?.endDate }
    }

    /// Where its assets were captured; nil for albums, as only moments are about a place.
    open var approximateLocation: CLLocation? { nil }

    /// The names of the places where its assets were captured; empty for albums.
    open var localizedLocationNames: [String] { [] }

    // MARK: - Fetching

    /// The albums with these identifiers: each once, unknown ones left out.
    ///
    /// Without sort descriptors they come in the order of `identifiers`.
    open class func fetchAssetCollections(
        withLocalIdentifiers identifiers: [String],
        options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        CollectionFetch(.identifiers(identifiers), kind: .album, options: options).result()
    }

    /// The albums of a kind.
    ///
    /// - Parameters:
    ///   - type: Smart albums and moments are not there yet: the result is empty and a reason is
    ///     logged.
    ///   - subtype: `any`, or one of the type's; all albums of the library are `albumRegular`.
    ///   - options: A predicate, an order, a limit; nil for the order in which they were made.
    /// - Returns: The albums; empty with a logged reason when the options cannot be answered.
    open class func fetchAssetCollections(
        with type: PHAssetCollectionType,
        subtype: PHAssetCollectionSubtype,
        options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        guard type == .album else { return notYet(type) }
        guard subtype == .any || subtype == .albumRegular else { return PHFetchResult() }
        return CollectionFetch(.library, kind: .album, options: options).result()
    }

    /// The albums that hold an asset.
    ///
    /// - Parameters:
    ///   - asset: An asset of the library.
    ///   - type: Smart albums are not found this way, in PhotoKit neither; moments are not there yet.
    ///   - options: A predicate, an order, a limit; nil for the order in which they were made.
    /// - Returns: The albums; empty with a logged reason when the options cannot be answered.
    open class func fetchAssetCollectionsContaining(
        _ asset: PHAsset,
        with type: PHAssetCollectionType,
        options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        guard type == .album else { return notYet(type) }
        guard let record = asset.record else { return PHFetchResult() }
        return CollectionFetch(
            .containing(asset: record.uuid),
            kind: .album,
            options: options,
            connection: asset.connection ?? .current
        ).result()
    }

    /// Nothing: there never were asset library groups on this system.
    open class func fetchAssetCollections(
        withALAssetGroupURLs assetGroupURLs: [URL],
        options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        PHFetchResult()
    }

    /// Nothing yet, and a logged reason.
    ///
    /// Deprecated in PhotoKit.
    open class func fetchMoments(
        inMomentList momentList: PHCollectionList,
        options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        notYet(.moment)
    }

    /// Nothing yet, and a logged reason.
    ///
    /// Deprecated in PhotoKit.
    open class func fetchMoments(with options: PHFetchOptions?) -> PHFetchResult<PHAssetCollection>
    {
        notYet(.moment)
    }

    private static func notYet(_ type: PHAssetCollectionType) -> PHFetchResult<PHAssetCollection> {
        LibraryConnection.current.noteAbsence(of: "collections of the type \(type)")
        return PHFetchResult()
    }

    // MARK: - In memory only

    /// An album that lives in memory only, and can be given to
    /// ``PHAsset/fetchAssets(in:options:)``.
    ///
    /// - Parameters:
    ///   - assets: What is in it, in order; hidden ones, too. They have to be of one library.
    ///   - title: Its title.
    /// - Returns: An album with an identifier that no fetch finds, and that nothing changes.
    open class func transientAssetCollection(
        with assets: [PHAsset],
        title: String?
    ) -> PHAssetCollection {
        PHAssetCollection(TransientAssets(assets, title: title))
    }

    /// An album that lives in memory only, and can be given to
    /// ``PHAsset/fetchAssets(in:options:)``.
    ///
    /// - Parameters:
    ///   - fetchResult: What is in it, in order.
    ///   - title: Its title.
    /// - Returns: An album with an identifier that no fetch finds, and that nothing changes.
    open class func transientAssetCollection(
        withAssetFetchResult fetchResult: PHFetchResult<PHAsset>,
        title: String?
    ) -> PHAssetCollection {
        PHAssetCollection(TransientAssets(fetchResult, title: title))
    }
}
