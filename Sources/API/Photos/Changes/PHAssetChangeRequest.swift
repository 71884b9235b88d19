public import Foundation
internal import LibraryService
internal import PhotoModel
public import PhotosCompanions

/// Changes an asset, makes one of a file, or deletes some.
///
/// For use inside of a change block. The properties start with the values that the asset had when it
/// was loaded; only those that are set change.
open class PHAssetChangeRequest: PHChangeRequest {
    /// The asset as the client has it; nil for a new one, and for one without values.
    let record: AssetRecord?
    private let identifier: LocalIdentifier?
    let operation: ChangeRecorder.Operation
    /// The edit of the content: an operation of its own, unless the request makes the asset.
    var contentOperation: ChangeRecorder.Operation?

    /// A request for an asset that there is.
    init(changing asset: PHAsset, call: String) {
        record = asset.record
        identifier = nil
        let recorder = ChangeRecorder.recording(call)
        let uuid = recorder.uuid(asset, of: [.asset], in: call)
        operation = recorder.add(call, .editAsset(uuid: uuid ?? "", AssetEdit()))
        super.init(call: call)
    }

    /// A request for a new asset.
    init(creatingAs call: String) {
        record = nil
        let identifier = LocalIdentifier(new: .asset)
        self.identifier = identifier
        operation = ChangeRecorder.recording(call)
            .add(call, .createAsset(AssetCreation(uuid: identifier.uuid)))
        super.init(call: call)
    }

    /// A request to change an asset.
    ///
    /// Setting properties of an asset that does not allow it is a programming error, and stops the
    /// program: see ``PHAsset/canPerform(_:)``.
    public convenience init(for asset: PHAsset) {
        self.init(changing: asset, call: "PHAssetChangeRequest.init(for:)")
    }

    // MARK: - New assets

    /// A request for a new asset of an image file.
    ///
    /// - Parameter fileURL: A file, which has to be there until the change is complete. Its date and
    ///   place become the asset's, unless the request sets others.
    /// - Returns: Nil when the file is not there, or is no image by its content. Whether it is whole is
    ///   found out when the change is committed, and is an error then.
    @discardableResult
    open class func creationRequestForAssetFromImage(atFileURL fileURL: URL) -> Self? {
        let call = "PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL:)"
        return request(from: fileURL, type: .photo, call).map { typed($0, as: Self.self) }
    }

    /// A request for a new asset of a movie file.
    ///
    /// - Parameter fileURL: A file, which has to be there until the change is complete. Its date and
    ///   place become the asset's, unless the request sets others.
    /// - Returns: Nil when the file is not there, or is no movie by its content. Whether it is whole is
    ///   found out when the change is committed, and is an error then.
    @discardableResult
    open class func creationRequestForAssetFromVideo(atFileURL fileURL: URL) -> Self? {
        let call = "PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL:)"
        return request(from: fileURL, type: .video, call).map { typed($0, as: Self.self) }
    }

    private static func request(
        from url: URL,
        type: ResourceType,
        _ call: String
    ) -> PHAssetCreationRequest? {
        let recorder = ChangeRecorder.recording(call)
        let kind: MediaType = type == .video ? .video : .image
        guard MediumOfFile.isMedium(kind, at: url, recorder.connection) else { return nil }
        let request = PHAssetCreationRequest(creatingAs: call)
        request.add(type, .url(url, isMoved: false), name: url.lastPathComponent, nil)
        return request
    }

    /// Stands for the new asset; nil for a request that makes none.
    open var placeholderForCreatedAsset: PHObjectPlaceholder? {
        identifier.map { PHObjectPlaceholder($0) }
    }

    // MARK: - Content

    /// What an editor rendered, in place of what is shown; nil for no edit.
    ///
    /// The files are read when the block has ended. The change fails where one is missing, not whole,
    /// or of another type than it has to be; then nothing is changed. The original stays as it is.
    /// When two programs edit at once, the later commit is shown, and undoing it brings the earlier one
    /// back.
    open var contentEditingOutput: PHContentEditingOutput? {
        get { contentOperation?.output }
        set { setContent(newValue) }
    }

    /// Takes the edit away, so that the original is shown; nothing happens to an asset without one.
    ///
    /// Undoing the change brings the edit back.
    open func revertAssetContentToOriginal() {
        revert(to: nil, "revertAssetContentToOriginal()")
    }

    /// Takes the edit away from an asset with a RAW and a compressed original, and says which of the
    /// two counts.
    ///
    /// The change fails for another asset.
    open func revertAssetContent(to choice: PHAsset.OriginalResourceChoice) {
        revert(to: choice, "revertAssetContent(to:)")
    }

    // MARK: - Deleting

    /// Deletes assets: they go to Recently Deleted, where they stay for 30 days.
    ///
    /// What the library's owner has to be asked before is asked when the block has ended; a no makes
    /// the change fail with `userCancelled`.
    ///
    /// - Parameter assets: Assets; any collection of them.
    open class func deleteAssets(_ assets: any NSFastEnumeration) {
        let call = "PHAssetChangeRequest.deleteAssets(_:)"
        let recorder = ChangeRecorder.recording(call)
        for element in NSFastEnumerationIterator(assets) {
            if let asset = element as? PHAsset { checkAllowed(.delete, asset.record, call) }
        }
        recorder.add(call, .deleteAssets(recorder.uuids(assets, of: [.asset], in: call)))
    }

