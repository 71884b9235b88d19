public import Foundation
internal import LibraryService
internal import PhotoModel
public import PhotosCompanions

/// A request to create, change or delete albums.
///
/// Use it inside a change block. Indexes refer to the assets that the request was created with, as
/// modified by the request's previous calls; see ``init(for:assets:)``.
open class PHAssetCollectionChangeRequest: PHChangeRequest {
    private let record: CollectionRecord?
    private let identifier: LocalIdentifier
    private var titling: ChangeRecorder.Operation?
    private let list: ListRecording

    /// Creates a request for a new album.
    private init(titled title: String, reusing: Bool, call: String) {
        let recorder = ChangeRecorder.recording(call)
        record = nil
        identifier = LocalIdentifier(new: .album)
        titling = recorder.add(
            call,
            .createCollection(
                CollectionCreation(
                    uuid: identifier.uuid,
                    kind: .album,
                    title: title,
                    reusesTitled: reusing
                )
            )
        )
        list = ListRecording(recorder, uuid: identifier.uuid, kind: .album, basis: nil, call: call)
        super.init(call: call)
    }

    /// Creates a request for an existing album.
    private init?(
        changing album: PHAssetCollection,
        _ assets: PHFetchResult<PHAsset>?,
        call: String
    ) {
        let recorder = ChangeRecorder.recording(call)
        guard album.members == nil, album.record?.isBuiltIn != true,
            let identifier = LocalIdentifier(album.localIdentifier), identifier.kind == .album
        else { return nil }
        record = album.record
        self.identifier = identifier
        list = ListRecording(
            recorder,
            uuid: identifier.uuid,
            kind: .album,
            basis: assets.map { recorder.basis($0, in: call) },
            call: call
        )
        super.init(call: call)
    }

    /// Creates a request to change an album.
    ///
    /// Indexes refer to the album as it is at commit, in the order of a fetch without options. To
    /// use indexes of a fetch result, create the request with ``init(for:assets:)``.
    ///
    /// Returns nil for an album that cannot be changed: one without a library, one in memory, or a
    /// smart album.
    public convenience init?(for assetCollection: PHAssetCollection) {
        self.init(
            changing: assetCollection,
            nil,
            call: "PHAssetCollectionChangeRequest.init(for:)"
        )
    }

    /// Creates a request to change an album using indexes that refer to the fetch result `assets`.
    ///
    /// The indexes keep their meaning even if the album has changed since the fetch. Returns nil
    /// for an album that cannot be changed: one without a library, one in memory, or a smart album.
    ///
    /// - Parameters:
    ///   - assetCollection: An album.
    ///   - assets: The fetch result, or nil to use the album as it is at commit.
    public convenience init?(
        for assetCollection: PHAssetCollection,
        assets: PHFetchResult<PHAsset>?
    ) {
        self.init(
            changing: assetCollection,
            assets,
            call: "PHAssetCollectionChangeRequest.init(for:assets:)"
        )
    }

    /// Creates a request for a new album, which is added at the end of the root folder.
    ///
    /// - Parameter title: The album's title, which need not be unique.
    /// - Returns: The request, which also accepts assets to add to the album.
    @discardableResult
    open class func creationRequestForAssetCollection(withTitle title: String) -> Self {
        let call = "PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle:)"
        return typed(
            PHAssetCollectionChangeRequest(titled: title, reusing: false, call: call),
            as: Self.self
        )
    }

    /// Creates a request for the oldest album with the given title in the root folder, or for a new
    /// album if there is none.
    package static func request(titled title: String, call: String)
        -> PHAssetCollectionChangeRequest
    {
        PHAssetCollectionChangeRequest(titled: title, reusing: true, call: call)
    }

    /// The album's identifier, or nil before the commit.
    ///
    /// It differs from the placeholder's identifier if an album with the title already existed.
    package var committedIdentifier: String? {
        guard let commit = recorder.outcome.commit else { return nil }
        let uuid = commit.reused[identifier.uuid] ?? identifier.uuid
        return LocalIdentifier(uuid: uuid, kind: .album).description
    }

    /// A placeholder for the new album.
    ///
    /// For a request that changes an existing album, it identifies that album.
    open var placeholderForCreatedAssetCollection: PHObjectPlaceholder {
        PHObjectPlaceholder(identifier)
    }

