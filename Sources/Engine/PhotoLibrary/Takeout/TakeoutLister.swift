internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// Lists the files in an export's folders and archives, and reads the JSON files among them.
struct TakeoutLister {
    /// The maximum depth of nested folders.
    ///
    /// An export has three levels.
    private static let maximumDepth = 32

    let archives: any ArchiveReader
    private(set) var files: [TakeoutFile] = []
    /// The report lines of files that are not imported.
    private(set) var lines: [TakeoutLine] = []
    /// For each compressed tar archive, the positions at which decompression can start, keyed by
    /// the archive's index among the sources of the import.
    private(set) var positions: [Int: [InflatePosition]] = [:]

    init(archives: any ArchiveReader) { self.archives = archives }

    // MARK: - Archives

    /// Lists the files of an archive.
    ///
    /// - Parameters:
    ///   - archive: The archive.
    ///   - name: Its file name, for messages.
    ///   - source: Its index among the sources of the import.
    /// - Throws: An error only if no worker is available.
    mutating func add(archive: Descriptor, named name: String, source: Int) throws(LibraryError) {
        let first = files.count
        var verified: Int64 = 0
        var damage: String?
        var cursor: ArchiveCursor? = .start
        while let next = cursor {
            if case .tar(let position, _) = next { positions[source, default: []].append(position) }
            let page: ArchivePage
            do throws(WorkerError) {
                page = try archives.archivePage(next, of: archive.number)
            } catch { throw SourceStager.unavailable(error) }
            for item in page.items {
                switch item {
                case .file(let entry, _) where entry.size < 0:
                    lines.append(Self.line(source, entry.name, .failed, "Its size is impossible."))
                case .file(let entry, let reading):
                    files.append(
                        TakeoutFile(
                            source: source,
                            path: entry.name,
                            size: entry.size,
                            modificationTime: Self.nanoseconds(entry.modificationTime),
                            place: .archive(entry),
                            reading: reading
                        )
                    )
                case .refused(let name, let reason):
                    lines.append(Self.line(source, name, .failed, reason))
                }
            }
            verified = max(verified, page.verified ?? 0)
            if let problem = page.problem {
                lines.append(Self.line(source, nil, .failed, problem))
                if page.isDamaged { damage = problem }
            }
            if page.next == next {
                lines.append(
                    Self.line(source, nil, .failed, "The archive cannot be read further.")
                )
                break
            }
            cursor = page.next
        }
        if files.contains(where: { $0.source == source && $0.isOfTape }) {
            let start = InflatePosition(input: 0, isAtHeader: true)
            positions[source] = [start] + (positions[source] ?? [])
        }
        let reason = damage.map { "It was not imported from \(name). \($0)" }
        for index in first..<files.count { files[index].doubt(beyond: verified, reason) }
    }

    private static func nanoseconds(_ seconds: Int64?) -> Int64 {
        let (product, overflow) = (seconds ?? 0).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? 0 : product
    }

    // MARK: - Folders

    /// Lists the files of a folder and its subfolders, without following symbolic links.
    ///
    /// - Throws: An error only if no worker is available.
    mutating func add(folder: Descriptor, path: String, source: Int) throws(LibraryError) {
        let root = Folder(descriptor: folder, path: path, files: FileOperations())
        try add(root, below: "", source: source, depth: 0)
    }

    private mutating func add(_ folder: Folder, below path: String, source: Int, depth: Int)
        throws(LibraryError)
    {
        let found: [[UInt8]]
        do throws(SystemError) { found = try folder.entryNames() } catch {
            lines.append(
                Self.line(source, path, .failed, "The folder cannot be read: \(error.reason).")
            )
            return
        }
        let prefix = path.isEmpty ? "" : path + "/"
        let names = found.compactMap { String(validating: $0, as: UTF8.self) }.sorted()
        for name in found where String(validating: name, as: UTF8.self) == nil {
            let below = prefix + String(decoding: name, as: UTF8.self)
            let reason = "Its name is not UTF-8. Rename it and import the folder again."
            lines.append(Self.line(source, below, .failed, reason))
        }
        for name in names {
            let below = prefix + name
            var status = stat()
            guard fstatat(folder.descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                let reason = String(cString: strerror(errno))
                lines.append(Self.line(source, below, .failed, "It cannot be read: \(reason)."))
                continue
            }
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                guard depth < Self.maximumDepth else {
                    let reason = "It is nested in more than \(Self.maximumDepth) folders."
                    lines.append(Self.line(source, below, .failed, reason))
                    continue
                }
                let next: Folder
                do throws(SystemError) { next = try folder.folder(name) } catch {
                    let reason = "The folder cannot be read: \(error.reason)."
                    lines.append(Self.line(source, below, .failed, reason))
                    continue
                }
                if let reason = SourceBundle.reason(
                    against: Array(name.utf8),
                    folder: next.descriptor
                ) {
                    lines.append(Self.line(source, below, .unsupported, reason))
                    continue
                }
                try add(next, below: below, source: source, depth: depth + 1)
            case S_IFREG:
                try add(file: name, in: folder, below, FileStatus(status), source: source)
            default:
                let reason = "It is \(FileStatus(status).kind), not a regular file."
                lines.append(Self.line(source, below, .unsupported, reason))
            }
        }
    }

    private mutating func add(
        file name: String,
        in folder: Folder,
        _ path: String,
        _ status: FileStatus,
        source: Int
    ) throws(LibraryError) {
        var file = TakeoutFile(
            source: source,
            path: path,
            size: status.size,
            modificationTime: status.modificationTime,
            place: .folder(path)
        )
        if name.lowercased().hasSuffix(".json") { file.reading = try reading(name, in: folder) }
        files.append(file)
    }

    private func reading(_ name: String, in folder: Folder) throws(LibraryError) -> TakeoutReading {
        let file: Descriptor
        do throws(SystemError) { file = try folder.open(name, O_RDONLY) } catch {
            return .failed(reason: "It cannot be read: \(error.reason).")
        }
        do throws(WorkerError) {
            return try withExtendedLifetime(file) { () throws(WorkerError) in
                try archives.takeoutReading(of: file.number)
            }
        } catch { throw SourceStager.unavailable(error) }
    }

    private static func line(
        _ source: Int,
        _ path: String?,
        _ outcome: MigrationLine.Outcome,
        _ reason: String
    ) -> TakeoutLine {
        TakeoutLine(
            source: source,
            line: MigrationLine(
                kind: .takeout,
                item: path,
                path: path,
                outcome: outcome,
                reason: reason,
                isLeading: false
            ),
            size: 0
        )
    }
}

extension TakeoutFile {
    /// Indicates whether the file is in a tape archive, which can only be read sequentially.
    var isOfTape: Bool {
        guard case .archive(let entry) = place, case .tar = entry.place else { return false }
        return true
    }

    /// Records that no checksum covers the bytes after an offset in the decompressed tape archive.
    ///
    /// - Parameters:
    ///   - verified: The offset. A file before it is not changed, nor is one of a ZIP archive.
    ///   - damage: The reason why files are not imported; nil if no bytes are known to be wrong.
    fileprivate mutating func doubt(beyond verified: Int64, _ damage: String?) {
        guard case .archive(let entry) = place, !entry.isVerified(by: verified) else { return }
        guard let damage else {
            integrity = .unverified
            return
        }
        integrity = .damaged(reason: damage)
        if reading != nil { reading = .failed(reason: damage) }
    }
}
