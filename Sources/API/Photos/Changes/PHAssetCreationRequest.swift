public import Foundation
internal import LibraryService
internal import PhotoModel

/// Makes a new asset of files or data.
///
/// For use inside of a change block. Nothing is looked at before the block has ended: what is wrong
/// with a file is the error of the whole change.
open class PHAssetCreationRequest: PHAssetChangeRequest {
    /// A request for a new asset, to which resources are to be added.
    @discardableResult
    open class func forAsset() -> Self {
        typed(
            PHAssetCreationRequest(creatingAs: "PHAssetCreationRequest.forAsset()"),
            as: Self.self
        )
    }

    /// Whether files of these types, together, make an asset.
    ///
    /// - Parameter types: Raw values of `PHAssetResourceType`.
    /// - Returns: False also for types that the library does not know.
    @discardableResult
    open class func supportsAssetResourceTypes(_ types: [NSNumber]) -> Bool {
        let known = types.compactMap { ResourceType(rawValue: $0.intValue) }
        return known.count == types.count && !known.contains(.sidecar)
            && ResourceCombination.supports(known)
    }

    /// Adds a file.
    ///
    /// It is opened when the block ends, and has to be there until the change is complete.
    ///
    /// - Parameters:
    ///   - type: The part that it plays.
    ///   - fileURL: A file URL.
    ///   - options: Its name, its kind, and whether it is moved; nil for a copy of what is there.
    open func addResource(
        with type: PHAssetResourceType,
        fileURL: URL,
        options: PHAssetResourceCreationOptions?
    ) {
        let call = "PHAssetCreationRequest.addResource(with:fileURL:options:)"
        checkUse(call)
        guard fileURL.isFileURL else {
            recorder.fail(
                call,
                LibraryError(
                    .missingResource,
                    "\(fileURL.absoluteString) is not the URL of a file.",
                    reason: "Resources are made of files that are here, or of data.",
                    recovery: "Download it first."
                )
            )
            return
        }
        guard let type = stored(type, call) else { return }
        add(
            type,
            .url(fileURL, isMoved: options?.shouldMoveFile ?? false),
            name: options?.originalFilename ?? fileURL.lastPathComponent,
            options
        )
    }

    /// Adds data as a file.
    ///
    /// - Parameters:
    ///   - type: The part that it plays.
    ///   - data: The bytes of the file.
    ///   - options: Its name and its kind; nil for a made-up name.
    open func addResource(
        with type: PHAssetResourceType,
        data: Data,
        options: PHAssetResourceCreationOptions?
    ) {
        let call = "PHAssetCreationRequest.addResource(with:data:options:)"
        checkUse(call)
        guard let type = stored(type, call) else { return }
        add(type, .data(data), name: options?.originalFilename, options)
    }

    /// Which original of a RAW+JPEG asset counts: is shown, and edited.
    open var originalResourceChoice: PHAsset.OriginalResourceChoice {
        get {
            edit.originalResourceChoice.flatMap {
                PHAsset.OriginalResourceChoice(rawValue: $0)
            } ?? .compressed
        }
        set { edit("originalResourceChoice") { $0.originalResourceChoice = newValue.rawValue } }
    }

    /// Adds bytes as a resource.
    func add(
        _ type: ResourceType,
        _ file: NewFile,
        name: String?,
        _ options: PHAssetResourceCreationOptions?
    ) {
        guard case .createAsset(var creation) = operation.action else { return }
        var path: String?
        if case .url(let url, _) = file { path = url.path }
        creation.resources.append(
            ResourceCreation(
                type: type,
                file: recorder.add(file),
                originalFilename: name,
                contentType: options?.contentType?.identifier,
                path: path
            )
        )
        operation.action = .createAsset(creation)
    }

    /// The type as it is stored; nil for one that the library does not take, and then the block fails.
    private func stored(_ type: PHAssetResourceType, _ call: String) -> ResourceType? {
        if let known = ResourceType(rawValue: type.rawValue), known != .sidecar { return known }
        recorder.fail(
            call,
            LibraryError(
                .changeNotSupported,
                "A resource of the type \(type.rawValue) cannot be added.",
                recovery: "Ask PHAssetCreationRequest.supportsAssetResourceTypes(_:) first."
            )
        )
        return nil
    }
}
