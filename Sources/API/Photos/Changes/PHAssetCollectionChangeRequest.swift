public import Foundation
internal import LibraryService
internal import PhotoModel
public import PhotosCompanions

/// Makes an album, changes one, or deletes some.
///
/// For use inside of a change block. Indexes count in the assets that the request was made with, in
/// what its own calls made of them so far; see ``init(for:assets:)``.
open class PHAssetCollectionChangeRequest: PHChangeRequest {
    private let record: CollectionRecord?
    private let identifier: LocalIdentifier
    private var titling: ChangeRecorder.Operation?
    private let list: ListRecording

    /// A request for a new album.
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

    /// A request for an album that there is.
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

    /// A request to change an album.
    ///
    /// Indexes count in the album as it is when the change is committed, in the order in which a fetch
    /// without options shows it. To tie them to what was fetched, use ``init(for:assets:)``.
    ///
    /// Nil for an album that cannot be changed: one of no library, in memory only, or a smart album.
    public convenience init?(for assetCollection: PHAssetCollection) {
        self.init(
            changing: assetCollection,
            nil,
            call: "PHAssetCollectionChangeRequest.init(for:)"
        )
    }

    /// A request to change an album whose indexes count in a fetch result, whatever others did to the
    /// album since.
    ///
    /// Nil for an album that cannot be changed: one of no library, in memory only, or a smart album.
    ///
    /// - Parameters:
    ///   - assetCollection: An album.
    ///   - assets: What was fetched from it; nil for the album as it is when the change is committed.
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

    /// A request for a new album, which comes to the end of the root folder.
    ///
    /// - Parameter title: Its title; several albums may have the same.
    /// - Returns: The request, which the album's assets can be given to, too.
    @discardableResult
    open class func creationRequestForAssetCollection(withTitle title: String) -> Self {
        let call = "PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle:)"
        return typed(
            PHAssetCollectionChangeRequest(titled: title, reusing: false, call: call),
            as: Self.self
        )
    }

    /// A request for the oldest album with a title in the root folder, which is made when there is none.
    package static func request(titled title: String, call: String)
        -> PHAssetCollectionChangeRequest
    {
        PHAssetCollectionChangeRequest(titled: title, reusing: true, call: call)
    }

    /// The identifier of the album once the change was committed; nil before.
    ///
    /// Another one than the placeholder's when an album with the title was there.
    package var committedIdentifier: String? {
        guard let commit = recorder.outcome.commit else { return nil }
        let uuid = commit.reused[identifier.uuid] ?? identifier.uuid
        return LocalIdentifier(uuid: uuid, kind: .album).description
    }

    /// Stands for the new album.
    ///
    /// For a request that makes none: for the album that it changes.
    open var placeholderForCreatedAssetCollection: PHObjectPlaceholder {
        PHObjectPlaceholder(identifier)
    }

    /// Deletes albums; what is in them stays in the library.
    ///
    /// - Parameter assetCollections: Albums; any collection of them.
    open class func deleteAssetCollections(_ assetCollections: any NSFastEnumeration) {
        let call = "PHAssetCollectionChangeRequest.deleteAssetCollections(_:)"
        let recorder = ChangeRecorder.recording(call)
        let uuids = recorder.uuids(assetCollections, of: [.album], in: call)
        recorder.add(call, .deleteCollections(uuids))
    }

    /// The title; several albums may have the same.
    open var title: String {
        get { titling?.action.title ?? record?.title ?? "" }
        set {
            let call = "PHAssetCollectionChangeRequest.title"
            checkUse(call)
            titling = recorder.retitle(identifier.uuid, newValue, titling, call)
        }
    }

    // MARK: - Assets

    /// Adds assets at the end, in this order; those that the album has stay where they are.
    open func addAssets(_ assets: any NSFastEnumeration) {
        let call = "PHAssetCollectionChangeRequest.addAssets(_:)"
        record(call) { .add(uuids(assets, call)) }
    }

    /// Puts assets in so that they end up at these indexes, in this order; those that the album has
    /// move there.
    ///
    /// - Parameters:
    ///   - assets: Any collection of assets.
    ///   - indexes: As many indexes as there are assets.
    open func insertAssets(_ assets: any NSFastEnumeration, at indexes: IndexSet) {
        let call = "PHAssetCollectionChangeRequest.insertAssets(_:at:)"
        record(call) { .insert(uuids(assets, call), at: Array(indexes)) }
    }

    /// Takes assets out of the album; they stay in the library.
    ///
    /// Those that it does not have are passed over.
    open func removeAssets(_ assets: any NSFastEnumeration) {
        let call = "PHAssetCollectionChangeRequest.removeAssets(_:)"
        record(call) { .remove(uuids(assets, call)) }
    }

    /// Takes the assets at these indexes out of the album; they stay in the library.
    open func removeAssets(at indexes: IndexSet) {
        record("PHAssetCollectionChangeRequest.removeAssets(at:)") { .removeAt(Array(indexes)) }
    }

    /// Puts assets in the places of those at these indexes.
    ///
    /// - Parameters:
    ///   - indexes: As many indexes as there are assets.
    ///   - assets: Any collection of assets.
    open func replaceAssets(at indexes: IndexSet, withAssets assets: any NSFastEnumeration) {
        let call = "PHAssetCollectionChangeRequest.replaceAssets(at:withAssets:)"
        record(call) { .replace(at: Array(indexes), with: uuids(assets, call)) }
    }

    /// Moves the assets at these indexes.
    ///
    /// - Parameters:
    ///   - fromIndexes: Where they are.
    ///   - toIndex: Where the first of them ends up, counted without those that are moved.
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
    /// Sets a title: of what is being made, or of what there is.
    ///
    /// - Returns: The operation that holds the title.
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
    /// The title that it gives.
    var title: String? {
        switch self {
        case .createCollection(let creation): creation.title
        case .retitleCollection(_, let title): title
        default: nil
        }
    }
}
