internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// The files of a watch folder that were imported or that failed.
///
/// A failed file is not tried again, and a photo that its user deleted permanently is not imported
/// again.
///
/// 1. An entry is a hash of a file's path, size and modification time; a file that changes is
///    another one.
/// 2. Entries are appended after the library acknowledged the import. One that a crash loses costs
///    another look at the file, which the library recognizes.
/// 3. A last entry that a crash cut is ignored.
/// 4. A file beside it records a version of the library that contains all imports. It is written
///    before the entries. A library without this version was restored to an older state and lost
///    some of them, so its files count as new.
struct WatchLedger {
    /// A version of a library.
    struct Point: Codable, Hashable {
        let version: Int64
        let stamp: HistoryStamp?

        /// Returns whether a library contains this version, and not another one with the same
        /// number.
        ///
        /// A version whose history was pruned counts as contained.
        func isContained(in service: any LibraryService) throws(LibraryError) -> Bool {
            guard try service.status().version >= version else { return false }
            do throws(LibraryError) {
                let request = HistoryRequest(since: version, limit: 0)
                return try service.history(request).stamp == stamp
            } catch {
                guard error.code == .historyExpired else { throw error }
                return true
            }
        }
    }

    /// The result of importing one file.
    enum Outcome: UInt64 {
        case done, failed
    }

    private static let pointSuffix = ".version"
    private static let unwritable = "The ledger of a watch folder cannot be written."

    private let path: String
    /// The recorded version; nil if none was recorded.
    private var point: Point?
    private var entries: [UInt64: Outcome] = [:]

    /// The number of entries with the outcome `failed`.
    private(set) var failedCount = 0

    /// Reads the ledger of a watch folder; an unreadable ledger counts as empty.
    init(path: String) {
        self.path = path
        point = FileManager.default.contents(atPath: path + Self.pointSuffix).flatMap {
            try? JSONDecoder().decode(Point.self, from: $0)
        }
        guard let data = FileManager.default.contents(atPath: path) else { return }
        let count = data.count / 8
        entries.reserveCapacity(count)
        data.withUnsafeBytes { bytes in
            for index in 0..<count {
                add(bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
            }
        }
    }

    /// Returns whether a file was imported or failed, and has not changed since.
    func contains(_ file: SourceFile) -> Bool { entries[Self.key(of: file)] != nil }

    /// Adds files.
    mutating func add(
        _ files: [(file: SourceFile, outcome: Outcome)]
    ) throws(SystemError) {
        guard !files.isEmpty else { return }
        var data = Data()
        for (file, outcome) in files {
            let entry = Self.key(of: file) | outcome.rawValue
            add(entry)
            withUnsafeBytes(of: entry) { data.append(contentsOf: $0) }
        }
        let number = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw .last("open", path: path) }
        let descriptor = Descriptor(owning: number)
        // After the last whole entry.
        let end = lseek(descriptor.number, 0, SEEK_END)
        lseek(descriptor.number, end - end % 8, SEEK_SET)
        try PrivateFile.append(data, to: descriptor, path: path)
    }

    /// Removes the ledger of a watch folder.
    static func remove(_ path: String) {
        unlink(path)
        unlink(path + pointSuffix)
    }

    // MARK: - The library

    /// Removes the imported files if the library does not contain the recorded version.
    ///
    /// Without a recorded version, the entries are kept, and the present version is recorded.
    mutating func adapt(to service: any LibraryService) throws(LibraryError) {
        guard !entries.isEmpty else { return }
        if let point {
            guard try !point.isContained(in: service) else { return }
            do throws(SystemError) { try removeDone() } catch {
                throw error.libraryError(Self.unwritable)
            }
        }
        try record(service)
    }

    /// Records the present version of the library, which contains all imports so far.
    mutating func record(_ service: any LibraryService) throws(LibraryError) {
        let status = try service.status()
        let present = Point(version: status.version, stamp: status.stamp)
        guard present != point else { return }
        guard let data = try? JSONEncoder().encode(present) else {
            throw LibraryError(.internalError, Self.unwritable)
        }
        do throws(SystemError) { try replace(Self.pointSuffix, with: data) } catch {
            throw error.libraryError(Self.unwritable)
        }
        point = present
    }

    private mutating func removeDone() throws(SystemError) {
        let failed = entries.filter { $0.value == .failed }
        var data = Data()
        for (key, outcome) in failed {
            withUnsafeBytes(of: key | outcome.rawValue) { data.append(contentsOf: $0) }
        }
        try replace("", with: data)
        entries = failed
    }

    private func replace(_ suffix: String, with data: Data) throws(SystemError) {
        let folder = (path as NSString).deletingLastPathComponent
        let name = (path as NSString).lastPathComponent
        try StateFolder(folder).replace(name + suffix, with: data)
    }

    // MARK: - Entries

    private mutating func add(_ entry: UInt64) {
        let outcome: Outcome = entry & 1 == 0 ? .done : .failed
        let former = entries.updateValue(outcome, forKey: entry & ~1)
        if former == .failed { failedCount -= 1 }
        if outcome == .failed { failedCount += 1 }
    }

    /// Returns the hash of a file as the key of its entry; the lowest bit is cleared, since entries
    /// store the outcome in it.
    private static func key(of file: SourceFile) -> UInt64 {
        var hash = StableHash()
        hash.add(file.path)
        hash.add(file.size)
        hash.add(file.modificationTime)
        return hash.value & ~1
    }
}
