public import Foundation
package import LibraryService
package import PhotoModel
public import PhotosCompanions

/// A photo or movie in the library, as it was when loaded.
///
/// Assets come from fetches, such as `PHAsset.fetchAssets(with: .image, options: nil)`. They are
/// immutable; fetch again to see a newer state. An asset whose row no longer exists when it is
/// loaded has no values.
open class PHAsset: PHObject, @unchecked Sendable {
    // Unchecked because the class is open. Its one stored property is immutable and Sendable.

    /// The stored record, or nil if the asset has no library or could not be loaded.
    package let record: AssetRecord?
    /// The library that the asset was loaded from.
    package var connection: LibraryConnection? { batch?.connection }

    /// Creates an asset that belongs to no library and whose properties have default values.
    public override init() {
        record = nil
        super.init()
    }

    /// Creates an asset from its record.
    ///
    /// If the record is nil, the asset's properties have default values.
    package init(record: AssetRecord?, batch: ObjectBatch) {
        self.record = record
        super.init(batch: batch)
    }

    package override var rowID: Int64? { record?.id }

    /// The local identifier, in the form `UUID/L0/001`.
    open override var localIdentifier: String { record?.localIdentifier ?? "" }

    // MARK: - Medium

    /// The media type: image, video or audio.
    open var mediaType: PHAssetMediaType {
        record.flatMap { PHAssetMediaType(rawValue: $0.mediaType.rawValue) } ?? .unknown
    }

    /// The media subtypes, such as panorama or Live Photo.
    open var mediaSubtypes: PHAssetMediaSubtype {
        PHAssetMediaSubtype(rawValue: record?.mediaSubtypes.rawValue ?? 0)
    }

    /// The way to present the asset.
    open var playbackStyle: PlaybackStyle {
        record.flatMap { PlaybackStyle(rawValue: $0.playbackStyle.rawValue) } ?? .unsupported
    }

    /// The playback effect of a Live Photo's movie.
    open var playbackVariation: PlaybackVariation { .none }

    /// The type of the original file, detected from its content.
    open var contentType: UTType { record.map { UTType(importedAs: $0.contentType) } ?? .data }

    /// The width in pixels after orientation and edits, or 0 when unknown.
    open var pixelWidth: Int { record?.pixelSize.width ?? 0 }

    /// The height in pixels after orientation and edits, or 0 when unknown.
    open var pixelHeight: Int { record?.pixelSize.height ?? 0 }

    /// The duration in seconds, or 0 for a still image.
    open var duration: TimeInterval { record?.duration ?? 0 }

    // MARK: - Metadata

    /// The capture date, or the date that a user entered instead.
    open var creationDate: Date? { record?.creationDate }

    /// The date of the last change to anything visible to users.
    open var modificationDate: Date? { record?.modificationDate }

    /// The date on which the asset was added to the library.
    open var addedDate: Date? { record?.addedDate }

    /// The location of capture.
    open var location: CLLocation? {
        guard let record, let place = record.location else { return nil }
        return CLLocation(place, timestamp: record.creationDate ?? record.addedDate)
    }

    /// Indicates whether the asset is hidden.
    ///
    /// Fetches omit hidden assets unless their options include them.
    open var isHidden: Bool { record?.isHidden ?? false }

    /// Indicates whether a user marked the asset as a favorite.
    open var isFavorite: Bool { record?.isFavorite ?? false }

    /// The rating in stars from a user or the camera; `unset` for a rejected asset.
    open var rating: Rating { Rating(rawValue: storedRating) ?? .unset }

    /// The stored rating: -1 for a rejected asset.
    package var storedRating: Int { record?.rating ?? 0 }

    /// The source of the asset.
    open var sourceType: PHAssetSourceType {
        PHAssetSourceType(rawValue: record?.sourceType.rawValue ?? 0)
    }

    /// The caption, keywords and original file name.
    ///
    /// They are loaded together with the asset.
    open var extendedMetadata: PHAssetExtendedMetadata {
        PHAssetExtendedMetadata(
            caption: record?.caption,
            originalFilename: record?.originalFilename,
            keywords: record?.keywords ?? []
        )
    }

    // MARK: - Bursts

    /// The identifier that the frames of a burst share, or nil for an asset outside of a burst.
    ///
    /// A frame that is the only one of its burst in the library also returns nil.
    open var burstIdentifier: String? {
        record.flatMap { $0.isLoneFrame ? nil : $0.burstIdentifier }
    }

    /// The ways in which this frame of a burst was picked: by the library, by the user, or both.
    open var burstSelectionTypes: PHAssetBurstSelectionType {
        guard let record, !record.isLoneFrame else { return [] }
        return PHAssetBurstSelectionType(rawValue: record.burstSelectionTypes.rawValue)
    }

    /// Indicates whether this frame represents its burst.
    open var representsBurst: Bool { record?.representsBurst ?? false }

    // MARK: - Adjustments

    /// Indicates whether the asset has an edit that has not been reverted.
    open var hasAdjustments: Bool { record?.hasAdjustments ?? false }

    /// The format of the edit's adjustment data, or nil for an asset without an edit.
    open var adjustmentFormatIdentifier: String? { record?.adjustmentFormatIdentifier }

    /// The adjustment state: `userAdjusted` when the asset has an edit, otherwise `none`.
    open var adjustmentsState: AdjustmentsState { hasAdjustments ? .userAdjusted : .none }

    /// The date of the last edit or revert, or nil when the asset was never edited.
    open var adjustmentTimestamp: Date? { record?.adjustmentTimestamp }

    /// The selected original of a RAW+JPEG asset: the compressed one unless a user chose otherwise.
    ///
    /// This original is shown when the asset has no edit.
    open var originalResourceChoice: OriginalResourceChoice {
        record.flatMap { OriginalResourceChoice(rawValue: $0.originalResourceChoice) }
            ?? .compressed
    }

