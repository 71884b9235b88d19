public import Foundation
internal import LibraryService
internal import PhotoModel
public import PhotosCompanions
internal import Synchronization

/// What an editor gives back: a rendered file, and what it did.
///
/// Render into ``renderedContentURL``, set ``adjustmentData``, and give it to a change request's
/// ``PHAssetChangeRequest/contentEditingOutput``: the library checks the file, and takes a copy of it.
/// The folder of the file lives as long as this object does.
open class PHContentEditingOutput: NSObject, @unchecked Sendable {
    // Unchecked because the class is open; its state is in a Mutex, the rest is immutable.

    private struct State {
        var adjustmentData: PHAdjustmentData?
        /// The types whose URLs were asked for, the last one last.
        var asked: [UTType] = []
    }

    private let isVideo: Bool
    /// UUIDs of the files that the editor began with.
    private let bases: [String]
    private let folder: RenderedFolder
    private let state = Mutex(State())

    /// The output of an edit of what a request gave.
    public init(contentEditingInput: PHContentEditingInput) {
        isVideo = contentEditingInput.mediaType == .video
        let found = contentEditingInput.found
        bases = [found?.resource.uuid, found?.paired?.record.uuid].compactMap(\.self)
        folder = RenderedFolder()
        super.init()
    }

    /// The output of an edit of an asset that the change block makes; inside of that block only.
    ///
    /// - Parameter placeholderForCreatedAsset: That of a request of this block, whose file was given
    ///   before; for another one the block fails.
    public init(placeholderForCreatedAsset: PHObjectPlaceholder) {
        let call = "PHContentEditingOutput.init(placeholderForCreatedAsset:)"
        let recorder = ChangeRecorder.recording(call)
        let types = recorder.newResources(ofAsset: placeholderForCreatedAsset.localIdentifier)
        if types == nil {
            recorder.fail(
                call,
                LibraryError(
                    .invalidRequest,
                    "No request of this change block makes the asset"
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

    // MARK: - What the editor gives

    /// What the editor did, so that it can be gone on with; has to be set.
    open var adjustmentData: PHAdjustmentData? {
        get { state.withLock(\.adjustmentData) }
        set { state.withLock { $0.adjustmentData = newValue } }
    }

    /// Where the editor writes the rendered picture as JPEG, or the rendered video as a QuickTime
    /// movie: in full size and upright.
    open var renderedContentURL: URL { url(for: standardType) }

    /// The type of the file at ``renderedContentURL``.
    open var defaultRenderedContentType: UTType? { standardType }

    /// The types that can be rendered: of pictures JPEG, HEIC, PNG and TIFF, of videos QuickTime and
    /// MPEG-4.
    open var supportedRenderedContentTypes: [UTType] {
        isVideo ? [.quickTimeMovie, .mpeg4Movie] : [.jpeg, .heic, .png, .tiff]
    }

    /// Where the editor writes a rendered file of another type than the usual.
    ///
    /// When there are several files, that of the type that was asked for last counts.
    ///
    /// - Parameter type: One of ``supportedRenderedContentTypes``.
    /// - Returns: A URL at which nothing is yet.
    /// - Throws: ``PHPhotosError`` with `changeNotSupported` for another type.
    open func renderedContentURL(for type: UTType) throws -> URL {
        guard supportedRenderedContentTypes.contains(type) else {
            throw PHPhotosError(
                LibraryError(
                    .changeNotSupported,
                    "An edit cannot be rendered as \(type.identifier).",
                    reason: "It can be "
                        + supportedRenderedContentTypes.map(\.identifier).joined(separator: ", ")
                        + ".",
                    recovery: "Ask supportedRenderedContentTypes first."
                )
            )
        }
        state.withLock { state in
            state.asked.removeAll { $0 == type }
            state.asked.append(type)
        }
        return url(for: type)
    }

    /// Where the movie of a Live Photo goes.
    var renderedPairedVideoURL: URL {
        folder.url.appendingPathComponent("FullSizeRender-paired.mov")
    }

    /// Where the still of a Live Photo goes, and as what: HEIC where that was asked for last, else JPEG.
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

    /// The edit as the library takes it.
    ///
    /// - Parameter recorder: Where the rendered files are added.
    /// - Returns: The edit, whose files count in the recorder's.
    /// - Throws: What is missing.
    func contentEdit(addingTo recorder: ChangeRecorder) throws(LibraryError) -> ContentEdit {
        let (data, asked) = state.withLock { ($0.adjustmentData, $0.asked) }
        guard let data else {
            throw LibraryError(
                .invalidRequest,
                "The edit has no adjustment data.",
                reason: "Without them nobody could go on with it.",
                recovery: "Set PHContentEditingOutput.adjustmentData before the block ends."
            )
        }
        let types = asked.reversed() + [standardType]
        guard let type = types.first(where: { isThere(url(for: $0)) }) else {
            throw LibraryError(
                .missingResource,
                "The edit has no rendered file.",
                reason: "There is nothing at \(url(for: types.first ?? standardType).path).",
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
