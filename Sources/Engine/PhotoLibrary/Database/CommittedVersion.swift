internal import GRDB
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// The version of the last commit, as the writer notes it in `database/changed`.
///
///     3F2504E0-4F89-41D3-9A0C-0305E82C3301 00000000000000000042 00C0FFEE00C0FFEE\n
///
/// 1. The note is a lower bound: it follows the commit and is not synced. A database of a smaller
///    version has lost commits.
/// 2. The note is one line of fixed length that ends with a hash of itself, written in one call over
///    the previous one. A line that is empty, cut, mixed of two notes or of another library gives no
///    bound.
/// 3. Only the holder of the writer lock writes it.
struct CommittedVersion: Hashable, Sendable {
    private static let versionDigits = 20
    private static let hashDigits = 16
    /// UUID, version, hash, two spaces and the line feed.
    private static let lengthInBytes = 36 + versionDigits + hashDigits + 3

    let libraryUUID: String
    let version: Int64

    init(libraryUUID: String, version: Int64) {
        self.libraryUUID = libraryUUID
        self.version = version
    }

    /// Parses the bytes of a note; returns nil when they are not a whole note.
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

    /// Reads the note of a library; returns nil when there is none that counts.
    init?(of bundle: LibraryBundle) {
        let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let number = open(bundle.changed, flags)
        guard number >= 0 else { return nil }
        let file = Descriptor(owning: number)
        var bytes = [UInt8](repeating: 0, count: Self.lengthInBytes)
        let count = withExtendedLifetime(file) {
            pread(file.number, &bytes, bytes.count, 0)
        }
        guard count == bytes.count else { return nil }
        self.init(bytes)
    }

    /// What the writer would note of a database's present state.
    init(in database: Database) throws {
        // The first databases had no settings, and no UUID.
        let hasSettings = try database.tableExists("setting")
        self.init(
            libraryUUID: hasSettings ? try LibrarySetting.uuid.value(in: database) ?? "" : "",
            version: try JournalWriter.currentVersion(database)
        )
    }

    /// The note's line.
    var text: String {
        let body = libraryUUID + " " + Self.pad(String(version), to: Self.versionDigits)
        return body + " " + Self.pad(body.stableHash.uppercased(), to: Self.hashDigits) + "\n"
    }

    /// Writes the note over the previous one.
    ///
    /// Held: the writer lock. Not synced. Follows no link, so that a planted one leads nowhere.
    ///
    /// - Throws: What the file system says; then the previous note may still stand.
    func write(to bundle: LibraryBundle) throws(SystemError) {
        let path = bundle.changed
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

    /// The version up to which a database of this library lacks changes; nil when it lacks none.
    ///
    /// The note has to be read before the database: a commit in between would look like a loss.
    func missingVersion(in present: CommittedVersion) -> Int64? {
        libraryUUID == present.libraryUUID && version > present.version ? version : nil
    }

    private static func pad(_ digits: String, to count: Int) -> String {
        String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
}