    /// Returns whether the library currently allows an operation on the asset.
    ///
    /// It is allowed for assets of the user's own library that are not deleted, while the library
    /// is writable. Only images and movies have content that can be edited. The call queries the
    /// library for its current state.
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

    /// Requests the input for an editing session: the asset's files and the adjustment data of its
    /// last edit.
    ///
    /// - Parameters:
    ///   - options: The options, which declare the adjustment data that the editor can continue
    ///     from. Nil requests the files as currently shown, without adjustments.
    ///   - completionHandler: Called once, on an unspecified serial queue. It receives the input,
    ///     or nil and a dictionary with the reason under ``PHContentEditingInputErrorKey`` or
    ///     ``PHContentEditingInputCancelledKey``.
    /// - Returns: An identifier to cancel the request with.
    @discardableResult
    open func requestContentEditingInput(
        with options: PHContentEditingInputRequestOptions?,
        completionHandler: @escaping (PHContentEditingInput?, [AnyHashable: Any]) -> Void
    ) -> PHContentEditingInputRequestID {
        ContentEditingTask(self, options: options, handler: completionHandler).start()
    }

    /// Cancels a request, and calls its handler with ``PHContentEditingInputCancelledKey``.
    ///
    /// It has no effect on a request that has finished, or on an unknown identifier.
    open func cancelContentEditingInputRequest(_ requestID: PHContentEditingInputRequestID) {
        ContentEditingTask.running(requestID)?.cancel()
    }

    /// Returns the value of a property by its name, for programs that rely on key-value coding.
    ///
    /// Every property name is accepted, also in its Objective-C form (`favorite`, `hidden`,
    /// `mediaSubtype`). The keys `filename` and `originalFilename` return the original's file name
    /// at import.
    open override func value(forKey key: String) -> Any? {
        propertyValue(forKey: key)
    }

    // MARK: - Fetching

    /// Fetches the assets that match the options.
    ///
    /// - Parameter options: A predicate, sort descriptors, a limit. Nil fetches all assets that are
    ///   not hidden, oldest first.
    /// - Returns: The matching assets. The result is empty, and the reason is logged, when the
    ///   library cannot be read or does not support the options.
    @discardableResult
    open class func fetchAssets(with options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
        AssetFetch(.library, options: options).result()
    }

    /// Fetches the assets of one media type that match the options.
    @discardableResult
    open class func fetchAssets(
        with mediaType: PHAssetMediaType,
        options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> {
        AssetFetch(.library, mediaType: mediaType, options: options).result()
    }

    /// Fetches the assets with the given local identifiers, including hidden assets.
    ///
    /// Each asset appears once, and unknown identifiers are ignored. Without sort descriptors, the
    /// assets come in the order of `identifiers`.
    @discardableResult
    open class func fetchAssets(
        withLocalIdentifiers identifiers: [String],
        options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> {
        AssetFetch(.identifiers(identifiers), options: options).result()
    }

    /// Fetches the frames of a burst.
    ///
    /// The result contains the representative and picked frames, or all frames when the options
    /// include all burst assets.
    @discardableResult
    open class func fetchAssets(
        withBurstIdentifier burstIdentifier: String,
        options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> {
        AssetFetch(.burst(burstIdentifier), options: options).result()
    }

    /// Fetches the assets in a collection.
    ///
    /// Without sort descriptors, the assets come in the collection's own order.
    ///
    /// - Parameters:
    ///   - assetCollection: An album or a moment of the library, or an album in memory. Moments
    ///     never include hidden assets, whatever the options say.
    ///   - options: A predicate, sort descriptors, a limit. Nil fetches all assets that are not
    ///     hidden.
    /// - Returns: The matching assets. The result is empty, and the reason is logged, when the
    ///   library cannot be read or does not support the options.
    @discardableResult
    open class func fetchAssets(
        in assetCollection: PHAssetCollection,
        options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> {
        if let members = assetCollection.members { return members.fetch(options) }
        return fetch(in: assetCollection, options)?.result() ?? PHFetchResult()
    }

    /// Creates the fetch of a collection's assets, or returns nil for a collection without a
    /// library.
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

    /// Fetches the key assets of a collection: by default, the first three of
    /// ``fetchAssets(in:options:)``.
    ///
    /// The options' limit overrides the number three. For a smart album, the key assets are the
    /// three most recently captured ones unless the options contain sort descriptors.
    ///
    /// - Parameters:
    ///   - assetCollection: An album of the library, or one in memory.
    ///   - options: A predicate, sort descriptors, a limit.
    /// - Returns: The key assets, or nil for a collection without a library.
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

    /// Fetches assets and throws the errors that the public methods only log.
    ///
    /// - Throws: ``PHPhotosError``: the reason that the library cannot be read, or the unsupported
    ///   part of the predicate or sort descriptors, by name and position.
    package static func fetchAssetsChecked(
        _ scope: AssetFetchRequest.Scope = .library,
        mediaType: PHAssetMediaType? = nil,
        options: PHFetchOptions?
    ) throws(PHPhotosError) -> PHFetchResult<PHAsset> {
        do throws(LibraryError) {
            let fetch = AssetFetch(scope, mediaType: mediaType, options: options)
            // The public methods return fewer assets instead, and more of them once access is
            // granted.
            if let refusal = fetch.refusal { throw refusal }
            return try fetch.checkedResult()
        } catch {
            throw PHPhotosError(error)
        }
    }

    /// Fetches the assets of a collection and throws the errors that the public method only logs.
    ///
    /// - Throws: The same errors as ``fetchAssetsChecked(_:mediaType:options:)``.
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
