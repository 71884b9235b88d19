public import Foundation
internal import LibraryService
package import PhotoModel
public import PhotosCompanions

/// An album, a smart album or a moment, as it was when loaded.
///
/// Fetch its assets with ``PHAsset/fetchAssets(in:options:)``.
open class PHAssetCollection: PHCollection, @unchecked Sendable {
    // Unchecked because the class is open. Its one stored property is immutable and Sendable.

    /// The content of a collection that exists only in memory, or nil for a collection in the
    /// library.
    let members: TransientAssets?

    /// Creates an album that belongs to no library and whose properties have default values.
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

    /// The local identifier, in the form `UUID/L0/040`, or `UUID/L0/060` for a moment.
    open override var localIdentifier: String { members?.localIdentifier ?? super.localIdentifier }

    /// The type of the collection: album, smart album or moment.
    open var assetCollectionType: PHAssetCollectionType {
        if record?.kind == .moment { return .moment }
        return smartAlbum == nil ? .album : .smartAlbum
    }

    /// The subtype of the collection; `any` for a moment, because moments have no subtypes.
    open var assetCollectionSubtype: PHAssetCollectionSubtype {
        if record?.kind == .moment { return .any }
        return smartAlbum.flatMap { PHAssetCollectionSubtype(rawValue: $0.rawValue) }
            ?? .albumRegular
    }

    /// Indicates whether the collection can contain assets, which is always true.
    open override var canContainAssets: Bool { true }

    /// The title, which need not be unique.
    ///
    /// The title of a smart album is in the user's language (by `LC_ALL`, `LC_MESSAGES` and `LANG`)
    /// if that is English, German, Spanish, Italian, Russian or Chinese, otherwise in English. The
    /// title of a moment is its place and region, or its date if no place is known.
    open override var localizedTitle: String? {
        if let members { members.title } else { super.localizedTitle }
    }

    /// The number of assets that a fetch without options returns.
    ///
    /// It is always known, and exact as of the time when the album was loaded. It is 0 for an album
    /// without a library.
    open var estimatedAssetCount: Int { members?.count ?? record?.assetCount ?? 0 }

    /// The earliest creation date of the assets, or nil if no asset has one.
    open var startDate: Date? {
        if let members { members.date(isLatest: false) } else { record?.startDate }
    }

    /// The latest creation date of the assets, or nil if no asset has one.
    open var endDate: Date? {
        if let members { members.date(isLatest: true) } else { record?.endDate }
    }

    /// The center of the places where a moment's assets were captured.
    ///
    /// It is nil for an album, and for a moment without a known place.
    open var approximateLocation: CLLocation? {
        guard let record, record.kind == .moment, let place = record.place else { return nil }
        return CLLocation(place, timestamp: record.startDate ?? record.creationDate)
    }

    /// The names of a moment's place, from smallest to largest: the place, its region, its country.
    ///
    /// The array is empty for an album, and for a moment without a known place. The country is in
    /// the user's language; the other names are as in GeoNames.
    open var localizedLocationNames: [String] { record?.locationNames ?? [] }

    // MARK: - Fetching

    /// Fetches the albums with the given local identifiers.
    ///
    /// Each album appears once, and unknown identifiers are ignored. Without sort descriptors, the
    /// albums come in the order of `identifiers`.
    @discardableResult
    open class func fetchAssetCollections(
        withLocalIdentifiers identifiers: [String],
        options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        CollectionFetch(.identifiers(identifiers), kind: .album, options: options).result()
    }

    /// Fetches the collections of a type and subtype.
    ///
    /// - Parameters:
    ///   - type: The type: user albums, smart albums, or moments.
    ///   - subtype: `any`, or a subtype of the type. All user albums are `albumRegular`, no smart
    ///     album is `smartAlbumGeneric`, and moments have no subtypes.
    ///   - options: A predicate, sort descriptors, a limit. Without sort descriptors, user albums
    ///     are in order of creation, smart albums in display order, and moments in chronological
    ///     order.
    /// - Returns: The collections, including empty smart albums. The result is empty, and the
    ///   reason is logged, when the options are not supported.
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

    /// Fetches the collections that contain an asset.
    ///
    /// - Parameters:
    ///   - asset: An asset of the library.
    ///   - type: `album`, or `moment`, of which there is at most one. As in PhotoKit, smart albums
    ///     are not supported and give an empty result.
    ///   - options: A predicate, sort descriptors, a limit; nil sorts albums in order of creation.
    /// - Returns: The collections. The result is empty, and the reason is logged, when the options
    ///   are not supported.
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

    /// Returns an empty result, because the asset groups of `ALAssetsLibrary` do not exist on
    /// Linux.
    @discardableResult
    open class func fetchAssetCollections(
        withALAssetGroupURLs assetGroupURLs: [URL],
        options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        PHFetchResult()
    }

    /// Fetches the moments in a list of moments, in chronological order.
    ///
    /// This method is deprecated in PhotoKit. Without sort descriptors, moments are sorted by the
    /// local time at the place of capture.
    ///
    /// - Parameters:
    ///   - momentList: A list of moments: a cluster, or a year.
    ///   - options: A predicate, sort descriptors, a limit; nil for all moments.
    /// - Returns: The moments. The result is empty for a folder. It is also empty, and the reason
    ///   is logged, when the options are not supported.
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

    /// Fetches all moments, in chronological order.
    ///
    /// This method is deprecated in PhotoKit. A moment contains the assets of one place and one
    /// part of a day, in local time. It ends with the day, with a pause of more than six hours, or
    /// before an image taken more than ten kilometers away. Moments do not contain hidden assets,
    /// deleted assets, or assets without a date. A moment keeps its identifier as long as most of
    /// its assets stay together.
    ///
    /// - Parameter options: A predicate, sort descriptors, a limit; nil for all moments.
    /// - Returns: The moments. The result is empty for a program that may see only selected assets.
    ///   It is also empty, and the reason is logged, when the options are not supported.
    @discardableResult
    open class func fetchMoments(with options: PHFetchOptions?) -> PHFetchResult<PHAssetCollection>
    {
        CollectionFetch(.moments(.init([.moment])), kind: .album, options: options).result()
    }

    // MARK: - Collections in memory

    /// Creates an album in memory, for use with ``PHAsset/fetchAssets(in:options:)``.
    ///
    /// - Parameters:
    ///   - assets: The album's assets, in order, including hidden ones. All must be from one
    ///     library.
    ///   - title: The album's title.
    /// - Returns: An immutable album, whose identifier is not found by fetches.
    @discardableResult
    open class func transientAssetCollection(
        with assets: [PHAsset],
        title: String?
    ) -> PHAssetCollection {
        PHAssetCollection(TransientAssets(assets, title: title))
    }

    /// Creates an album in memory, for use with ``PHAsset/fetchAssets(in:options:)``.
    ///
    /// - Parameters:
    ///   - fetchResult: The album's assets, in order.
    ///   - title: The album's title.
    /// - Returns: An immutable album, whose identifier is not found by fetches.
    @discardableResult
    open class func transientAssetCollection(
        withAssetFetchResult fetchResult: PHFetchResult<PHAsset>,
        title: String?
    ) -> PHAssetCollection {
        PHAssetCollection(TransientAssets(fetchResult, title: title))
    }
}
