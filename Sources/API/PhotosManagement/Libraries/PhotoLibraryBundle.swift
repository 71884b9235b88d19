internal import EmbeddedLibrary
public import Foundation
package import LibraryService
internal import PhotoModel
public import Photos

/// An open photo library: a folder that holds originals and their database.
///
/// PhotoKit leaves to the system which library a program sees. Here a program may choose:
///
/// ```swift
/// let library = try PhotoLibraryBundle.open(at: URL(filePath: "/srv/Family.photolibrary"))
/// library.use()  // from here on PHPhotoLibrary.shared() stands for it
/// ```
///
/// A program that does not choose gets the one at ``defaultURL``. Many processes may have a library
/// open at once.
public final class PhotoLibraryBundle: Sendable {
    /// The library's folder.
    public let url: URL
    package let service: any LibraryService
    /// PhotoKit's way to it.
    private let connection: LibraryConnection

    private init(url: URL, service: any LibraryService) {
        self.url = url
        self.service = service
        self.connection = PhotosBridge.connection(to: service)
    }

    /// Where the library of this user is.
    ///
    /// `$PHOTOS_LIBRARY` when it is set, else `Photos Library.photolibrary` in the pictures folder
    /// that the desktop names, else in `~/Pictures`.
    public static var defaultURL: URL {
        URL(
            filePath: SourcePath(PhotosBridge.standardPath).absolute().description,
            directoryHint: .isDirectory
        )
    }

    /// Makes a new, empty library and remembers where it is.
    ///
    /// What is at `url` afterwards is a whole library or what was there before.
    ///
    /// - Throws: `PHPhotosError` when anything but an empty folder is there, or the library cannot be
    ///   written; ``LibraryFailure`` tells the cases apart.
    public static func create(at url: URL) throws {
        try edge { () throws(LibraryError) in try EmbeddedLibrary.create(at: path(of: url)) }
    }

    /// Opens a library.
    ///
    /// Nothing is created or overwritten.
    ///
    /// A library whose database is older than its last commit, because the write-ahead log was lost,
    /// opens for reading; ``missingChanges`` says so.
    ///
    /// - Parameters:
    ///   - url: The library's folder.
    ///   - acceptsMissingChanges: Opens such a library for writing and gives up what was lost. Change
    ///     tokens beyond its state expire.
    /// - Returns: The open library.
    /// - Throws: `PHPhotosError` when there is no library, its volume is missing, it is of a newer
    ///   format, damaged, or not to be read; ``LibraryFailure`` tells the cases apart.
    public static func open(
        at url: URL,
        acceptsMissingChanges: Bool = false
    ) throws -> PhotoLibraryBundle {
        let service = try edge { () throws(LibraryError) in
            try EmbeddedLibrary.open(
                at: path(of: url),
                acceptsMissingChanges: acceptsMissingChanges
            )
        }
        return PhotoLibraryBundle(url: url, service: service)
    }

    /// Opens a library, and makes it first when nothing is there.
    ///
    /// Nothing is made where a library was before: its volume is probably not mounted, and that is an
    /// error.
    ///
    /// - Throws: What ``open(at:acceptsMissingChanges:)`` and ``create(at:)`` throw.
    public static func openOrCreate(at url: URL) throws -> PhotoLibraryBundle {
        do {
            return try open(at: url)
        } catch  where LibraryFailure(error).kind == .libraryMissing {
            do {
                try create(at: url)
            } catch  where LibraryFailure(error).kind == .alreadyExists {
                // Another process was faster; what it made is as good.
            }
            return try open(at: url)
        }
    }

    /// Why the library can only be read, nil when it can be written to.
    public var readOnlyReason: String? {
        get throws {
            try edge { () throws(LibraryError) in try service.status().readOnlyReason }
        }
    }

    /// The changes that were lost with the database's write-ahead log, as a failure with what to do;
    /// nil when none were.
    public var missingChanges: LibraryFailure? {
        get throws {
            try edge { () throws(LibraryError) in try service.status().missingChanges }
                .map { LibraryFailure($0) }
        }
    }

    /// Closes the library's files once the calls under way have ended.
    ///
    /// The database's write-ahead log is written into the database and removed, unless another process
    /// has the library open. Later uses of the library and of objects from it fail. A program that ends
    /// without closing loses nothing; the log stays on disk until another program closes the library.
    public func close() { service.close() }

    /// Limits the processor time of each fetch with a predicate from now on; nil, as at first, for no limit.
    ///
    /// For programs that fetch what others ask for. A fetch that is stopped is empty and its reason is
    /// logged; ``fetchAssets(with:)`` throws it. A regular expression stops after 250 ms for one text, and
    /// after 2 s for all, in any case. What ``withoutHidden()`` returns has a limit of its own.
    public func limitFetches(to duration: Duration?) {
        EmbeddedLibrary.limitFetches(to: duration, of: service)
    }

    /// Of the last change that was committed; it rises by one with each, and is 0 in a new library.
    public var version: Int64 {
        get throws { try edge { () throws(LibraryError) in try service.status().version } }
    }

    /// Makes a second view of the open library that hidden assets are kept from.
    ///
    /// What is hidden is neither fetched, counted, told of nor changed through it, whatever the options of a
    /// fetch say; files, pictures and history of hidden assets are refused. Import, checks and other work on
    /// the library as a whole are refused, too. Both views share the store, the workers and the caches.
    ///
    /// - Returns: The view; closing it leaves this library open.
    /// - Throws: `PHPhotosError` for a library that another process opened.
    public func withoutHidden() throws -> PhotoLibraryBundle {
        let view = try edge { () throws(LibraryError) in
            try EmbeddedLibrary.withoutHidden(service)
        }
        return PhotoLibraryBundle(url: url, service: view)
    }

    // MARK: - What PhotoKit sees

    /// Makes this the library that PhotoKit's classes stand for in this process.
    public func use() { LibraryConnection.choose(connection) }

    /// Makes this the library that PhotoKit's classes stand for while `body` runs, in its task alone.
    ///
    /// Objects that were fetched inside keep belonging to this library.
    public func using<Result>(_ body: () throws -> Result) rethrows -> Result {
        try PHPhotoLibrary.using(connection, body)
    }

    /// Makes this the library that PhotoKit's classes stand for while `body` runs, in its task alone.
    public func using<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await PHPhotoLibrary.using(connection, body)
    }

    /// Fetches assets of this library, and says why when it cannot.
    ///
    /// `PHAsset.fetchAssets(with:)` answers a predicate or sort key that cannot be answered with an
    /// empty result; here that is an error that names the key and where it stands.
    ///
    /// - Throws: `PHPhotosError`, also when the library cannot be read.
    public func fetchAssets(with options: PHFetchOptions?) throws -> PHFetchResult<PHAsset> {
        try using { try PHAsset.fetchAssetsChecked(options: options) }
    }

    private static func path(of url: URL) -> String { url.path(percentEncoded: false) }
}
