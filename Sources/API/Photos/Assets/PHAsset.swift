public import Foundation
package import LibraryService
package import PhotoModel
public import PhotosCompanions

/// A photo or movie in the library, as it was when it was loaded.
///
/// Assets come from fetches, as `PHAsset.fetchAssets(with: .image, options: nil)`. They never change:
/// a new state comes only with a new fetch. One whose row is gone when it is loaded has no values.
open class PHAsset: PHObject, @unchecked Sendable {
    // Unchecked because the class is open; its one stored property is immutable and Sendable.

    /// What is stored about it; nil for an asset of no library.
    package let record: AssetRecord?
    /// The library that it came from.
    package var connection: LibraryConnection? { batch?.connection }

    /// An asset of no library, without values.
    public override init() {
        record = nil
        super.init()
    }

    /// An asset as it was loaded; without values when its row was gone.
    package init(record: AssetRecord?, batch: ObjectBatch) {
        self.record = record
        super.init(batch: batch)
    }

    package override var rowID: Int64? { record?.id }

    /// `UUID/L0/001`.
    open override var localIdentifier: String { record?.localIdentifier ?? "" }

    // MARK: - Medium

    /// What kind of medium it is.
    open var mediaType: PHAssetMediaType {
        record.flatMap { PHAssetMediaType(rawValue: $0.mediaType.rawValue) } ?? .unknown
    }

    /// What is special about the medium.
    open var mediaSubtypes: PHAssetMediaSubtype {
        PHAssetMediaSubtype(rawValue: record?.mediaSubtypes.rawValue ?? 0)
    }

    /// How to present it.
    open var playbackStyle: PlaybackStyle {
        record.flatMap { PlaybackStyle(rawValue: $0.playbackStyle.rawValue) } ?? .unsupported
    }

    /// The effect on a Live Photo's movie.
    open var playbackVariation: PlaybackVariation { .none }

    /// What kind of file the original is, by its content.
    open var contentType: UTType { record.map { UTType(importedAs: $0.contentType) } ?? .data }

    /// Pixels across, upright, after edits; 0 when unknown.
    open var pixelWidth: Int { record?.pixelSize.width ?? 0 }

    /// Pixels down, upright, after edits; 0 when unknown.
    open var pixelHeight: Int { record?.pixelSize.height ?? 0 }

    /// Seconds; 0 for a still.
    open var duration: TimeInterval { record?.duration ?? 0 }

    // MARK: - Facts

    /// When it was captured, or what a user changed that to.
    open var creationDate: Date? { record?.creationDate }

    /// When anything that users see was last changed.
    open var modificationDate: Date? { record?.modificationDate }

    /// When it came into the library.
    open var addedDate: Date? { record?.addedDate }

    /// Where it was captured.
    open var location: CLLocation? {
        guard let record, let place = record.location else { return nil }
        return CLLocation(place, timestamp: record.creationDate ?? record.addedDate)
    }

    /// Whether it is left out of fetches that do not ask for hidden assets.
    open var isHidden: Bool { record?.isHidden ?? false }

    /// Whether a user marked it as a favourite.
    open var isFavorite: Bool { record?.isFavorite ?? false }

    /// How many stars a user, or the camera, gave; `unset` for a rejected asset.
    open var rating: Rating { Rating(rawValue: storedRating) ?? .unset }

    /// The rating as the library has it: -1 for a rejected asset.
    package var storedRating: Int { record?.rating ?? 0 }

    /// Where it came from.
    open var sourceType: PHAssetSourceType {
        PHAssetSourceType(rawValue: record?.sourceType.rawValue ?? 0)
    }

    /// Caption, keywords and original file name.
    ///
    /// Loaded with the asset itself.
    open var extendedMetadata: PHAssetExtendedMetadata {
        PHAssetExtendedMetadata(
            caption: record?.caption,
            originalFilename: record?.originalFilename,
            keywords: record?.keywords ?? []
        )
    }

    // MARK: - Bursts

    /// The identifier that the frames of one burst share; nil for an asset that is in none.
    ///
    /// A frame whose burst has no other frame in the library is in none.
    open var burstIdentifier: String? {
        record.flatMap { $0.isLoneFrame ? nil : $0.burstIdentifier }
    }

