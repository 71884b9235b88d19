internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import Glibc

/// The file with the progress of a `Scrubber`, as a JSON object.
///
/// 1. It is outside of the database, so that reading the files again makes no version.
/// 2. It is replaced by a rename. A file that is no record counts as missing: the files are then
///    read from the first one on.
struct ScrubRecord: Codable, Hashable {
    /// The greatest size of the file, which limits the number of damaged files that are recorded.
    private static let limitInBytes = 1 << 20
    /// The number of damaged files that are recorded.
    static let damageLimit = 500

    /// The day of the budget, in days since 2001.
    var day = 0
    /// The bytes that were read on that day.
    var bytes: Int64 = 0
    /// The row of the last file that was read.
    var position: Int64 = 0
    var summary = LastScrub(date: .distantPast)

    /// Returns the record of a library; nil if there is none.
    static func read(of bundle: LibraryBundle) -> ScrubRecord? {
        guard case .success(let status) = FileSystem.status(of: bundle.scrubbed),
            status.st_mode & S_IFMT == S_IFREG,
            case .success(let bytes) = FileSystem.contents(
                of: bundle.scrubbed,
                limitInBytes: min(limitInBytes, Int(clamping: status.st_size))
            )
        else { return nil }
        return try? JSONDecoder().decode(ScrubRecord.self, from: Data(bytes))
    }

    /// Replaces the record.
    func write(to bundle: LibraryBundle) throws(SystemError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(self) else { return }
        try FileSystem.replace(
            bundle.scrubbed,
            with: String(decoding: data, as: UTF8.self) + "\n",
            modes: BundleModes(root: bundle.root)
        )
    }
}
