public import Foundation
internal import LibraryService
internal import PhotoModel
public import PhotosCompanions

/// A request to change, create or delete assets.
///
/// Use it inside a change block. The properties start with the asset's values at the time it was
/// loaded. Only properties that are set change.
open class PHAssetChangeRequest: PHChangeRequest {
    /// The record of the asset that the client passed, or nil for a new asset or an asset without a
    /// record.
    let record: AssetRecord?
    private let identifier: LocalIdentifier?
    let operation: ChangeRecorder.Operation
    /// The operation that edits the content, or nil if the content is not edited.
    ///
    /// For a request that creates the asset, this is `operation` itself.
    var contentOperation: ChangeRecorder.Operation?

    /// Creates a request for an existing asset.
    init(changing asset: PHAsset, call: String) {
        record = asset.record
        identifier = nil
        let recorder = ChangeRecorder.recording(call)
        let uuid = recorder.uuid(asset, of: [.asset], in: call)
        operation = recorder.add(call, .editAsset(uuid: uuid ?? "", AssetEdit()))
        super.init(call: call)
    }

    /// Creates a request for a new asset.
    init(creatingAs call: String) {
        record = nil
        let identifier = LocalIdentifier(new: .asset)
        self.identifier = identifier
        operation = ChangeRecorder.recording(call)
            .add(call, .createAsset(AssetCreation(uuid: identifier.uuid)))
        super.init(call: call)
    }

    /// Creates a request to change an asset.
    ///
    /// Setting properties of an asset that does not allow changes is a programming error and stops
    /// the program. See ``PHAsset/canPerform(_:)``.
    public convenience init(for asset: PHAsset) {
        self.init(changing: asset, call: "PHAssetChangeRequest.init(for:)")
    }

    // MARK: - New assets

    /// Creates a request for a new asset from an image file.
    ///
    /// - Parameter fileURL: A file, which must exist until the change is complete. The asset takes
    ///   its date and location from the file unless the request sets others.
    /// - Returns: The request, or nil when the file does not exist or its content is not an image.
    ///   An incomplete or damaged file makes the change fail at commit.
    @discardableResult
    open class func creationRequestForAssetFromImage(atFileURL fileURL: URL) -> Self? {
        let call = "PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL:)"
        return request(from: fileURL, type: .photo, call).map { typed($0, as: Self.self) }
    }

    /// Creates a request for a new asset from a movie file.
    ///
    /// - Parameter fileURL: A file, which must exist until the change is complete. The asset takes
    ///   its date and location from the file unless the request sets others.
    /// - Returns: The request, or nil when the file does not exist or its content is not a movie.
    ///   An incomplete or damaged file makes the change fail at commit.
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

    /// A placeholder for the new asset, or nil if the request does not create an asset.
    open var placeholderForCreatedAsset: PHObjectPlaceholder? {
        identifier.map { PHObjectPlaceholder($0) }
    }

    // MARK: - Content

    /// The editing output that replaces the currently shown version, or nil for no edit.
    ///
    /// The files are read after the block ends. If one is missing, incomplete or of the wrong type,
    /// the change fails and nothing is changed. The original is preserved. When two programs edit
    /// the same asset, the later commit is shown, and undoing it restores the earlier one.
    open var contentEditingOutput: PHContentEditingOutput? {
        get { contentOperation?.output }
        set { setContent(newValue) }
    }

    /// Removes the asset's edit, so that the original is shown again.
    ///
    /// An asset without an edit is unaffected. Undoing the change restores the edit.
    open func revertAssetContentToOriginal() {
        revert(to: nil, "revertAssetContentToOriginal()")
    }

    /// Removes the edit of a RAW+JPEG asset, and selects which of the two originals to show.
    ///
    /// The change fails for an asset that does not have both a RAW and a compressed original.
    open func revertAssetContent(to choice: PHAsset.OriginalResourceChoice) {
        revert(to: choice, "revertAssetContent(to:)")
    }

    // MARK: - Deleting

