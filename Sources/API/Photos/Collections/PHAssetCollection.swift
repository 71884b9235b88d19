public import Foundation
internal import LibraryService
package import PhotoModel
public import PhotosCompanions

/// An album, a smart album or a moment, as it was when it was loaded.
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

    /// `UUID/L0/040`, for a moment `UUID/L0/060`.
    open override var localIdentifier: String { members?.localIdentifier ?? super.localIdentifier }

    /// What kind of album it is.
    open var assetCollectionType: PHAssetCollectionType {
        if record?.kind == .moment { return .moment }
        return smartAlbum == nil ? .album : .smartAlbum
    }

    /// Which album it is; `any` for a moment, as moments have no subtypes.
    open var assetCollectionSubtype: PHAssetCollectionSubtype {
        if record?.kind == .moment { return .any }
        return smartAlbum.flatMap { PHAssetCollectionSubtype(rawValue: $0.rawValue) }
            ?? .albumRegular
    }

    /// True.
    open override var canContainAssets: Bool { true }

    /// The title; several albums may have the same.
    ///
    /// A smart album's is in the user's language, where it is English, German, Spanish, Italian,
    /// Russian or Chinese (by `LC_ALL`, `LC_MESSAGES` and `LANG`), else in English. A moment's is its
    /// place and the region of that; its date where no place is known.
    open override var localizedTitle: String? {
        if let members { members.title } else { super.localizedTitle }
    }

    /// How many assets a fetch without options gives.
    ///
    /// Always known and exact as of when the album was loaded; 0 for an album of no library.
    open var estimatedAssetCount: Int { members?.count ?? record?.assetCount ?? 0 }

    /// The earliest creation date of its assets; nil when none has one.
    open var startDate: Date? {
        if let members { members.date(isLatest: false) } else { record?.startDate }
    }

    /// The latest creation date of its assets; nil when none has one.
    open var endDate: Date? {
        if let members { members.date(isLatest: true) } else { record?.endDate }
    }

    /// Where its assets were captured, in the middle; nil for albums, as only moments are about a
    /// place, and for a moment of which no place is known.
    open var approximateLocation: CLLocation? {
        guard let record, record.kind == .moment, let place = record.place else { return nil }
        return CLLocation(place, timestamp: record.startDate ?? record.creationDate)
    }

    /// The names of the place where its assets were captured, from the smallest: a place, its region,
    /// its country; empty for albums, and for a moment of which no place is known.
    ///
    /// The country's is in the user's language, the others as GeoNames has them.
    open var localizedLocationNames: [String] { record?.locationNames ?? [] }

    // MARK: - Fetching

    /// The albums with these identifiers: each once, unknown ones left out.
    ///
    /// Without sort descriptors they come in the order of `identifiers`.
    @discardableResult
    open class func fetchAssetCollections(
        withLocalIdentifiers identifiers: [String],
        options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        CollectionFetch(.identifiers(identifiers), kind: .album, options: options).result()
    }

    /// The albums of a kind.
    ///
    /// - Parameters:
    ///   - type: Albums of the user's own, smart albums, or moments.
    ///   - subtype: `any`, or one of the type's; all albums of the user's own are `albumRegular`,
    ///     no smart album is `smartAlbumGeneric`, and moments have none.
    ///   - options: A predicate, an order, a limit; nil for the order in which they were made, in
    ///     which smart albums show, or of time.
    /// - Returns: The albums; empty with a logged reason when the options cannot be answered. Smart
    ///   albums are there when nothing is in them, too.
    @discardableResult
    open class func fetchAssetCollections(
        with type: PHAssetCollectionType,
        subtype: PHAssetCollectionSubtype,
        options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        switch type {
        case .moment: return subtype == .any ? fetchMoments(with: options) : PHFetchResult()
        case .smartAlbum:
            let subtypes = subtype == .any ? nil : [subtype.rawValue]
            return CollectionFetch(.smartAlbums(subtypes), kind: .album, options: options).result()
        case .album:
            guard subtype == .any || subtype == .albumRegular else { return PHFetchResult() }
            return CollectionFetch(.library, kind: .album, options: options).result()
        }
    }

    /// The albums that hold an asset.
    ///
    /// - Parameters:
    ///   - asset: An asset of the library.
    ///   - type: `album`, or `moment`, of which there is one at most. Smart albums are not found this
    ///     way, in PhotoKit neither: the result is empty.
    ///   - options: A predicate, an order, a limit; nil for the order in which they were made.
    /// - Returns: The albums; empty with a logged reason when the options cannot be answered.
    @discardableResult
    open class func fetchAssetCollectionsContaining(
        _ asset: PHAsset,
        with type: PHAssetCollectionType,
        options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        guard type != .smartAlbum, let record = asset.record else { return PHFetchResult() }
        return CollectionFetch(
            type == .moment
                ? .moments(.init([.moment], .ofAsset(record.uuid)))
                : .containing(asset: record.uuid),
            kind: .album,
            options: options,
            connection: asset.connection ?? .current
        ).result()
    }

    /// Nothing: there never were asset library groups on this system.
    @discardableResult
    open class func fetchAssetCollections(
        withALAssetGroupURLs assetGroupURLs: [URL],
        options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        PHFetchResult()
    }

    /// The moments in a list of moments, in the order of time.
    ///
    /// Deprecated in PhotoKit. Without sort descriptors they come in the order of the clocks on the
    /// walls where they were captured.
    ///
    /// - Parameters:
    ///   - momentList: A list of moments: a cluster, or a year.
    ///   - options: A predicate, an order, a limit; nil for all.
    /// - Returns: The moments; empty for a folder, and with a logged reason when the options cannot be
    ///   answered.
    @discardableResult
    open class func fetchMoments(
        inMomentList momentList: PHCollectionList,
        options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        guard let record = momentList.record, record.kind == .momentList else {
            return PHFetchResult()
        }
        return CollectionFetch(
            .moments(.init([.moment], .inList(record.uuid))),
            kind: .album,
            options: options,
            connection: momentList.connection ?? .current
        ).result()
    }

    /// All moments, in the order of time.
    ///
    /// Deprecated in PhotoKit. A moment has the assets of one place and one part of a day, by the
    /// clocks on the walls: it ends with the day, with a pause of more than six hours, and where the
    /// next picture was taken more than ten kilometres away. Hidden and deleted assets, and those
    /// without a date, are in none. A moment keeps its identifier as long as most of its assets stay
    /// together.
    ///
    /// - Parameter options: A predicate, an order, a limit; nil for all.
    /// - Returns: The moments; empty with a logged reason when the options cannot be answered, and for
    ///   a program that may see some assets only.
    @discardableResult
    open class func fetchMoments(with options: PHFetchOptions?) -> PHFetchResult<PHAssetCollection>
    {
        CollectionFetch(.moments(.init([.moment])), kind: .album, options: options).result()
    }

    // MARK: - In memory only

    /// An album that lives in memory only, and can be given to
    /// ``PHAsset/fetchAssets(in:options:)``.
    ///
    /// - Parameters:
    ///   - assets: What is in it, in order; hidden ones, too. They have to be of one library.
    ///   - title: Its title.
    /// - Returns: An album with an identifier that no fetch finds, and that nothing changes.
    @discardableResult
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
    @discardableResult
    open class func transientAssetCollection(
        withAssetFetchResult fetchResult: PHFetchResult<PHAsset>,
        title: String?
    ) -> PHAssetCollection {
        PHAssetCollection(TransientAssets(fetchResult, title: title))
    }
}
