internal import Foundation
internal import Glibc
internal import LibraryService

/// Finds the processes whose read transactions prevent the write-ahead log from being truncated.
///
/// SQLite's readers hold a shared lock on one of five bytes of the log's index,
/// `library.sqlite-shm`. The kernel lists the locks in `/proc/locks`. The index itself is only
/// accessed with `stat`: closing any descriptor of it would drop the locks that SQLite holds in
/// this process.
struct LogReaders {
    /// The bytes of the index that readers lock (WAL_READ_LOCK in SQLite's wal.c and os_unix.c).
    private static let readMarks: ClosedRange<Int64> = 123...127

    private let path: String

    init(bundle: LibraryBundle) { path = bundle.database + "-shm" }

    /// Returns the processes other than this one that currently hold such a lock.
    func processes() -> Set<Int32> {
        guard case .success(let status) = FileSystem.status(of: path),
            let locks = try? String(contentsOfFile: "/proc/locks", encoding: .utf8)
        else { return [] }
        return Set(
            locks.split(separator: "\n").compactMap { Self.reader(in: $0, of: status) }
                .filter { $0.process != getpid() }
                .filter { $0.isSameDevice || hasOpen($0.process) }
                .map(\.process)
        )
    }

    /// Returns the name of a process's program; nil if the system does not report it.
    static func program(of process: Int32) -> String? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
        else { return nil }
        let name = text.trimmingCharacters(in: .newlines)
        return name.isEmpty ? nil : name
    }

    /// The lock of a reader.
    private struct Lock {
        var process: Int32
        /// Indicates whether the lock's device equals that of the index.
        ///
        /// Some file systems (overlay, btrfs) report other device numbers to programs than the
        /// kernel uses.
        var isSameDevice: Bool
    }

    /// Parses a line such as `4: POSIX  ADVISORY  READ 1234 fd:01:5678 124 124`.
    private static func reader(in line: Substring, of file: stat) -> Lock? {
        let words = line.split(separator: " ", omittingEmptySubsequences: true)
        // A waiting lock has an arrow as its second word.
        guard words.count == 8, words[1] == "POSIX", words[3] == "READ",
            let process = Int32(words[4]), process > 0,
            let start = Int64(words[6]), let end = words[7] == "EOF" ? .max : Int64(words[7]),
            start <= end, readMarks.overlaps(start...end)
        else { return nil }
        let place = words[5].split(separator: ":")
        guard place.count == 3, UInt64(place[2]) == UInt64(file.st_ino),
            let major = UInt32(place[0], radix: 16), let minor = UInt32(place[1], radix: 16)
        else { return nil }
        let device = UInt64(file.st_dev)
        let isSameDevice =
            UInt64(major) == (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
            && UInt64(minor) == device & 0xFF | (device >> 12) & 0xFFFF_FF00
        return Lock(process: process, isSameDevice: isSameDevice)
    }

    /// Returns whether a process has the index open.
    private func hasOpen(_ process: Int32) -> Bool {
        let folder = "/proc/\(process)/fd"
        guard case .success(let names) = FileSystem.entries(of: folder) else { return false }
        var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
        return names.contains { name in
            let count = readlink("\(folder)/\(name)", &target, target.count)
            return count > 0 && String(decoding: target.prefix(count), as: UTF8.self) == realPath
        }
    }

    private var realPath: String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}