    /// Deletes assets by moving them to Recently Deleted, where they stay for 30 days.
    ///
    /// If deletions require confirmation, the confirmation is requested after the block ends. A
    /// refusal makes the change fail with `userCancelled`.
    ///
    /// - Parameter assets: Any collection of assets.
    open class func deleteAssets(_ assets: any NSFastEnumeration) {
        let call = "PHAssetChangeRequest.deleteAssets(_:)"
        let recorder = ChangeRecorder.recording(call)
        for element in NSFastEnumerationIterator(assets) {
            if let asset = element as? PHAsset { checkAllowed(.delete, asset.record, call) }
        }
        recorder.add(call, .deleteAssets(recorder.uuids(assets, of: [.asset], in: call)))
    }

    // MARK: - Properties

    /// The capture date.
    open var creationDate: Date? {
        get { Self.value(edit.creationDate, else: record?.creationDate) }
        set { edit("creationDate") { $0.creationDate = FieldEdit(newValue) } }
    }

    /// The location of capture.
    ///
    /// The altitude is stored only if the vertical accuracy is positive.
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
                    altitude: location.verticalAccuracy > 0 ? location.altitude : nil
                )
            }
            edit("location") { $0.location = FieldEdit(place) }
        }
    }

    /// Indicates whether the asset is a favorite.
    open var isFavorite: Bool {
        get { edit.isFavorite ?? record?.isFavorite ?? false }
        set { edit("isFavorite") { $0.isFavorite = newValue } }
    }

    /// Indicates whether the asset is hidden.
    ///
    /// Fetches omit hidden assets unless their options include them. The unpicked frames of a burst
    /// are hidden and unhidden with the asset that represents it.
    open var isHidden: Bool {
        get { edit.isHidden ?? record?.isHidden ?? false }
        set { edit("isHidden") { $0.isHidden = newValue } }
    }

    /// The rating in stars.
    open var rating: PHAsset.Rating {
        get { PHAsset.Rating(rawValue: storedRating) ?? .unset }
        set { storedRating = newValue.rawValue }
    }

    /// The caption; nil or an empty string means none.
    open var caption: String? {
        get { Self.value(edit.caption, else: record?.caption) }
        set {
            edit("caption") { $0.caption = FieldEdit(newValue.flatMap { $0.isEmpty ? nil : $0 }) }
        }
    }

    /// Adds a keyword, unless the asset already has it.
    open func addKeyword(_ keyword: String) {
        edit("addKeyword(_:)") { edit in
            edit.removedKeywords.removeAll { $0 == keyword }
            if !edit.addedKeywords.contains(keyword) { edit.addedKeywords.append(keyword) }
        }
    }

    /// Removes a keyword, if the asset has it.
    open func removeKeyword(_ keyword: String) {
        edit("removeKeyword(_:)") { edit in
            edit.addedKeywords.removeAll { $0 == keyword }
            if !edit.removedKeywords.contains(keyword) { edit.removedKeywords.append(keyword) }
        }
    }

    /// Sets whether a Live Photo plays its movie.
    ///
    /// The change fails for an asset that is not a Live Photo.
    open func setLivePhotoVideoPlaybackEnabled(_ enabled: Bool) {
        edit("setLivePhotoVideoPlaybackEnabled(_:)") { $0.isLivePhotoPlaybackEnabled = enabled }
    }

    /// The title, which PhotoKit has no API for; nil or an empty string means none.
    package var assetTitle: String? {
        get { Self.value(edit.title, else: record?.title) }
        set { edit("title") { $0.title = FieldEdit(newValue.flatMap { $0.isEmpty ? nil : $0 }) } }
    }
}

extension PHAssetChangeRequest {
    /// The property changes that this request has recorded so far.
    var edit: AssetEdit {
        switch operation.action {
        case .editAsset(_, let edit): edit
        case .createAsset(let creation): creation.edit
        default: AssetEdit()
        }
    }

    /// The stored rating: -1 for a rejected asset.
    package var storedRating: Int {
        get { edit.rating ?? record?.rating ?? 0 }
        set { edit("rating") { $0.rating = newValue } }
    }

    /// Indicates whether the user picked this frame of its burst.
    package var isPickedFrame: Bool {
        get { edit.isBurstPick ?? record?.burstSelectionTypes.contains(.userPick) ?? false }
        set { edit("isBurstPick") { $0.isBurstPick = newValue } }
    }

    /// Records a change of a property.
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

    /// Stops the program if the asset's source does not allow the operation.
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
