public import Foundation
internal import LibraryService
internal import PhotoModel
public import PhotosCompanions
internal import Synchronization

/// The output of an editing session: a rendered file, and the adjustments that produced it.
///
/// Render to ``renderedContentURL``, set ``adjustmentData``, and assign the output to a change
/// request's ``PHAssetChangeRequest/contentEditingOutput``. The library validates the file and
/// copies it. The file's folder exists as long as this object does.
open class PHContentEditingOutput: NSObject, @unchecked Sendable {
    // Unchecked because the class is open. Its state is in a Mutex; the rest is immutable.

    private struct State {
        var adjustmentData: PHAdjustmentData?
        /// The content types for which the client requested a URL, the most recent one last.
        var asked: [UTType] = []
    }

    private let isVideo: Bool
    /// The UUIDs of the files that the edit is based on.
    private let bases: [String]
    private let folder: RenderedFolder
    private let state = Mutex(State())

    /// Creates the output of an editing session that began with the given input.
    public init(contentEditingInput: PHContentEditingInput) {
        isVideo = contentEditingInput.mediaType == .video
        let found = contentEditingInput.found
        bases = [found?.resource.uuid, found?.paired?.record.uuid].compactMap(\.self)
        folder = RenderedFolder()
        super.init()
    }

    /// Creates an editing output for an asset that the current change block creates.
    ///
    /// It can be used only inside that block.
    ///
    /// - Parameter placeholderForCreatedAsset: The placeholder of a request of this block, to which
    ///   a file was already added. Any other placeholder makes the block fail.
    public init(placeholderForCreatedAsset: PHObjectPlaceholder) {
        let call = "PHContentEditingOutput.init(placeholderForCreatedAsset:)"
        let recorder = ChangeRecorder.recording(call)
        let types = recorder.newResources(ofAsset: placeholderForCreatedAsset.localIdentifier)
        if types == nil {
            recorder.fail(
                call,
                LibraryError(
                    .invalidRequest,
                    "No request of this change block creates the asset"
                        + " \(placeholderForCreatedAsset.localIdentifier).",
                    recovery: "Pass the placeholder of a creation request of the same block.",
                    identifiers: [placeholderForCreatedAsset.localIdentifier]
                )
            )
        }
        isVideo = types?.contains(.video) ?? false
        bases = []
        folder = RenderedFolder()
        super.init()
    }

    // MARK: - Rendered files

    /// The required adjustments of the edit, from which later edits can continue.
    open var adjustmentData: PHAdjustmentData? {
        get { state.withLock(\.adjustmentData) }
        set { state.withLock { $0.adjustmentData = newValue } }
    }

    /// The URL to which the editor writes the rendered file, in full size and upright.
    ///
    /// The file is a JPEG image or a QuickTime movie.
    open var renderedContentURL: URL { url(for: standardType) }

    /// The type of the file at ``renderedContentURL``.
    open var defaultRenderedContentType: UTType? { standardType }

    /// The supported types of rendered files.
    ///
    /// They are JPEG, HEIC, PNG and TIFF for images, and QuickTime and MPEG-4 for videos.
    open var supportedRenderedContentTypes: [UTType] {
        isVideo ? [.quickTimeMovie, .mpeg4Movie] : [.jpeg, .heic, .png, .tiff]
    }

    /// Returns the URL to which the editor writes a rendered file of a non-default type.
    ///
    /// If several files exist, the library uses the one whose type was requested last.
    ///
    /// - Parameter type: One of ``supportedRenderedContentTypes``.
    /// - Returns: A URL at which no file exists yet.
    /// - Throws: ``PHPhotosError`` with `changeNotSupported` for any other type.
    open func renderedContentURL(for type: UTType) throws -> URL {
        guard supportedRenderedContentTypes.contains(type) else {
            throw PHPhotosError(
                LibraryError(
                    .changeNotSupported,
                    "An edit cannot be rendered as \(type.identifier).",
                    reason: "It can be "
                        + supportedRenderedContentTypes.map(\.identifier).joined(separator: ", ")
                        + ".",
                    recovery: "Check supportedRenderedContentTypes first."
                )
            )
        }
        state.withLock { state in
            state.asked.removeAll { $0 == type }
            state.asked.append(type)
        }
        return url(for: type)
    }

    /// The URL for the rendered movie of a Live Photo.
    var renderedPairedVideoURL: URL {
        folder.url.appendingPathComponent("FullSizeRender-paired.mov")
    }

    /// The URL and type of a Live Photo's rendered still image, which is HEIC if the editor
    /// requested that type last, and JPEG otherwise.
    var renderedStill: (url: URL, type: EditedStill.FileType) {
        let isHEIC = state.withLock { $0.asked.last } == .heic
        return (url(for: isHEIC ? .heic : .jpeg), isHEIC ? .heic : .jpeg)
    }

    private var standardType: UTType { isVideo ? .quickTimeMovie : .jpeg }

    private func url(for type: UTType) -> URL {
        let name = "FullSizeRender." + Self.pathExtension(of: type)
        return folder.url.appendingPathComponent(name, isDirectory: false)
    }

    private static func pathExtension(of type: UTType) -> String {
        switch type {
        case .jpeg: "jpg"
        case .quickTimeMovie: "mov"
        case .mpeg4Movie: "mp4"
        default: type.preferredFilenameExtension ?? "data"
        }
    }

    // MARK: - Saving

    /// Returns the edit in the form that the library stores.
    ///
    /// - Parameter recorder: The recorder that the rendered files are added to.
    /// - Returns: The edit, whose file indexes refer to the recorder's files.
    /// - Throws: An error if the adjustment data or the rendered file is missing.
    func contentEdit(addingTo recorder: ChangeRecorder) throws(LibraryError) -> ContentEdit {
        let (data, asked) = state.withLock { ($0.adjustmentData, $0.asked) }
        guard let data else {
            throw LibraryError(
                .invalidRequest,
                "The edit has no adjustment data.",
                reason: "Without adjustment data, the edit cannot be continued later.",
                recovery: "Set PHContentEditingOutput.adjustmentData before the block ends."
            )
        }
        let types = asked.reversed() + [standardType]
        guard let type = types.first(where: { isThere(url(for: $0)) }) else {
            throw LibraryError(
                .missingResource,
                "The edit has no rendered file.",
                reason: "There is no file at \(url(for: types.first ?? standardType).path).",
                recovery: "Write the rendered \(isVideo ? "video" : "picture") to"
                    + " PHContentEditingOutput.renderedContentURL first.",
                path: url(for: types.first ?? standardType).path
            )
        }
        func rendering(_ kind: ResourceType, _ type: UTType, _ url: URL) -> ResourceCreation {
            ResourceCreation(
                type: kind,
                file: recorder.add(.url(url, isMoved: false)),
                contentType: type.identifier,
                path: url.path
            )
        }
        var renderings = [
            rendering(isVideo ? .fullSizeVideo : .fullSizePhoto, type, url(for: type))
        ]
        if !isVideo, isThere(renderedPairedVideoURL) {
            renderings.append(
                rendering(.fullSizePairedVideo, .quickTimeMovie, renderedPairedVideoURL)
            )
        }
        return ContentEdit(
            adjustments: ContentAdjustments(
                formatIdentifier: data.formatIdentifier,
                formatVersion: data.formatVersion,
                data: data.data
            ),
            renderings: renderings,
            bases: bases
        )
    }

    private func isThere(_ url: URL) -> Bool {
        FileManager.default.fileExists(atPath: url.path)
    }
}
