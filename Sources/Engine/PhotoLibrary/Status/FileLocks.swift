internal import Foundation
internal import Glibc
internal import LibraryService

/// The locks that other processes hold on a file, which the kernel lists in `/proc/locks`.
///
/// The file itself is only accessed with `stat`: closing any descriptor of a file that SQLite uses
/// would drop the locks that SQLite holds in this process.
struct FileLocks {
    /// A lock on a range of a file's bytes or, if it was set with flock(2), on the whole file.
    struct Lock {
        var isFlock: Bool
        var isExclusive: Bool
        var process: Int32
        var bytes: ClosedRange<Int64>
    }

    private let path: String

    init(path: String) { self.path = path }

    /// Returns the locks that other processes currently hold.
    func locks() -> [Lock] {
        guard case .success(let status) = FileSystem.status(of: path),
            let list = try? String(contentsOfFile: "/proc/locks", encoding: .utf8)
        else { return [] }
        return list.split(separator: "\n").compactMap { Self.parse($0, of: status) }
            .filter { $0.lock.process != getpid() }
            .filter { $0.isSameDevice || hasOpen($0.lock.process) }
            .map(\.lock)
    }

    /// Parses a line such as `4: POSIX  ADVISORY  READ 1234 fd:01:5678 124 124`.
    ///
    /// `isSameDevice` indicates whether the lock's device equals that of the file: some file
    /// systems (overlay, btrfs) report other device numbers to programs than the kernel uses.
    private static func parse(
        _ line: Substring,
        of file: stat
    ) -> (lock: Lock, isSameDevice: Bool)? {
        let words = line.split(separator: " ", omittingEmptySubsequences: true)
        // A waiting lock has an arrow as its second word.
        guard words.count == 8, words[1] == "POSIX" || words[1] == "FLOCK",
            let process = Int32(words[4]), process > 0,
            let start = Int64(words[6]), let end = words[7] == "EOF" ? .max : Int64(words[7]),
            start <= end
        else { return nil }
        let place = words[5].split(separator: ":")
        guard place.count == 3, UInt64(place[2]) == UInt64(file.st_ino),
            let major = UInt32(place[0], radix: 16), let minor = UInt32(place[1], radix: 16)
        else { return nil }
        let device = UInt64(file.st_dev)
        let isSameDevice =
            UInt64(major) == (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
            && UInt64(minor) == device & 0xFF | (device >> 12) & 0xFFFF_FF00
        let lock = Lock(
            isFlock: words[1] == "FLOCK",
            isExclusive: words[3] == "WRITE",
            process: process,
            bytes: start...end
        )
        return (lock, isSameDevice)
    }

    /// Indicates whether a process has the file open.
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
