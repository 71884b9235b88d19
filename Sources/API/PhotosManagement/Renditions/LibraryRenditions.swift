public import Foundation
internal import LibraryService
internal import PhotoModel

/// The thumbnails that a library stores, so that grids appear without delay.
///
/// Thumbnails are rendered from originals and edits on demand, and in the background after an
/// import. A program may generate them ahead of time or delete them, which costs only the time to
/// generate them again.
public struct LibraryRenditions: Sendable {
    /// A thumbnail size, whose raw value is the length of the longer side in pixels.
    public enum Size: Int, Sendable, Hashable, CaseIterable {
        /// The size for the cells of a grid.
        case grid = 256
        /// The size for a phone's screen.
        case screen = 1024
    }

    /// The thumbnail counts of one size.
    public struct Count: Sendable, Hashable {
        /// The thumbnail size to which the counts apply.
        public var size: Size
        /// The number of assets that have a current thumbnail, or are small enough to need none.
        public var current: Int
        /// The number of assets without a current thumbnail.
        public var missing: Int
        /// The number of thumbnails whose assets have been removed or edited since they were
        /// generated.
        public var outdated: Int
    }

    /// The state of a library's thumbnails.
    public struct Status: Sendable, Hashable {
        /// The path of the file that contains the thumbnails.
        public var path: String
        /// The size of the thumbnail file on disk, in bytes.
        public var bytes: Int64
        /// The number of assets outside Recently Deleted.
        public var assets: Int
        /// The thumbnail counts of each size, the smaller size first.
        public var counts: [Count]
    }

    /// The outcome for one asset that needed a thumbnail.
    public struct Outcome: Sendable {
        /// The asset's local identifier.
        public var localIdentifier: String
        /// The size of the thumbnail.
        public var size: Size
        /// The reason why the thumbnail could not be generated, a `PHPhotosError`; nil on success.
        public var error: (any Error)?
    }

    /// The progress of generating thumbnails.
    public struct Progress: Sendable, Hashable {
        /// The number of processed assets, counted once per size.
        public var assets: Int
        /// The total number of assets, counted once per size.
        public var total: Int
    }

    /// The result of generating thumbnails, in numbers.
    public struct Summary: Sendable, Hashable {
        /// The number of generated thumbnails.
        public var made = 0
        /// The number of thumbnails that existed already.
        public var present = 0
        /// The number of thumbnails that could not be generated.
        public var failed = 0
        /// Indicates whether the build was stopped before the end.
        public var wasStopped = false

        /// Creates an empty summary.
        public init() {}
    }

    /// A stored thumbnail of the smallest size.
    public struct Thumbnail: Sendable, Hashable {
        /// The JPEG data, upright, opaque and in sRGB, with the aspect ratio of the asset's image.
        public var jpeg: Data
        /// The content version of the asset from which the thumbnail was generated.
        public var contentVersion: Int
        /// Indicates whether the thumbnail has its final quality because it was rendered from the
        /// asset's original or edited file.
        ///
        /// Otherwise it is the camera's preview, which a rendered thumbnail may replace.
        public var isFinal: Bool
    }

    private let library: PhotoLibraryBundle

    /// Creates an instance for the thumbnails of a library.
    public init(library: PhotoLibraryBundle) {
        self.library = library
    }

    /// Returns the state of the thumbnails.
    ///
    /// Inspects every asset without reading images, which takes a second for some hundred thousand
    /// assets. The result is kept until the library or its thumbnails change.
    ///
    /// - Throws: `PHPhotosError` when the library cannot be read.
    public func status() throws -> Status {
        let reply = try edge { () throws(LibraryError) in try library.service.renditionStatus() }
        return Status(
            path: reply.path ?? "",
            bytes: reply.bytes,
            assets: reply.assets,
            counts: reply.sizeClasses.compactMap { found in
                Size(rawValue: found.side).map {
                    Count(
                        size: $0,
                        current: found.current,
                        missing: reply.assets - found.current,
                        outdated: found.outdated
                    )
                }
            }
        )
    }

