public import Foundation
internal import LibraryService
internal import PhotoModel

/// A request to create an asset from files or data.
///
/// Use it inside a change block. Files are not read before the block ends, so a problem with a file
/// makes the whole change fail.
open class PHAssetCreationRequest: PHAssetChangeRequest {
    /// Creates a request for a new asset, to which you then add resources.
    @discardableResult
    open class func forAsset() -> Self {
        typed(
            PHAssetCreationRequest(creatingAs: "PHAssetCreationRequest.forAsset()"),
            as: Self.self
        )
    }

    /// Returns whether resources of these types together form a valid asset.
    ///
    /// - Parameter types: Raw values of `PHAssetResourceType`.
    /// - Returns: True if the combination is valid; false otherwise, also for types that the
    ///   library does not support.
    @discardableResult
    open class func supportsAssetResourceTypes(_ types: [NSNumber]) -> Bool {
        let known = types.compactMap { ResourceType(rawValue: $0.intValue) }
        return known.count == types.count && !known.contains(.sidecar)
            && ResourceCombination.supports(known)
    }

    /// Adds a file as a resource.
    ///
    /// The file is opened when the block ends, and must exist until the change is complete.
    ///
    /// - Parameters:
    ///   - type: The resource's type.
    ///   - fileURL: A file URL.
    ///   - options: The file's name and content type, and whether it is moved. Nil copies the file
    ///     under its own name.
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
                    reason: "Resources are created from local files or data.",
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

    /// Adds data as a resource.
    ///
    /// - Parameters:
    ///   - type: The resource's type.
    ///   - data: The bytes of the file.
    ///   - options: The file's name and content type. Nil generates a name.
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

    /// The original to show and edit if the new asset has both a RAW and a compressed original.
    open var originalResourceChoice: PHAsset.OriginalResourceChoice {
        get {
            edit.originalResourceChoice.flatMap {
                PHAsset.OriginalResourceChoice(rawValue: $0)
            } ?? .compressed
        }
        set { edit("originalResourceChoice") { $0.originalResourceChoice = newValue.rawValue } }
    }

    /// Adds content as a resource.
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

    /// Returns the stored resource type, or nil if the type is not supported.
    ///
    /// An unsupported type makes the block fail.
    private func stored(_ type: PHAssetResourceType, _ call: String) -> ResourceType? {
        if let known = ResourceType(rawValue: type.rawValue), known != .sidecar { return known }
        recorder.fail(
            call,
            LibraryError(
                .changeNotSupported,
                "A resource of the type \(type.rawValue) cannot be added.",
                recovery: "Check PHAssetCreationRequest.supportsAssetResourceTypes(_:) first."
            )
        )
        return nil
    }
}
