public import Foundation
internal import LibraryService
internal import PhotoModel
public import PhotosCompanions

/// A request to create, change or delete folders.
///
/// Use it inside a change block. Indexes refer to the collections that the request was created
/// with, as modified by the request's previous calls.
open class PHCollectionListChangeRequest: PHChangeRequest {
    private let record: CollectionRecord?
    private let identifier: LocalIdentifier
    private var titling: ChangeRecorder.Operation?
    private let list: ListRecording

    /// Creates a request for a new folder.
    private init(titled title: String, call: String) {
        let recorder = ChangeRecorder.recording(call)
        record = nil
        identifier = LocalIdentifier(new: .folder)
        titling = recorder.add(
            call,
            .createCollection(
                CollectionCreation(uuid: identifier.uuid, kind: .folder, title: title)
            )
        )
        list = ListRecording(recorder, uuid: identifier.uuid, kind: .folder, basis: nil, call: call)
        super.init(call: call)
    }

    /// Creates a request for an existing folder.
    private init(
        changing identifier: LocalIdentifier,
        _ record: CollectionRecord?,
        _ children: PHFetchResult<PHCollection>?,
        call: String
    ) {
        let recorder = ChangeRecorder.recording(call)
        self.record = record
        self.identifier = identifier
        list = ListRecording(
            recorder,
            uuid: identifier.uuid,
            kind: .folder,
            basis: children.map { recorder.basis($0, in: call) },
            call: call
        )
        super.init(call: call)
    }

    private convenience init?(
        changing folder: PHCollectionList,
        _ children: PHFetchResult<PHCollection>?,
        call: String
    ) {
        guard folder.members == nil, let identifier = LocalIdentifier(folder.localIdentifier),
            identifier.kind == .folder
        else { return nil }
        self.init(changing: identifier, folder.record, children, call: call)
    }

    /// Creates a request to change a folder.
    ///
    /// Indexes refer to the folder as it is at commit, in its own order. To use indexes of a fetch
    /// result, create the request with ``init(for:childCollections:)``.
    ///
    /// Returns nil for a list that cannot be changed: one without a library, or one in memory.
    public convenience init?(for collectionList: PHCollectionList) {
        self.init(
            changing: collectionList,
            nil,
            call: "PHCollectionListChangeRequest.init(for:)"
        )
    }

    /// Creates a request to change a folder using indexes that refer to the fetch result
    /// `childCollections`.
    ///
    /// The indexes keep their meaning even if the folder has changed since the fetch. Returns nil
    /// for a list that cannot be changed: one without a library, or one in memory.
    ///
    /// - Parameters:
    ///   - collectionList: A folder.
    ///   - childCollections: The fetch result of the folder's collections.
    public convenience init?(
        for collectionList: PHCollectionList,
        childCollections: PHFetchResult<PHCollection>
    ) {
        self.init(
            changing: collectionList,
            childCollections,
            call: "PHCollectionListChangeRequest.init(for:childCollections:)"
        )
    }

    /// Creates a request to change the root folder, which contains the top-level collections.
    ///
    /// - Parameter childCollections: A result of
    ///   ``PHCollection/fetchTopLevelUserCollections(with:)``, which indexes refer to.
    public convenience init?(
        forTopLevelCollectionListUserCollections childCollections: PHFetchResult<PHCollection>
    ) {
        self.init(
            changing: LocalIdentifier(uuid: CollectionRecord.rootUUID, kind: .folder),
            CollectionRecord.root,
            childCollections,
            call:
                "PHCollectionListChangeRequest.init(forTopLevelCollectionListUserCollections:)"
        )
    }

    /// Creates a request for a new folder, which is added at the end of the root folder.
    ///
    /// - Parameter title: The folder's title, which need not be unique.
    /// - Returns: The request, which also accepts collections to add to the folder.
    @discardableResult
    open class func creationRequestForCollectionList(withTitle title: String) -> Self {
        let call = "PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle:)"
        return typed(PHCollectionListChangeRequest(titled: title, call: call), as: Self.self)
    }

    /// A placeholder for the new folder.
    ///
    /// For a request that changes an existing folder, it identifies that folder.
    open var placeholderForCreatedCollectionList: PHObjectPlaceholder {
        PHObjectPlaceholder(identifier)
    }