    // MARK: - Properties

    /// When it was captured.
    open var creationDate: Date? {
        get { Self.value(edit.creationDate, else: record?.creationDate) }
        set { edit("creationDate") { $0.creationDate = FieldEdit(newValue) } }
    }

    /// Where it was captured.
    ///
    /// An altitude counts where the vertical accuracy is not negative.
    open var location: CLLocation? {
        get {
            Self.value(edit.location, else: record?.location).map { place in
                CLLocation(place, timestamp: creationDate ?? record?.addedDate ?? Date())
            }
        }
        set {
            let place = newValue.map { location in
                Location(
                    latitude: location.coordinate.latitude,
                    longitude: location.coordinate.longitude,
                    altitude: location.verticalAccuracy < 0 ? nil : location.altitude
                )
            }
            edit("location") { $0.location = FieldEdit(place) }
        }
    }

    /// Whether it is a favourite.
    open var isFavorite: Bool {
        get { edit.isFavorite ?? record?.isFavorite ?? false }
        set { edit("isFavorite") { $0.isFavorite = newValue } }
    }

    /// Whether it is left out of fetches that do not ask for hidden assets.
    open var isHidden: Bool {
        get { edit.isHidden ?? record?.isHidden ?? false }
        set { edit("isHidden") { $0.isHidden = newValue } }
    }

    /// How many stars it has.
    open var rating: PHAsset.Rating {
        get { PHAsset.Rating(rawValue: storedRating) ?? .unset }
        set { storedRating = newValue.rawValue }
    }

    /// The caption; nil or an empty text for none.
    open var caption: String? {
        get { Self.value(edit.caption, else: record?.caption) }
        set {
            edit("caption") { $0.caption = FieldEdit(newValue.flatMap { $0.isEmpty ? nil : $0 }) }
        }
    }

    /// Adds a keyword; one that the asset has is left alone.
    open func addKeyword(_ keyword: String) {
        edit("addKeyword(_:)") { edit in
            edit.removedKeywords.removeAll { $0 == keyword }
            if !edit.addedKeywords.contains(keyword) { edit.addedKeywords.append(keyword) }
        }
    }

    /// Takes a keyword away; one that the asset does not have is left alone.
    open func removeKeyword(_ keyword: String) {
        edit("removeKeyword(_:)") { edit in
            edit.addedKeywords.removeAll { $0 == keyword }
            if !edit.removedKeywords.contains(keyword) { edit.removedKeywords.append(keyword) }
        }
    }

    /// Sets whether a Live Photo moves.
    ///
    /// The change fails for an asset that is none.
    open func setLivePhotoVideoPlaybackEnabled(_ enabled: Bool) {
        edit("setLivePhotoVideoPlaybackEnabled(_:)") { $0.isLivePhotoPlaybackEnabled = enabled }
    }

    /// The title, which PhotoKit has no name for; nil or an empty text for none.
    package var assetTitle: String? {
        get { Self.value(edit.title, else: record?.title) }
        set { edit("title") { $0.title = FieldEdit(newValue.flatMap { $0.isEmpty ? nil : $0 }) } }
    }
}

extension PHAssetChangeRequest {
    /// What was set so far.
    var edit: AssetEdit {
        switch operation.action {
        case .editAsset(_, let edit): edit
        case .createAsset(let creation): creation.edit
        default: AssetEdit()
        }
    }

    /// The rating as the library has it: -1 for a rejected asset.
    package var storedRating: Int {
        get { edit.rating ?? record?.rating ?? 0 }
        set { edit("rating") { $0.rating = newValue } }
    }

    /// Whether the user picked it, of the frames of its burst.
    package var isPickedFrame: Bool {
        get { edit.isBurstPick ?? record?.burstSelectionTypes.contains(.userPick) ?? false }
        set { edit("isBurstPick") { $0.isBurstPick = newValue } }
    }

    /// Sets something.
    func edit(_ member: String, _ body: (inout AssetEdit) -> Void) {
        let call = "\(type(of: self)).\(member)"
        checkUse(call)
        Self.checkAllowed(.properties, record, call)
        var edit = edit
        body(&edit)
        switch operation.action {
        case .editAsset(let uuid, _): operation.action = .editAsset(uuid: uuid, edit)
        case .createAsset(var creation):
            creation.edit = edit
            operation.action = .createAsset(creation)
        default: break
        }
    }

    /// Stops the program when an asset is of a kind that this cannot be done to.
    static func checkAllowed(
        _ operation: PHAssetEditOperation,
        _ record: AssetRecord?,
        _ call: String
    ) {
        guard let record, record.sourceType != .userLibrary else { return }
        fatalError(
            "\(call): The asset \(record.localIdentifier) does not allow this operation"
                + " (\(operation)): it is not of the user's own library. Ask canPerform(_:) first."
        )
    }

    private static func value<Value>(_ edit: FieldEdit<Value>?, else present: Value?) -> Value? {
        switch edit {
        case nil: present
        case .clear: nil
        case .set(let value): value
        }
    }
}

extension FieldEdit {
    fileprivate init(_ value: Value?) {
        self = value.map { .set($0) } ?? .clear
    }
}
