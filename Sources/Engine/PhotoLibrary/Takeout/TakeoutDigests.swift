internal import LibraryService
internal import PhotoModel
internal import Synchronization
internal import WorkerProtocol

/// Computes the SHA-256 of files in an export's folders, to compare exports before they are
/// imported.
///
/// Only a few files are read, since a difference in any of them suffices.
final class TakeoutDigests: Sendable {
    private static let maximumFiles = 32
    private static let maximumSize: Int64 = 64 << 20

    private let sources: [TakeoutSource]
    private let descriptors: [Descriptor]
    private let known = Mutex<[TakeoutFile: String]>([:])

    init(sources: [TakeoutSource], descriptors: [Descriptor]) {
        self.sources = sources
        self.descriptors = descriptors
    }

    /// Returns the SHA-256 of a file; nil if the file is large, in an archive or unreadable, or if
    /// the limit of files was reached.
    func digest(_ file: TakeoutFile) -> String? {
        guard case .folder(let path) = file.place, file.size <= Self.maximumSize else { return nil }
        return known.withLock { known in
            if let digest = known[file] { return digest }
            guard known.count < Self.maximumFiles else { return nil }
            known[file] = try? read(path, source: file.source)
            return known[file]
        }
    }

    private func read(_ path: String, source: Int) throws(SystemError) -> String {
        let files = FileOperations()
        let file = try Folder(
            descriptor: descriptors[source],
            path: String(decoding: sources[source].path, as: UTF8.self),
            files: files
        ).file(below: path)
        return try files.digest(of: file.number, path: path).hexadecimal
    }
}
