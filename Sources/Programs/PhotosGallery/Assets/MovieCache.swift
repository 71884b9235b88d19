internal import Foundation
internal import Logging
internal import Photos
internal import PhotosManagement
internal import Synchronization

/// The cache of converted movies, on disk.
///
/// Each library has a folder of its own, in which the files are named after the SHA-256 of their
/// source. A file is removed once no asset of the library has a file with that SHA-256 any more.
final class MovieCache: NSObject, PHPhotoLibraryPersistentChangesObserver, Sendable {
    /// The maximum size of the converted movies of all libraries, in bytes.
    ///
    /// The least recently played movies are evicted first.
    static let limit: Int64 = 4 << 30
    /// The minimum time between two sweeps.
    private static let pause = Duration.seconds(1)
    /// The age in seconds at which a file of an interrupted conversion is removed.
    private static let leftoverAge: TimeInterval = 86_400

    /// The state of the sweeps, of which one runs at a time.
    private enum Sweeping {
        case idle, running, runningAgain
    }

    private let library: PhotoLibraryBundle
    /// The folder with the folders of all libraries.
    private let root: URL
    /// The folder of this library.
    private let folder: URL
    private let sweeping = Mutex(Sweeping.idle)

    /// Prepares the cache of a library.
    ///
    /// A folder that cannot be created is logged, and conversions are refused until it can be.
    ///
    /// - Parameters:
    ///   - library: The library of the movies.
    ///   - folder: The gallery's cache folder; nil for that of the user.
    /// - Throws: When the library cannot be read.
    init(library: PhotoLibraryBundle, folder: URL?) throws {
        self.library = library
        let identifier = try library.historyToken.libraryIdentifier
        let base = folder ?? MovieCache.standardFolder
        let root = base.appending(path: "movies", directoryHint: .isDirectory)
        self.root = root
        self.folder = root.appending(
            path: UUID(uuidString: identifier)?.uuidString ?? "other",
            directoryHint: .isDirectory
        )
        super.init()
        removeLeftovers()
        do throws(RequestError) {
            try prepare()
        } catch {
            let logger = Logger(label: "photos.gallery")
            let text = "\(error.message) \(error.reason ?? "")"
            logger.warning(
                "Movies cannot be converted for browsers.",
                metadata: [
                    "gallery.error": logger.logLevel <= .debug ? "\(text)" : "<private>"
                ]
            )
        }
    }

    private static var standardFolder: URL {
        let environment = ProcessInfo.processInfo.environment
        let base =
            environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? NSHomeDirectory() + "/.cache"
        return URL(filePath: base + "/swift-photos/gallery", directoryHint: .isDirectory)
    }

    /// Begins to observe the library, and removes the files of movies that it no longer contains.
    func start() {
        library.photoLibrary.register(self as any PHPhotoLibraryPersistentChangesObserver)
        sweepSoon()
    }

    func stop() { library.photoLibrary.unregisterPersistentChangesObserver(self) }

    /// Creates the library's folder if it does not exist.
    func prepare() throws(RequestError) {
        let path = folder.path(percentEncoded: false)
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw Self.noFolder(path, reason: error.localizedDescription)
        }
        guard FileManager.default.isWritableFile(atPath: path) else {
            throw Self.noFolder(path, reason: "You cannot write to it.")
        }
    }

    private static func noFolder(_ path: String, reason: String) -> RequestError {
        RequestError(
            .failed,
            "The folder \(path) for converted videos cannot be used.",
            reason: reason,
            recovery: "Start the gallery with $XDG_CACHE_HOME set to a writable folder."
        )
    }

    // MARK: - Files

    /// Returns the location of the converted copy of a movie with the given SHA-256.
    func location(of sha256: String) -> URL { folder.appending(path: "\(sha256).mp4") }

    /// Returns the path of a converted copy, and marks it as used; nil if there is none.
    func path(of sha256: String) -> String? {
        let path = location(of: sha256).path(percentEncoded: false)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        // The modification date is the time of last use, by which the cache evicts.
        try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path)
        return path
    }

    /// Evicts the least recently played movies until the cache is within its limit.
    func makeRoom() {
        let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
        let files = Self.contents(of: root).flatMap { Self.contents(of: $0, Array(keys)) }
        var found = files.filter { $0.pathExtension == "mp4" }.map { url in
            let values = try? url.resourceValues(forKeys: keys)
            return (
                url: url, size: Int64(values?.fileSize ?? 0),
                date: values?.contentModificationDate ?? .distantPast
            )
        }
        found.sort { $0.date < $1.date }
        var total = found.reduce(0) { $0 + $1.size }
        for file in found where total > Self.limit {
            try? FileManager.default.removeItem(at: file.url)
            total -= file.size
        }
    }

    /// Removes the files of interrupted conversions, and those of former versions, which had one
    /// folder for all libraries.
    private func removeLeftovers() {
        let keys: Set<URLResourceKey> = [.isRegularFileKey, .contentModificationDateKey]
        var files = Self.contents(of: root, Array(keys)).filter { url in
            (try? url.resourceValues(forKeys: keys))?.isRegularFile == true
        }
        files += Self.contents(of: folder, Array(keys)).filter { url in
            guard url.lastPathComponent.hasPrefix(".photos-") else { return false }
            let date = (try? url.resourceValues(forKeys: keys))?.contentModificationDate
            return date.map { $0.timeIntervalSinceNow < -Self.leftoverAge } ?? false
        }
        for file in files { try? FileManager.default.removeItem(at: file) }
    }

    /// Returns the contents of a folder, including hidden files; empty if it cannot be read.
    private static func contents(of folder: URL, _ keys: [URLResourceKey] = []) -> [URL] {
        let found = try? FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: keys
        )
        return found ?? []
    }

    // MARK: - Sweeping

    func photoLibraryPersistentChangesDidUpdate(_ photoLibrary: PHPhotoLibrary) { sweepSoon() }

    /// Removes the files of movies that the library no longer contains, on another thread.
    ///
    /// Calls in short succession lead to one or two sweeps.
    func sweepSoon() {
        let isFirst = sweeping.withLock { state in
            defer { state = state == .idle ? .running : .runningAgain }
            return state == .idle
        }
        guard isFirst else { return }
        Task {
            repeat {
                try? await Blocking.run { [self] in sweep() }
                try? await Task.sleep(for: Self.pause)
            } while hasToSweepAgain()
        }
    }

    private func hasToSweepAgain() -> Bool {
        sweeping.withLock { state in
            state = state == .runningAgain ? .running : .idle
            return state == .running
        }
    }

    private func sweep() {
        let digests = Self.contents(of: folder)
            .filter { $0.pathExtension == "mp4" }
            .map { $0.deletingPathExtension().lastPathComponent }
            .filter { $0.utf8.count == 64 && $0.allSatisfy(\.isHexDigit) }
        // Without an answer of the library, all files are kept.
        guard let found = try? library.assets(withSHA256: digests) else { return }
        for (digest, assets) in zip(digests, found) where assets.isEmpty {
            try? FileManager.default.removeItem(at: location(of: digest))
        }
    }
}
