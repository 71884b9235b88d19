internal import EmbeddedLibrary
public import Foundation
package import LibraryService
internal import PhotoModel
public import Photos
internal import Synchronization

/// An open photo library: a folder that contains originals and their database.
///
/// In PhotoKit, the system decides which library a program uses. Here a program may choose:
///
/// ```swift
/// let library = try PhotoLibraryBundle.open(at: URL(filePath: "/srv/Family.photolibrary"))
/// library.use()  // from here on PHPhotoLibrary.shared() stands for it
/// ```
///
/// A program that does not choose uses the library at ``defaultURL``. Several processes may have a
/// library open at the same time.
public final class PhotoLibraryBundle: Sendable {
    /// The library's folder.
    public let url: URL
    package let service: any LibraryService
    /// The connection that PhotoKit's classes use for this library.
    private let connection: LibraryConnection
    /// The views of this library, which are closed together with the library.
    private let views = Mutex<[View]>([])

    /// A weak reference to the service of one view; the reference becomes nil once the view is no
    /// longer used.
    private struct View {
        weak var service: AnyObject?
    }

    /// Indicates whether this is a plan for dry-run imports; see ``openPlan(of:)``.
    public let isPlan: Bool

    private init(url: URL, service: any LibraryService, isPlan: Bool = false) {
        self.url = url
        self.service = service
        self.isPlan = isPlan
        self.connection = PhotosBridge.connection(to: service)
    }

    /// The location of this user's library.
    ///
    /// It is the value of `$PHOTOS_LIBRARY` if that is set, otherwise `Photos Library.photolibrary`
    /// in the desktop's pictures folder, or in `~/Pictures` if the desktop specifies no such
    /// folder.
    public static var defaultURL: URL {
        URL(
            filePath: SourcePath(PhotosBridge.standardPath).absolute().description,
            directoryHint: .isDirectory
        )
    }

    /// Creates a new, empty library, and records its location for this user.
    ///
    /// The creation is atomic: afterwards `url` holds either a complete library or its previous
    /// content.
    ///
    /// - Throws: `PHPhotosError` when anything but an empty folder exists there, or the library
    ///   cannot be written; ``LibraryFailure`` distinguishes the cases.
    public static func create(at url: URL) throws {
        try edge { () throws(LibraryError) in try EmbeddedLibrary.create(at: path(of: url)) }
    }

    /// Opens an existing library.
    ///
    /// Nothing is created or overwritten.
    ///
    /// A library whose database is older than its last commit, because the write-ahead log was
    /// lost, opens read-only, and ``missingChanges`` describes the loss.
    ///
    /// `$PHOTOS_DAEMON` chooses between the engine in this process and the daemon: `0` for the
    /// engine, `1` for the daemon; if it is not set, the daemon is used if it runs.
    ///
    /// - Parameters:
    ///   - url: The library's folder.
    ///   - acceptsMissingChanges: Whether to open such a library for writing and abandon the lost
    ///     changes. Change tokens beyond the remaining state expire.
    /// - Returns: The open library.
    /// - Throws: `PHPhotosError` when there is no library, its volume is not mounted, its format is
    ///   newer, or it is damaged or unreadable; ``LibraryFailure`` distinguishes the cases.
    public static func open(
        at url: URL,
        acceptsMissingChanges: Bool = false
    ) throws -> PhotoLibraryBundle {
        let service = try edge { () throws(LibraryError) in
            try LibraryConnection.open(
                at: path(of: url),
                acceptsMissingChanges: acceptsMissingChanges,
                for: nil,
                logger: LibraryConnection.current.logger
            )
        }
        return PhotoLibraryBundle(url: url, service: service)
    }

    /// Opens a library, and creates it first when none exists.
    ///
    /// If a library existed there before, the call creates nothing and throws, since the library's
    /// volume is probably not mounted.
    ///
    /// - Throws: The errors of ``open(at:acceptsMissingChanges:)`` and ``create(at:)``.
    public static func openOrCreate(at url: URL) throws -> PhotoLibraryBundle {
        do {
            return try open(at: url)
        } catch  where LibraryFailure(error).kind == .libraryMissing {
            do {
                try create(at: url)
            } catch  where LibraryFailure(error).kind == .alreadyExists {
                // Another process created the library first, which is just as good.
            }
            return try open(at: url)
        }
    }

    /// Opens a plan of a library, in which imports report what they would do without changing
    /// anything.
    ///
    /// The plan has a temporary copy of the library's database, or an empty database if there is no
    /// library. No file and no folder of the library changes, so the library may be read-only.
    /// Imports read all their files, as real ones do, and have the outcomes that a real import
    /// would have at that moment. The outcome of a file that would become a new asset has no
    /// identifier.
    ///
    /// ```swift
    /// let plan = try PhotoLibraryBundle.openPlan(of: PhotoLibraryBundle.defaultURL)
    /// let work = LibraryImport(library: plan, paths: [SourcePath("/media/card/DCIM")])
    /// let summary = try work.run { event in print(event) }
    /// plan.close()
    /// ```
    ///
    /// - Throws: The errors of ``open(at:acceptsMissingChanges:)`` that prevent an import, except
    ///   that there need not be a library.
    public static func openPlan(of url: URL) throws -> PhotoLibraryBundle {
        let service = try edge { () throws(LibraryError) in
            try EmbeddedLibrary.openPlan(of: path(of: url))
        }
        return PhotoLibraryBundle(url: url, service: service, isPlan: true)
    }