    /// Returns the stored thumbnail of an asset, without decoding it.
    ///
    /// - Parameter localIdentifier: The asset's local identifier.
    /// - Returns: Nil when there is no thumbnail yet, when it is partly transparent, and for an
    ///   asset that needs none because its image is as small.
    /// - Throws: `PHPhotosError` when there is no such asset or the library cannot be read.
    public func thumbnail(for localIdentifier: String) throws -> Thumbnail? {
        let request = ThumbnailRequest(assetUUID: String(localIdentifier.prefix { $0 != "/" }))
        let reply = try edge { () throws(LibraryError) in
            try library.service.thumbnail(request)
        }
        return reply.map { found in
            Thumbnail(
                jpeg: found.jpeg,
                contentVersion: found.contentVersion,
                isFinal: found.isFinal
            )
        }
    }

    /// Deletes all thumbnails.
    ///
    /// Programs that are displaying images continue, and start a new file.
    ///
    /// - Throws: `PHPhotosError` when the library cannot be reached.
    public func drop() throws {
        try edge { () throws(LibraryError) in try library.service.dropRenditions() }
    }

    /// Generates all missing thumbnails on the calling thread, unless the build is stopped.
    ///
    /// Existing thumbnails are kept, so another build resumes one that was stopped or killed.
    /// Thumbnails that programs request take precedence. The number of decoding workers is the
    /// number of processors, at least two and at most eight.
    ///
    /// - Parameters:
    ///   - sizes: The sizes to generate.
    ///   - control: Stops the build promptly by canceling running decodes.
    ///   - progress: Called after each step.
    ///   - handler: Called for each thumbnail that was generated or failed. An error that it throws
    ///     ends the build and is rethrown.
    /// - Returns: The result in numbers.
    /// - Throws: `PHPhotosError` when the build cannot continue. A thumbnail that cannot be
    ///   generated is an outcome.
    public func build(
        sizes: [Size] = [.grid],
        control: OperationControl = OperationControl(),
        progress: (Progress) throws -> Void = { _ in },
        handler: (Outcome) throws -> Void = { _ in }
    ) throws -> Summary {
        var summary = Summary()
        let wanted = Size.allCases.filter(sizes.contains)
        var done = Progress(assets: 0, total: try status().assets * wanted.count)
        for size in wanted {
            var cursor: Int64?
            repeat {
                guard let reply = try slice(size, cursor, control) else {
                    summary.wasStopped = true
                    return summary
                }
                summary.made += reply.made.count
                summary.failed += reply.failures.count
                summary.present += reply.assets - reply.made.count - reply.failures.count
                for made in reply.made {
                    try handler(Outcome(localIdentifier: made, size: size))
                }
                for failure in reply.failures {
                    try handler(
                        Outcome(
                            localIdentifier: failure.localIdentifier,
                            size: size,
                            error: PhotosBridge.error(failure.error)
                        )
                    )
                }
                done.assets = min(done.total, done.assets + reply.assets)
                try progress(done)
                cursor = reply.next
            } while cursor != nil
        }
        return summary
    }

    /// Generates the missing thumbnails of one batch of assets; returns nil if the build was
    /// stopped.
    private func slice(
        _ size: Size,
        _ cursor: Int64?,
        _ control: OperationControl
    ) throws -> RenditionBuildReply? {
        guard !control.isStopped else { return nil }
        let ticket = CallTicket()
        let request = RenditionBuildRequest(side: size.rawValue, cursor: cursor, ticket: ticket)
        let service = library.service
        let watch = control.whenStopped {
            try? service.cancel(CancelRequest(tickets: [ticket]))
        }
        defer { control.forget(watch) }
        return try edge { () throws(LibraryError) -> RenditionBuildReply? in
            do throws(LibraryError) {
                return try service.buildRenditions(request)
            } catch  where error.code == .cancelled {
                return nil
            }
        }
    }
}
