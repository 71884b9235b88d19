internal import Foundation
internal import GRDB
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// A record of imported files and their sources, so that a later scan need not read the files
/// again.
///
/// It is bookkeeping only: it is not journaled, and losing it costs time but no photos.
///
/// 1. A row is written in the transaction that makes the file's content a resource, or that finds
///    an existing resource with this content.
/// 2. A file is known only if its path, size, modification time, status change time, inode and
///    device are all unchanged, to the nanosecond: a false match would lose a photo. If a device's
///    number changes between mounts, its files are read again, which only costs time.
/// 3. A file without an inode number or a modification time is never known: mounts of devices that
///    lack them would give the next file of a camera the identity of an earlier one.
/// 4. A row is ignored if its resource no longer exists, or if the library's file is missing or has
///    another size.
struct ImportedFiles {
    /// The number of paths per statement.
    static let chunkSize = 256

    let database: Database
    let bundle: LibraryBundle

    /// Records the resource that an imported file became.
    func record(_ source: SourceFile, stemKey: [UInt8], resourceID: Int64) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO importedFile
                (path, size, modificationTime, statusChangeTime, inode, device, stemKey, resourceId)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        )
        try statement.execute(arguments: [
            Data(source.path), source.size, source.modificationTime, source.statusChangeTime,
            Int64(bitPattern: source.inode), Int64(bitPattern: source.device), Data(stemKey),
            resourceID,
        ])
    }

    /// Records that the content of imported files now belongs to another resource.
    func move(from old: Int64, to new: Int64) throws {
        try database.cachedStatement(
            sql: "UPDATE importedFile SET resourceId = ? WHERE resourceId = ?"
        ).execute(arguments: [new, old])
    }

    /// Returns the outcome for each known file, and nil for each unknown file.
    func outcomes(of files: [SourceFile]) throws -> [ImportOutcome?] {
        let folder = OpenedBundle(bundle)
        var outcomes = [ImportOutcome?](repeating: nil, count: files.count)
        var start = 0
        while start < files.count {
            let end = min(start + Self.chunkSize, files.count)
            try fill(&outcomes, of: files, in: start..<end, folder)
            start = end
        }
        return outcomes
    }

    private static let sql = """
        SELECT f.path, f.size, f.modificationTime, f.statusChangeTime, f.inode, a.uuid,
            a.trashedDate IS NOT NULL, f.device, r.path, r.size
        FROM importedFile f
        JOIN resource r ON r.id = f.resourceId
        JOIN asset a ON a.id = r.assetId
        WHERE f.path IN (\(Array(repeating: "?", count: chunkSize).joined(separator: ",")))
        """

    private func fill(
        _ outcomes: inout [ImportOutcome?],
        of files: [SourceFile],
        in range: Range<Int>,
        _ folder: OpenedBundle
    ) throws {
        // Keyed by inode rather than path: Foundation hashes only the first 80 bytes of `Data`,
        // which are equal for all files of a deep folder.
        var positions: [Int64: [Int]] = [:]
        var arguments: [DatabaseValue] = []
        arguments.reserveCapacity(Self.chunkSize)
        for position in range {
            positions[Int64(bitPattern: files[position].inode), default: []].append(position)
            arguments.append(Data(files[position].path).databaseValue)
        }
        // The same statement serves any number of paths: the unused parameters are bound to NULL.
        while arguments.count < Self.chunkSize { arguments.append(.null) }
        let statement = try database.cachedStatement(sql: Self.sql)
        statement.setUncheckedArguments(StatementArguments(arguments))
        let rows = try Row.fetchCursor(statement)
        while let row = try rows.next() {
            let inode: Int64 = row[4]
            for position in positions[inode] ?? [] {
                let file = files[position]
                guard file.hasIdentity, file.size == row[1], file.modificationTime == row[2],
                    file.statusChangeTime == row[3],
                    Int64(bitPattern: file.device) == row[7], Self.equal(row[0], file.path),
                    folder.hasFile(row[8], size: row[9])
                else { continue }
                outcomes[position] = .duplicate(ofAsset: row[5], isTrashed: row[6])
            }
        }
    }
}

extension ImportedFiles {
    /// A library folder, opened once to look up many of the library's files.
    private struct OpenedBundle {
        private let bundle: LibraryBundle
        /// The open library folder; nil if it cannot be opened, or for the bundle of a dry run,
        /// whose files are in two folders.
        private let root: Descriptor?

        init(_ bundle: LibraryBundle) {
            self.bundle = bundle
            let number =
                bundle.planned == nil
                ? open(bundle.root, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1
            root = number < 0 ? nil : Descriptor(owning: number)
        }

        /// Returns whether a library file is present, judging by its file status.
        func hasFile(_ path: String, size: Int64) -> Bool {
            let finding =
                root.map { StoredFile.inspect(path, in: $0.number, size: size) }
                ?? StoredFile.inspect(bundle.absolutePath(of: path), in: AT_FDCWD, size: size)
            guard case .present = finding else { return false }
            return true
        }
    }

    private static func equal(_ data: Data, _ bytes: [UInt8]) -> Bool {
        data.count == bytes.count && data.withUnsafeBytes { $0.elementsEqual(bytes) }
    }
}

extension SourceFile {
    /// Indicates whether the file system metadata can identify the file.
    fileprivate var hasIdentity: Bool { inode != 0 && modificationTime != 0 && size > 0 }
}

extension ImportOutcome {
    /// Returns the outcome for content that the library already has.
    static func duplicate(ofAsset uuid: String, isTrashed: Bool) -> ImportOutcome {
        ImportOutcome(
            .duplicate,
            localIdentifier: uuid + ObjectKind.asset.identifierSuffix,
            reason: isTrashed
                ? "An identical file is in Recently Deleted and stays there. Restore it to see it again."
                : nil
        )
    }
}