    /// Deletes albums; their assets stay in the library.
    ///
    /// - Parameter assetCollections: Any collection of albums.
    open class func deleteAssetCollections(_ assetCollections: any NSFastEnumeration) {
        let call = "PHAssetCollectionChangeRequest.deleteAssetCollections(_:)"
        let recorder = ChangeRecorder.recording(call)
        let uuids = recorder.uuids(assetCollections, of: [.album], in: call)
        recorder.add(call, .deleteCollections(uuids))
    }

    /// The title, which need not be unique.
    open var title: String {
        get { titling?.action.title ?? record?.title ?? "" }
        set {
            let call = "PHAssetCollectionChangeRequest.title"
            checkUse(call)
            titling = recorder.retitle(identifier.uuid, newValue, titling, call)
        }
    }

    // MARK: - Assets

    /// Appends assets to the album in the given order; assets that are already in the album keep
    /// their positions.
    open func addAssets(_ assets: any NSFastEnumeration) {
        let call = "PHAssetCollectionChangeRequest.addAssets(_:)"
        record(call) { .add(uuids(assets, call)) }
    }

    /// Inserts assets in order, so that they have the given indexes after the insertion.
    ///
    /// Assets that are already in the album move there.
    ///
    /// - Parameters:
    ///   - assets: Any collection of assets.
    ///   - indexes: The target indexes, one for each asset.
    open func insertAssets(_ assets: any NSFastEnumeration, at indexes: IndexSet) {
        let call = "PHAssetCollectionChangeRequest.insertAssets(_:at:)"
        record(call) { .insert(uuids(assets, call), at: Array(indexes)) }
    }

    /// Removes assets from the album; they stay in the library.
    ///
    /// Assets that are not in the album are ignored.
    open func removeAssets(_ assets: any NSFastEnumeration) {
        let call = "PHAssetCollectionChangeRequest.removeAssets(_:)"
        record(call) { .remove(uuids(assets, call)) }
    }

    /// Removes the assets at the given indexes from the album; they stay in the library.
    open func removeAssets(at indexes: IndexSet) {
        record("PHAssetCollectionChangeRequest.removeAssets(at:)") { .removeAt(Array(indexes)) }
    }

    /// Replaces the assets at the given indexes with other assets.
    ///
    /// - Parameters:
    ///   - indexes: The indexes of the assets to replace, one for each new asset.
    ///   - assets: Any collection of assets.
    open func replaceAssets(at indexes: IndexSet, withAssets assets: any NSFastEnumeration) {
        let call = "PHAssetCollectionChangeRequest.replaceAssets(at:withAssets:)"
        record(call) { .replace(at: Array(indexes), with: uuids(assets, call)) }
    }

    /// Moves the assets at the given indexes.
    ///
    /// - Parameters:
    ///   - fromIndexes: The current indexes of the assets.
    ///   - toIndex: The final index of the first moved asset, counted without the moved assets.
    open func moveAssets(at fromIndexes: IndexSet, to toIndex: Int) {
        record("PHAssetCollectionChangeRequest.moveAssets(at:to:)") {
            .move(from: Array(fromIndexes), to: toIndex)
        }
    }

    private func uuids(_ assets: any NSFastEnumeration, _ call: String) -> [String] {
        recorder.uuids(assets, of: [.asset], in: call)
    }

    private func record(_ call: String, _ step: () -> ListEdit.Step) {
        checkUse(call)
        list.record(call, step())
    }
}

extension ChangeRecorder {
    /// Records a title for a new or an existing collection.
    ///
    /// - Returns: The operation that sets the title.
    func retitle(
        _ uuid: String,
        _ title: String,
        _ operation: Operation?,
        _ call: String
    ) -> Operation {
        guard let operation else { return add(call, .retitleCollection(uuid: uuid, title: title)) }
        switch operation.action {
        case .createCollection(var creation) where !creation.reusesTitled:
            creation.title = title
            operation.action = .createCollection(creation)
            return operation
        case .retitleCollection:
            operation.action = .retitleCollection(uuid: uuid, title: title)
            return operation
        default:
            return add(call, .retitleCollection(uuid: uuid, title: title))
        }
    }
}

extension ChangeAction {
    /// The title that the action sets, or nil if it sets none.
    var title: String? {
        switch self {
        case .createCollection(let creation): creation.title
        case .retitleCollection(_, let title): title
        default: nil
        }
    }
}
