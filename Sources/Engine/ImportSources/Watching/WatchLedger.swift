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
struct WatchLedger {
    /// The result of importing one file.
    enum Outcome: UInt64 {
        case done, failed
    }

    private let path: String
    private var entries: [UInt64: Outcome] = [:]

    /// The number of entries with the outcome `failed`.
    private(set) var failedCount = 0

    /// Reads the ledger of a watch folder; an unreadable ledger counts as empty.
    init(path: String) {
        self.path = path
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
