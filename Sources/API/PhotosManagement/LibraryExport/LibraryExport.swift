public import Foundation
internal import LibraryService
internal import PhotoModel
public import Photos

/// Writes a whole library to a folder that any program can read.
///
/// ```text
/// library.jsonl                      all facts, a line per asset and album
/// Photos/2024/2024-05/IMG_1.HEIC     the original, byte for byte
///                     IMG_1.MOV      the movie of a Live Photo, the RAW, the adjustments
///                     IMG_1-edited.HEIC, IMG_1-base.HEIC
///                     IMG_1.HEIC.xmp the metadata
/// Albums/Trips/Summer/               links, and the order in .album.json
/// Hidden/…, Recently Deleted/…       as Photos, on request
/// ```
///
/// A later export to the same folder writes only what changed, and reports files that no asset has
/// any more. An asset keeps its names, and no other asset gets them while its files are there. To
/// continue an export that was interrupted, start it again.
public struct LibraryExport: Sendable {
    /// The form in which albums are exported.
    public enum Albums: String, Sendable, Hashable, CaseIterable {
        /// Folders with relative symbolic links to the exported files.
        ///
        /// On a file system without symbolic links, a folder has only the list of its photos, and
        /// the outcome of that list has a reason.
        case links
        /// Folders with copies of the exported files.
        case copies
        /// No folders; only `library.jsonl` describes the albums.
        case none
    }

    /// The options of an export.
    public struct Options: Sendable, Hashable {
        /// Indicates whether hidden assets are exported, too.
        public var includesHidden = false
        /// Indicates whether assets in Recently Deleted are exported, too.
        public var includesDeleted = false
        /// The form in which albums are exported.
        public var albums = Albums.links

        /// Creates options for an export of the visible assets, with albums as links.
        public init() {}
    }

    /// The outcome of a file.
    public struct Outcome: Sendable, Hashable {
        /// The kinds of outcome.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// The file was written.
            case exported
            /// The file already exists in the folder with the same content.
            case unchanged
            /// The library does not have the file.
            case missing
            /// The library's file is damaged or cannot be read.
            case failed
            /// The file is in the folder, but no asset has it anymore. It is not removed.
            case stale
        }

        /// The kind of the outcome.
        public var kind: Kind
        /// The path of the exported file.
        public var path: String
        /// The local identifier of the asset; nil for a stale file and for the list of an album.
        public var localIdentifier: String?
        /// The role of the file; nil for metadata and stale files.
        public var role: PHAssetResourceType?
        /// The reason, for a missing or failed file and for one without everything.
        public var reason: String?
    }

    /// The number of assets that were handled so far.
    public struct Progress: Sendable, Hashable {
        /// The number of assets that were handled so far.
        public var assets: Int
        /// The total number of assets to export.
        public var total: Int
    }

    /// The result of an export in numbers.
    public struct Summary: Sendable, Hashable {
        /// The number of files by outcome; outcomes without files are absent.
        public var counts: [Outcome.Kind: Int] = [:]
        /// The number of exported assets.
        public var assets = 0
        /// The number of hidden assets that were not exported.
        ///
        /// Hidden assets in Recently Deleted are included if Recently Deleted was to be exported.
        public var skippedHidden = 0
        /// The number of assets in Recently Deleted that were not exported.
        public var skippedDeleted = 0
        /// Indicates whether the export was stopped before the end.
        public var wasStopped = false

        /// Creates a summary without files.
        public init() {}
    }

    private let library: PhotoLibraryBundle
    private let folder: URL
    private let options: Options
    private let control: OperationControl

    /// Creates an export; call ``run(progress:handler:)`` to start it.
    ///
    /// - Parameters:
    ///   - library: The library to export.
    ///   - folder: A new or empty folder, or one of an earlier export of the same library.
    ///   - options: The options.
    ///   - control: Stops the export from another thread, between two assets.
    public init(
        of library: PhotoLibraryBundle,
        to folder: URL,
        options: Options = Options(),
        control: OperationControl = OperationControl()
    ) {
        self.library = library
        self.folder = folder
        self.options = options
        self.control = control
    }

    /// Exports the library on the calling thread.
    ///
    /// Files are made durable in steps of up to 200 assets: the content of each file, and then the
    /// names of all files of the step. If the export is stopped or fails in the middle of a step,
    /// the files that were already written are made durable and passed to `handler`, too, unless
    /// one of the closures threw the error.
    ///
    /// - Parameters:
    ///   - progress: Called after each asset; for the last asset of a step, after its files were
    ///     passed to `handler`. An error that it throws ends the export and is rethrown.
    ///   - handler: Called for each file once it is durable with its name, as far as the file
    ///     system can make it so. An error that it throws ends the export and is rethrown.
    /// - Returns: The result in numbers. `library.jsonl` is complete unless the export was stopped.
    /// - Throws: `PHPhotosError` when the library cannot be read, the folder is not suitable or its
    ///   volume is full. A missing file is not an error.
    public func run(
        progress: (Progress) throws -> Void = { _ in },
        handler: (Outcome) throws -> Void
    ) throws -> Summary {
        try withoutActuallyEscaping(progress) { progress in
            try withoutActuallyEscaping(handler) { handler in
                do {
                    let run = try LibraryExportRun(
                        service: library.service,
                        path: folder.path(percentEncoded: false),
                        options: options,
                        control: control,
                        handler: handler
                    )
                    return try run.run(progress)
                } catch let error as LibraryError {
                    throw PhotosBridge.error(error)
                }
            }
        }
    }
}
