internal import Foundation
internal import LibraryService
internal import PhotoModel

/// The small pictures that a library keeps, so that grids fill at once.
///
/// They are made of originals and edits as they are asked for, and in passing after an import; a
/// program may have them made ahead, or drop them: nothing is lost but the time to make them again.
public struct LibraryRenditions: Sendable {
    /// A size of small pictures, by the longer side in pixels.
    public enum Size: Int, Sendable, Hashable, CaseIterable {
        /// A grid's cell.
        case grid = 256
        /// A telephone's screen.
        case screen = 1024
    }

    /// What there is of one size.
    public struct Count: Sendable, Hashable {
        /// The size.
        public var size: Size
        /// Assets whose picture is there, or that are so small that they need none.
        public var current: Int
        /// Assets whose picture would have to be made.
        public var missing: Int
        /// Pictures of assets that are gone, or were edited since.
        public var outdated: Int
    }

    /// What there is.
    public struct Status: Sendable, Hashable {
        /// The file that holds them.
        public var path: String
        /// What that file takes on disk.
        public var bytes: Int64
        /// The library's assets, those in Recently Deleted left out.
        public var assets: Int
        /// By size, the smaller first.
        public var counts: [Count]
    }

    /// What came of one asset, where something had to be done.
    public struct Outcome: Sendable {
        /// The asset.
        public var localIdentifier: String
        /// The size.
        public var size: Size
        /// Why the picture could not be made, a `PHPhotosError`; nil when it is there.
        public var error: (any Error)?
    }

    /// How far building is.
    public struct Progress: Sendable, Hashable {
        /// Assets that are dealt with, counted once for each size.
        public var assets: Int
        /// All of them.
        public var total: Int
    }

    /// What building came to.
    public struct Summary: Sendable, Hashable {
        /// Pictures that were made.
        public var made = 0
        /// Pictures that were there already.
        public var present = 0
        /// Pictures that could not be made.
        public var failed = 0
        /// Whether it was stopped before the end.
        public var wasStopped = false

        /// Nothing built yet.
        public init() {}
    }

    private let library: PhotoLibraryBundle

    /// The small pictures of a library.
    public init(library: PhotoLibraryBundle) {
        self.library = library
    }

    /// What small pictures there are.
    ///
    /// Looks at every asset, without reading pictures: a second for some hundred thousand.
    ///
    /// - Throws: `PHPhotosError` when the library can't be read.
    public func status() throws -> Status {
        let reply = try edge { () throws(LibraryError) in try library.service.renditionStatus() }
        return Status(
            path: reply.path,
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

    /// Removes all small pictures.
    ///
    /// Programs that show pictures meanwhile go on, and begin a new file.
    ///
    /// - Throws: `PHPhotosError` when the library can't be reached.
    public func drop() throws {
        try edge { () throws(LibraryError) in try library.service.dropRenditions() }
    }

    /// Makes the small pictures that are missing, on this thread and a few others, until the end or
    /// until it is stopped.
    ///
    /// What is there already is left as it is, so building again goes on where it was stopped or
    /// killed. Pictures that somebody asks for come first. As many workers decode as the machine has
    /// processors, two at least and eight at most.
    ///
    /// - Parameters:
    ///   - sizes: Which sizes.
    ///   - control: Stops it within a moment: what is being decoded is given up.
    ///   - progress: Told after each step.
    ///   - handler: Told of each picture that was made, or could not be. What it throws ends the work
    ///     and is thrown on.
    /// - Returns: What was done, in numbers.
    /// - Throws: `PHPhotosError` when the work cannot go on; a picture that can't be made is an outcome.
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

    /// One slice; nil when it was stopped.
    private func slice(
        _ size: Size,
        _ cursor: Int64?,
        _ control: OperationControl
    ) throws -> RenditionBuildReply? {
        guard !control.isStopped else { return nil }
        let ticket = UUID().uuidString
        let request = RenditionBuildRequest(side: size.rawValue, cursor: cursor, ticket: ticket)
        let service = library.service
        let watch = control.whenStopped {
            try? service.cancelImages(ImageCancelRequest(tickets: [ticket]))
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
