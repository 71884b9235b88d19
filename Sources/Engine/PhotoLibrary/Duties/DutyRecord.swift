internal import Foundation
internal import Glibc
internal import PhotoModel

/// The progress of background work, stored as a JSON object in a file of the library.
///
/// 1. It is outside of the database, so that progress makes no version.
/// 2. It is replaced by a rename. A file that is no record counts as missing, and the work begins
///    anew.
/// 3. Each write wakes the processes that watch the folder, so it is written rarely.
protocol DutyRecord: Codable, Hashable {
    /// The maximum size of the file in bytes.
    static var limitInBytes: Int { get }

    /// Returns the path of the file in a library.
    static func path(in bundle: LibraryBundle) -> String
}

extension DutyRecord {
    /// Returns the record of a library; nil if there is none.
    static func read(of bundle: LibraryBundle) -> Self? {
        let path = path(in: bundle)
        guard case .success(let status) = FileSystem.status(of: path),
            status.st_mode & S_IFMT == S_IFREG,
            case .success(let bytes) = FileSystem.contents(
                of: path,
                limitInBytes: min(limitInBytes, Int(clamping: status.st_size))
            )
        else { return nil }
        return try? JSONDecoder().decode(Self.self, from: Data(bytes))
    }

    /// Replaces the record.
    func write(to bundle: LibraryBundle) throws(SystemError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(self) else { return }
        try FileSystem.replace(
            Self.path(in: bundle),
            with: String(decoding: data, as: UTF8.self) + "\n",
            modes: BundleModes(root: bundle.root)
        )
    }
}
