internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// The log of the names that assets got in an export: the file `.photos-export/names`.
///
/// A line has the asset's UUID, the number that makes the names unique, the folder and the names,
/// separated by tabs. Lines are only appended, and a later line takes precedence.
///
/// 1. A line is written before the files that it names, so the log is complete after a crash of
///    the program. ``sync()`` makes it durable.
/// 2. After a power failure or damage, lines may be missing. A line that is incomplete or invalid
///    is ignored. ``ExportedNames`` does not replace files that the log lacks.
/// 3. The log contains no paths that are written to: a name is derived from the library and the
///    number.
final class ExportNameLog {
    /// The names of an asset's files in a folder.
    struct Line {
        /// The UUID of the asset.
        var asset: String
        /// The number that makes the names unique; 1 stands for names without a number.
        var number: Int
        /// The path of the folder below the export's folder.
        var folder: String
        /// The names of the asset's files and of its XMP sidecar.
        var names: [String]

        /// The line of the file, with a newline.
        fileprivate var text: String {
            ([asset, String(number), folder] + names).joined(separator: "\t") + "\n"
        }
    }

    private static let lineEnd = UInt8(ascii: "\n")
    private static let separator = UInt8(ascii: "\t")
    private static let numbers = 1...999_999_999

    private let file: Descriptor
    private let folder: String
    private let folderSync: FolderSync
    private let path: String
    private var size = 0

    /// Opens the log in the export's own folder, and creates it if it does not exist.
    ///
    /// - Parameters:
    ///   - folder: The folder, whose mark is locked.
    ///   - folderSync: The operation that makes the log's name durable.
    /// - Throws: The folder's error.
    init(in folder: String, folderSync: FolderSync) throws(LibraryError) {
        self.folder = folder
        self.folderSync = folderSync
        path = folder + "/names"
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let number = open(path, flags, 0o666)
        guard number >= 0 else { throw ExportTree.refusal(path, FileAccessError()) }
        file = Descriptor(owning: number)
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw LibraryError(
                .invalidRequest,
                "\(path) cannot be written.",
                reason: "It is not a file.",
                recovery: "Remove it, and export again.",
                path: path
            )
        }
    }

    // MARK: - Reading

    /// Passes on the valid lines one by one, and removes an incomplete one at the end.
    func read(_ body: (Line) -> Void) throws(LibraryError) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = pread(file.number, &buffer, buffer.count, off_t(bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ExportTree.refusal(path, FileAccessError()) }
            if count == 0 { break }
            bytes += buffer.prefix(count)
        }
        size = bytes.lastIndex(of: Self.lineEnd).map { $0 + 1 } ?? 0
        if size < bytes.count, ftruncate(file.number, off_t(size)) != 0 {
            throw ExportTree.refusal(path, FileAccessError())
        }
        var rest = bytes[..<size]
        while let end = rest.firstIndex(of: Self.lineEnd) {
            if let line = Self.line(rest[..<end]) { body(line) }
            rest = rest[(end + 1)...]
        }
    }

    private static func line(_ bytes: ArraySlice<UInt8>) -> Line? {
        let fields = bytes.split(separator: separator, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard fields.count > 3, fields.allSatisfy({ !$0.isEmpty }), let number = Int(fields[1]),
            numbers.contains(number)
        else { return nil }
        return Line(
            asset: fields[0],
            number: number,
            folder: fields[2],
            names: Array(fields[3...])
        )
    }

    // MARK: - Writing

    /// Appends a line, which a crash of the program does not lose.
    func append(_ line: Line) throws(LibraryError) {
        let bytes = Array(line.text.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(
                    file.number,
                    buffer.baseAddress?.advanced(by: written),
                    buffer.count - written,
                    off_t(size + written)
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw ExportTree.refusal(path, FileAccessError()) }
            written += count
        }
        size += bytes.count
    }

    /// Makes the log durable.
    func sync() throws(LibraryError) {
        guard fdatasync(file.number) == 0 else {
            throw ExportTree.refusal(path, FileAccessError())
        }
        // The log's own entry.
        try folderSync.sync(folder)
    }
}