    /// Deletes folders with all albums and folders in them; assets stay in the library.
    ///
    /// Deleting the root folder is a programming error and stops the program.
    ///
    /// - Parameter collectionLists: Any collection of folders.
    open class func deleteCollectionLists(_ collectionLists: any NSFastEnumeration) {
        let call = "PHCollectionListChangeRequest.deleteCollectionLists(_:)"
        let recorder = ChangeRecorder.recording(call)
        let uuids = recorder.uuids(collectionLists, of: [.folder], in: call)
        for uuid in uuids { checkAllowed(.delete, uuid, call) }
        recorder.add(call, .deleteCollections(uuids))
    }

    /// The title, which need not be unique.
    ///
    /// Setting the title of the root folder is a programming error and stops the program.
    open var title: String {
        get { titling?.action.title ?? record?.title ?? "" }
        set {
            let call = "PHCollectionListChangeRequest.title"
            checkUse(call)
            Self.checkAllowed(.rename, identifier.uuid, call)
            titling = recorder.retitle(identifier.uuid, newValue, titling, call)
        }
    }

    /// Stops the program if the folder is the root folder, which does not allow the operation.
    ///
    /// See behaviors 62 and 123.
    private static func checkAllowed(
        _ operation: PHCollectionEditOperation,
        _ uuid: String,
        _ call: String
    ) {
        guard uuid == CollectionRecord.rootUUID else { return }
        fatalError(
            "\(call): The root folder does not allow this operation (\(operation)). Ask"
                + " canPerform(_:) first."
        )
    }

    // MARK: - Collections

    /// Appends albums and folders to the folder in the given order.
    ///
    /// Collections already in the folder keep their place. Collections of other folders are moved
    /// out of those folders.
    open func addChildCollections(_ collections: any NSFastEnumeration) {
        let call = "PHCollectionListChangeRequest.addChildCollections(_:)"
        record(call) { .add(uuids(collections, call)) }
    }

    /// Inserts albums and folders in order, so that they have the given indexes after the
    /// insertion.
    ///
    /// Collections that are already in the folder move there.
    ///
    /// - Parameters:
    ///   - collections: Any collection of albums and folders.
    ///   - indexes: The target indexes, one for each collection.
    open func insertChildCollections(_ collections: any NSFastEnumeration, at indexes: IndexSet) {
        let call = "PHCollectionListChangeRequest.insertChildCollections(_:at:)"
        record(call) { .insert(uuids(collections, call), at: Array(indexes)) }
    }

    /// Removes albums and folders from the folder, and moves them to the end of the root folder.
    ///
    /// Collections that are not in the folder are ignored. Collections cannot be removed from the
    /// root folder: the change fails.
    open func removeChildCollections(_ collections: any NSFastEnumeration) {
        let call = "PHCollectionListChangeRequest.removeChildCollections(_:)"
        record(call) { .remove(uuids(collections, call)) }
    }

    /// Removes the albums and folders at the given indexes, and moves them to the end of the root
    /// folder.
    open func removeChildCollections(at indexes: IndexSet) {
        record("PHCollectionListChangeRequest.removeChildCollections(at:)") {
            .removeAt(Array(indexes))
        }
    }

    /// Replaces the albums and folders at the given indexes with other collections.
    ///
    /// - Parameters:
    ///   - indexes: The indexes of the collections to replace, one for each new collection.
    ///   - collections: Any collection of albums and folders.
    open func replaceChildCollections(
        at indexes: IndexSet,
        withChildCollections collections: any NSFastEnumeration
    ) {
        let call =
            "PHCollectionListChangeRequest.replaceChildCollections(at:withChildCollections:)"
        record(call) { .replace(at: Array(indexes), with: uuids(collections, call)) }
    }

    /// Moves the albums and folders at the given indexes.
    ///
    /// - Parameters:
    ///   - indexes: The current indexes of the collections.
    ///   - toIndex: The final index of the first moved collection, counted without the moved
    ///     collections.
    open func moveChildCollections(at indexes: IndexSet, to toIndex: Int) {
        record("PHCollectionListChangeRequest.moveChildCollections(at:to:)") {
            .move(from: Array(indexes), to: toIndex)
        }
    }

    private func uuids(_ collections: any NSFastEnumeration, _ call: String) -> [String] {
        recorder.uuids(collections, of: [.album, .folder], in: call)
    }

    private func record(_ call: String, _ step: () -> ListEdit.Step) {
        checkUse(call)
        list.record(call, step())
    }
}
