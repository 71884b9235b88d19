internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// The file `database/checked` with the result of the last complete check, as a JSON object.
///
/// 1. It is outside of the database. So a check of a damaged database can be recorded, and a check
///    does not create a version.
/// 2. It is replaced by a rename, so readers see a complete record. A file with any other content
///    counts as missing.
/// 3. A library that can only be read keeps the record of its last check elsewhere.
enum LastCheckFile {
    private static let limitInBytes = 4_096

    /// Returns the recorded check; nil if there is none.
    static func read(of bundle: LibraryBundle) -> LastCheck? {
        guard case .success(let status) = FileSystem.status(of: bundle.checked),
            status.st_mode & S_IFMT == S_IFREG,
            case .success(let bytes) = FileSystem.contents(
                of: bundle.checked,
                limitInBytes: limitInBytes
            )
        else { return nil }
        return try? JSONDecoder().decode(LastCheck.self, from: Data(bytes))
    }

    /// Replaces the recorded check.
    static func write(_ check: LastCheck, to bundle: LibraryBundle) throws(SystemError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(check) else { return }
        try FileSystem.replace(
            bundle.checked,
            with: String(decoding: data, as: UTF8.self) + "\n",
            modes: BundleModes(root: bundle.root)
        )
    }
}
