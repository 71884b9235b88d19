internal import GRDB
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// The version of the last commit, as the writer records it in `database/changed`.
///
///     3F2504E0-4F89-41D3-9A0C-0305E82C3301 00000000000000000042 00C0FFEE00C0FFEE\n
///
/// 1. The recorded version is a lower bound: it is written after the commit and is not synced. A
///    database with a smaller version has lost commits.
/// 2. The record is one line of fixed length that ends with its own hash, written in one call over
///    the previous one. A line that is empty, truncated, mixed from two records or of another
///    library sets no bound.
/// 3. Only the holder of the writer lock writes it.
struct CommittedVersion: Hashable, Sendable {
    private static let versionDigits = 20
    private static let hashDigits = 16
    /// The length of the line: UUID, version, hash, two spaces and the line feed.
    private static let lengthInBytes = 36 + versionDigits + hashDigits + 3

    let libraryUUID: String
    let version: Int64

    init(libraryUUID: String, version: Int64) {
        self.libraryUUID = libraryUUID
        self.version = version
    }

    /// Parses a recorded version; returns nil if the bytes are not a complete record.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.lengthInBytes else { return nil }
        let line = String(decoding: bytes.prefix(Self.lengthInBytes), as: UTF8.self)
        let parts = line.dropLast().split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 36,
            parts[1].utf8.count == Self.versionDigits,
            let version = Int64(parts[1]), version >= 0
        else { return nil }
        self.init(libraryUUID: String(parts[0]), version: version)
        guard text == line else { return nil }
    }

    /// Reads the recorded version of a library; returns nil if there is no valid record.
    init?(of bundle: LibraryBundle) { self.init(at: bundle.changed) }

    /// Reads the record in a file; returns nil if there is no valid record.
    init?(at path: String) {
        let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let number = open(path, flags)
        guard number >= 0 else { return nil }
        let file = Descriptor(owning: number)
        var bytes = [UInt8](repeating: 0, count: Self.lengthInBytes)
        let count = withExtendedLifetime(file) {
            pread(file.number, &bytes, bytes.count, 0)
        }
        guard count == bytes.count else { return nil }
        self.init(bytes)
    }

    /// Creates the record of a database's current state.
    init(in database: Database) throws {
        // The first databases had no settings, and no UUID.
        let hasSettings = try database.tableExists("setting")
        self.init(
            libraryUUID: hasSettings ? try LibrarySetting.uuid.value(in: database) ?? "" : "",
            version: try JournalWriter.currentVersion(database)
        )
    }

    /// The record as a line of text.
    var text: String {
        let body = libraryUUID + " " + Self.pad(String(version), to: Self.versionDigits)
        return body + " " + Self.pad(body.stableHash.uppercased(), to: Self.hashDigits) + "\n"
    }

    /// Writes the record over the previous one.
    ///
    /// Requires the writer lock. The file is not synced. Symbolic links are not followed, so that a
    /// planted link has no effect.
    ///
    /// - Throws: The file system's error; the previous record may then still be in place.
    func write(to bundle: LibraryBundle) throws(SystemError) { try write(at: bundle.changed) }

    /// Writes the record over the previous one in a file.
    ///
    /// - Throws: The file system's error.
    func write(at path: String) throws(SystemError) {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let number = open(path, flags, BundleModes.newFile)
        guard number >= 0 else { throw .last("open", path: path) }
        let file = Descriptor(owning: number)
        var text = text
        let isWritten = withExtendedLifetime(file) {
            text.withUTF8 { pwrite(file.number, $0.baseAddress, $0.count, 0) == $0.count }
        }
        guard isWritten else { throw .last("pwrite", path: path) }
    }

    /// Returns the recorded version if a database of this library is older and thus lacks changes;
    /// nil otherwise.
    ///
    /// The record must be read before the database: a commit in between would look like a loss.
    func missingVersion(in present: CommittedVersion) -> Int64? {
        libraryUUID == present.libraryUUID && version > present.version ? version : nil
    }

    private static func pad(_ digits: String, to count: Int) -> String {
        String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
}