    /// The reason why the library is read-only; nil when it is writable.
    public var readOnlyReason: String? {
        get throws {
            try edge { () throws(LibraryError) in try service.status().readOnlyReason }
        }
    }

    /// The failure that reports changes lost with the write-ahead log; nil when none were lost.
    public var missingChanges: LibraryFailure? {
        get throws {
            try edge { () throws(LibraryError) in try service.status().missingChanges }
                .map { LibraryFailure($0) }
        }
    }

    /// Waits for calls in progress, and then closes the library's files.
    ///
    /// The database's write-ahead log is checkpointed and removed, unless another process has the
    /// library open. Later uses of the library, of its views and of its objects fail. A program
    /// that exits without closing loses no data; the log remains on disk until another program
    /// closes the library.
    public func close() {
        let services = views.withLock { views in
            defer { views = [] }
            return views.compactMap { $0.service as? any LibraryService }
        }
        for service in services { service.close() }
        service.close()
    }

    /// Limits the processor time of each subsequent fetch that has a predicate; nil removes this
    /// limit.
    ///
    /// By default there is none. A program with permission from the library's owner is always
    /// limited to 5 s, even if `duration` is longer or nil.
    ///
    /// Use it in programs that run fetches for others. A fetch that exceeds the limit returns an
    /// empty result and logs the reason; ``fetchAssets(with:)`` throws an error instead. With or
    /// without a limit, a regular expression stops after 250 ms for one text and after 2 s in
    /// total. A view from ``withoutHidden()`` has its own limit.
    public func limitFetches(to duration: Duration?) {
        // A closed library has no more fetches to limit.
        try? service.limitFetches(FetchLimitRequest(seconds: duration.map { $0 / .seconds(1) }))
    }

    /// The version of the library, which starts at 0 and increases by one with each committed
    /// change.
    public var version: Int64 {
        get throws { try edge { () throws(LibraryError) in try service.status().version } }
    }

    /// Creates a second view of the open library that excludes hidden assets.
    ///
    /// Hidden assets are not fetched, counted, reported or changed through the view, whatever the
    /// options of a fetch. Requests for the files, images and history of hidden assets fail.
    /// Operations on the library as a whole, such as imports and checks, fail, too. Both views
    /// share the store, the workers and the caches.
    ///
    /// - Returns: The view; closing it leaves this library open.
    /// - Throws: `PHPhotosError` when the library is closed.
    public func withoutHidden() throws -> PhotoLibraryBundle {
        let view = try edge { () throws(LibraryError) in
            try service.openSession(SessionRequest(restriction: .withoutHidden))
        }
        views.withLock { views in
            views.removeAll { $0.service == nil }
            views.append(View(service: view as AnyObject))
        }
        return PhotoLibraryBundle(url: url, service: view, isPlan: isPlan)
    }

    // MARK: - PhotoKit's library

    /// Makes this library the one that PhotoKit's classes use in this process.
    public func use() { LibraryConnection.choose(connection) }

    /// Makes this library the one that PhotoKit's classes use while `body` runs, in the current
    /// task only.
    ///
    /// Objects fetched in `body` remain associated with this library.
    public func using<Result>(_ body: () throws -> Result) rethrows -> Result {
        try PHPhotoLibrary.using(connection, body)
    }

    /// Makes this library the one that PhotoKit's classes use while `body` runs, in the current
    /// task only.
    public func using<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await PHPhotoLibrary.using(connection, body)
    }

    /// Fetches assets of this library, and throws when the fetch fails.
    ///
    /// `PHAsset.fetchAssets(with:)` returns an empty result for an unsupported predicate or sort
    /// key. This method throws an error that names the key and its position.
    ///
    /// - Throws: `PHPhotosError`, also when the library cannot be read.
    public func fetchAssets(with options: PHFetchOptions?) throws -> PHFetchResult<PHAsset> {
        try using { try PHAsset.fetchAssetsChecked(options: options) }
    }

    /// Fetches assets of this library by local identifier, and throws when the fetch fails.
    ///
    /// `PHAsset.fetchAssets(withLocalIdentifiers:options:)` returns an empty result instead.
    ///
    /// - Throws: `PHPhotosError` when the library cannot be read.
    public func fetchAssets(
        withLocalIdentifiers identifiers: [String]
    ) throws -> PHFetchResult<PHAsset> {
        try using { try PHAsset.fetchAssetsChecked(.identifiers(identifiers), options: nil) }
    }

    private static func path(of url: URL) -> String { url.path(percentEncoded: false) }
}
