public import Foundation
internal import LibraryService
internal import PhotoModel
public import PhotosCompanions

/// Makes a folder, changes one, or deletes some.
///
/// For use inside of a change block. Indexes count in the collections that the request was made with,
/// in what its own calls made of them so far.
open class PHCollectionListChangeRequest: PHChangeRequest {
    private let record: CollectionRecord?
    private let identifier: LocalIdentifier
    private var titling: ChangeRecorder.Operation?
    private let list: ListRecording

    /// A request for a new folder.
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

    /// A request for a folder that there is.
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

    /// A request to change a folder.
    ///
    /// Indexes count in the folder as it is when the change is committed, in its own order. To tie
    /// them to what was fetched, use ``init(for:childCollections:)``.
    ///
    /// Nil for a list that cannot be changed: one of no library, or in memory only.
    public convenience init?(for collectionList: PHCollectionList) {
        self.init(
            changing: collectionList,
            nil,
            call: "PHCollectionListChangeRequest.init(for:)"
        )
    }

    /// A request to change a folder whose indexes count in a fetch result, whatever others did to the
    /// folder since.
    ///
    /// Nil for a list that cannot be changed: one of no library, or in memory only.
    ///
    /// - Parameters:
    ///   - collectionList: A folder.
    ///   - childCollections: What was fetched from it.
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

    /// A request to change what is in no folder: the content of the root folder.
    ///
    /// - Parameter childCollections: What ``PHCollection/fetchTopLevelUserCollections(with:)`` gave;
    ///   indexes count in it.
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

    /// A request for a new folder, which comes to the end of the root folder.
    ///
    /// - Parameter title: Its title; several folders may have the same.
    /// - Returns: The request, which the folder's content can be given to, too.
    @discardableResult
    open class func creationRequestForCollectionList(withTitle title: String) -> Self {
        let call = "PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle:)"
        return typed(PHCollectionListChangeRequest(titled: title, call: call), as: Self.self)
    }

    /// Stands for the new folder.
    ///
    /// For a request that makes none: for the folder that it changes.
    open var placeholderForCreatedCollectionList: PHObjectPlaceholder {
        PHObjectPlaceholder(identifier)
    }

    /// Deletes folders with all albums and folders in them; assets stay in the library.
    ///
    /// Deleting the root folder is a programming error, and stops the program.
    ///
    /// - Parameter collectionLists: Folders; any collection of them.
    open class func deleteCollectionLists(_ collectionLists: any NSFastEnumeration) {
        let call = "PHCollectionListChangeRequest.deleteCollectionLists(_:)"
        let recorder = ChangeRecorder.recording(call)
        let uuids = recorder.uuids(collectionLists, of: [.folder], in: call)
        for uuid in uuids { checkAllowed(.delete, uuid, call) }
        recorder.add(call, .deleteCollections(uuids))
    }

    /// The title; several folders may have the same.
    ///
    /// Setting that of the root folder is a programming error, and stops the program.
    open var title: String {
        get { titling?.action.title ?? record?.title ?? "" }
        set {
            let call = "PHCollectionListChangeRequest.title"
            checkUse(call)
            Self.checkAllowed(.rename, identifier.uuid, call)
            titling = recorder.retitle(identifier.uuid, newValue, titling, call)
        }
    }

    /// Stops the program for what the root folder does not allow (behaviours 62, 123).
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

    /// Adds albums and folders at the end, in this order; those that the folder has stay where they
    /// are, and those of other folders leave these.
    open func addChildCollections(_ collections: any NSFastEnumeration) {
        let call = "PHCollectionListChangeRequest.addChildCollections(_:)"
        record(call) { .add(uuids(collections, call)) }
    }

    /// Puts albums and folders in so that they end up at these indexes, in this order; those that the
    /// folder has move there.
    ///
    /// - Parameters:
    ///   - collections: Any collection of albums and folders.
    ///   - indexes: As many indexes as there are collections.
    open func insertChildCollections(_ collections: any NSFastEnumeration, at indexes: IndexSet) {
        let call = "PHCollectionListChangeRequest.insertChildCollections(_:at:)"
        record(call) { .insert(uuids(collections, call), at: Array(indexes)) }
    }

    /// Takes albums and folders out of the folder; they come to the end of the root folder.
    ///
    /// Those that it does not have are passed over. Nothing can be taken out of the root folder: the
    /// change fails.
    open func removeChildCollections(_ collections: any NSFastEnumeration) {
        let call = "PHCollectionListChangeRequest.removeChildCollections(_:)"
        record(call) { .remove(uuids(collections, call)) }
    }

    /// Takes the albums and folders at these indexes out of the folder; they come to the end of the
    /// root folder.
    open func removeChildCollections(at indexes: IndexSet) {
        record("PHCollectionListChangeRequest.removeChildCollections(at:)") {
            .removeAt(Array(indexes))
        }
    }

    /// Puts albums and folders in the places of those at these indexes.
    ///
    /// - Parameters:
    ///   - indexes: As many indexes as there are collections.
    ///   - collections: Any collection of albums and folders.
    open func replaceChildCollections(
        at indexes: IndexSet,
        withChildCollections collections: any NSFastEnumeration
    ) {
        let call =
            "PHCollectionListChangeRequest.replaceChildCollections(at:withChildCollections:)"
        record(call) { .replace(at: Array(indexes), with: uuids(collections, call)) }
    }

    /// Moves the albums and folders at these indexes.
    ///
    /// - Parameters:
    ///   - indexes: Where they are.
    ///   - toIndex: Where the first of them ends up, counted without those that are moved.
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