    /// Who picked this frame of its burst.
    open var burstSelectionTypes: PHAssetBurstSelectionType {
        guard let record, !record.isLoneFrame else { return [] }
        return PHAssetBurstSelectionType(rawValue: record.burstSelectionTypes.rawValue)
    }

    /// Whether this frame stands for its burst.
    open var representsBurst: Bool { record?.representsBurst ?? false }

    // MARK: - Adjustments

    /// Whether it was edited and not reverted.
    open var hasAdjustments: Bool { record?.hasAdjustments ?? false }

    /// The format of the edit's adjustment data; nil for an asset without an edit.
    open var adjustmentFormatIdentifier: String? { record?.adjustmentFormatIdentifier }

    /// Who adjusted it.
    open var adjustmentsState: AdjustmentsState { hasAdjustments ? .userAdjusted : .none }

    /// When it was last edited or reverted; nil when it never was.
    open var adjustmentTimestamp: Date? { record?.adjustmentTimestamp }

    /// Which original of a RAW+JPEG asset counts: the compressed one, unless a user chose otherwise.
    ///
    /// It is what is shown without an edit.
    open var originalResourceChoice: OriginalResourceChoice {
        record.flatMap { OriginalResourceChoice(rawValue: $0.originalResourceChoice) }
            ?? .compressed
    }

    /// Whether an operation would be allowed: it is for assets of the user's own library while the
    /// library can be written to, and they are not deleted.
    ///
    /// Only images and movies have content that can be edited. Asks the library how it is now.
    open func canPerform(_ editOperation: PHAssetEditOperation) -> Bool {
        guard let connection, let record, sourceType == .typeUserLibrary,
            let service = try? connection.service(),
            let status = try? service.status(), status.readOnlyReason == nil,
            let now = try? service.loadAssets(
                AssetLoadRequest(ids: RowIDBuffer(CollectionOfOne(record.id)))
            ).assets.first, now.trashedDate == nil
        else { return false }
        return switch editOperation {
        case .delete, .properties: true
        case .content: mediaType == .image || mediaType == .video
        }
    }

    // MARK: - Editing

    /// Asks for what an editor begins with: the files, and what an editor did before.
    ///
    /// - Parameters:
    ///   - options: What the editor can go on with; nil for one that begins anew.
    ///   - completionHandler: Called once, on a serial queue that is no particular one: with the input,
    ///     or with nil and, in the dictionary, the reason under ``PHContentEditingInputErrorKey`` or
    ///     ``PHContentEditingInputCancelledKey``.
    /// - Returns: What cancels the request.
    @discardableResult
    open func requestContentEditingInput(
        with options: PHContentEditingInputRequestOptions?,
        completionHandler: @escaping (PHContentEditingInput?, [AnyHashable: Any]) -> Void
    ) -> PHContentEditingInputRequestID {
        ContentEditingTask(self, options: options, handler: completionHandler).start()
    }

    /// Cancels a request, whose handler is then called with ``PHContentEditingInputCancelledKey``.
    ///
    /// Harmless when it has ended, or was never made.
    open func cancelContentEditingInputRequest(_ requestID: PHContentEditingInputRequestID) {
        ContentEditingTask.running(requestID)?.cancel()
    }

    /// A property by its name, for programs that are used to key-value coding.
    ///
    /// Every property works, also under its Objective-C name (`favorite`, `hidden`, `mediaSubtype`),
    /// and `filename` and `originalFilename` give the name that the original came with.
    open override func value(forKey key: String) -> Any? {
        propertyValue(forKey: key)
    }

    // MARK: - Fetching

    /// Every asset that options describe.
    ///
    /// - Parameter options: A predicate, an order, a limit; nil for all assets that are not hidden,
    ///   oldest first.
    /// - Returns: An empty result when the library cannot be read or the options cannot be answered,
    ///   which is logged.
    @discardableResult
    open class func fetchAssets(with options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
        AssetFetch(.library, options: options).result()
    }

