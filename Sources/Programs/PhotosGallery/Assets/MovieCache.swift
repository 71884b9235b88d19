internal import Foundation
internal import Logging

/// The cache of converted movies, on disk.
///
/// The files are named after the SHA-256 of their source.
final class MovieCache: Sendable {
    /// The maximum size of the converted movies, in bytes.
    ///
    /// The least recently played movies are evicted first.
    static let limit: Int64 = 4 << 30

    private let folder: URL

    /// Prepares the cache.
    ///
    /// A folder that cannot be created is logged, and conversions are refused until it can be.
    ///
    /// - Parameter folder: The gallery's cache folder; nil for that of the user.
    init(folder: URL?) {
        self.folder = (folder ?? Self.standardFolder).appending(
            path: "movies",
            directoryHint: .isDirectory
        )
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

    /// Creates the folder if it does not exist.
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
        let files = try? FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: Array(keys)
        )
        var found = (files ?? []).filter { $0.pathExtension == "mp4" }.map { url in
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
}