    /// Every asset of one media type that options describe.
    @discardableResult
    open class func fetchAssets(
        with mediaType: PHAssetMediaType,
        options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> {
        AssetFetch(.library, mediaType: mediaType, options: options).result()
    }

    /// The assets with these identifiers: each once, hidden ones too, unknown ones left out.
    ///
    /// Without sort descriptors they come in the order of `identifiers`.
    @discardableResult
    open class func fetchAssets(
        withLocalIdentifiers identifiers: [String],
        options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> {
        AssetFetch(.identifiers(identifiers), options: options).result()
    }

    /// The frames of a burst: those that stand for it, and all of them where the options include all
    /// burst assets.
    @discardableResult
    open class func fetchAssets(
        withBurstIdentifier burstIdentifier: String,
        options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> {
        AssetFetch(.burst(burstIdentifier), options: options).result()
    }

    /// The assets in an album, in its own order when there are no sort descriptors.
    ///
    /// - Parameters:
    ///   - assetCollection: An album or a moment of the library, or an album in memory. A moment never
    ///     has hidden assets, whatever the options say.
    ///   - options: A predicate, an order, a limit; nil for all assets that are not hidden.
    /// - Returns: An empty result when the library cannot be read or the options cannot be answered,
    ///   which is logged.
    @discardableResult
    open class func fetchAssets(
        in assetCollection: PHAssetCollection,
        options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> {
        if let members = assetCollection.members { return members.fetch(options) }
        return fetch(in: assetCollection, options)?.result() ?? PHFetchResult()
    }

    /// Nil for an album of no library.
    private class func fetch(
        in collection: PHAssetCollection,
        _ options: PHFetchOptions?
    ) -> AssetFetch? {
        collection.record.map { record in
            AssetFetch(
                record.kind == .moment ? .moment(record.uuid) : .album(record.uuid),
                options: options,
                connection: collection.connection ?? .current
            )
        }
    }

    /// The assets that stand for an album: the first three of ``fetchAssets(in:options:)``, or as many
    /// as the options' limit says.
    ///
    /// Of a smart album, the three that were captured last, unless the options sort.
    ///
    /// - Parameters:
    ///   - assetCollection: An album of the library, or one in memory.
    ///   - options: A predicate, an order, a limit.
    /// - Returns: Nil for an album of no library.
    @discardableResult
    open class func fetchKeyAssets(
        in assetCollection: PHAssetCollection,
        options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset>? {
        guard assetCollection.members != nil || assetCollection.record != nil else { return nil }
        let few = (options?.copy() as? PHFetchOptions) ?? PHFetchOptions()
        if few.fetchLimit <= 0 { few.fetchLimit = 3 }
        if assetCollection.smartAlbum != nil, few.sortDescriptors?.isEmpty ?? true {
            few.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
        }
        return fetchAssets(in: assetCollection, options: few)
    }

    /// Fetches assets and throws what the public forms only log.
    ///
    /// - Throws: ``PHPhotosError``: why the library cannot be read, or what in the predicate or the
    ///   sort descriptors cannot be answered, by name and position.
    package static func fetchAssetsChecked(
        _ scope: AssetFetchRequest.Scope = .library,
        mediaType: PHAssetMediaType? = nil,
        options: PHFetchOptions?
    ) throws(PHPhotosError) -> PHFetchResult<PHAsset> {
        do throws(LibraryError) {
            let fetch = AssetFetch(scope, mediaType: mediaType, options: options)
            // The other forms of fetching show less then, and more when it is permitted.
            if let refusal = fetch.refusal { throw refusal }
            return try fetch.checkedResult()
        } catch {
            throw PHPhotosError(error)
        }
    }

    /// Fetches the assets of a collection and throws what the public form only logs.
    ///
    /// - Throws: As ``fetchAssetsChecked(_:mediaType:options:)`` does.
    package static func fetchAssetsChecked(
        in collection: PHAssetCollection,
        options: PHFetchOptions?
    ) throws(PHPhotosError) -> PHFetchResult<PHAsset> {
        guard collection.members == nil, let fetch = fetch(in: collection, options) else {
            return fetchAssets(in: collection, options: options)
        }
        do throws(LibraryError) {
            if let refusal = fetch.refusal { throw refusal }
            return try fetch.checkedResult()
        } catch {
            throw PHPhotosError(error)
        }
    }
}
