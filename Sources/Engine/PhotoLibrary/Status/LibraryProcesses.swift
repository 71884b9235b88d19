internal import Foundation
internal import LibraryService

/// Finds the other processes that use a library, based on their file locks.
///
/// Caches and queues in the memory of those processes are not visible from outside. Processes in
/// another container or on another machine are not found.
struct LibraryProcesses {
    /// The bytes of SQLite's `-shm` file that readers lock during a transaction (WAL_READ_LOCK in
    /// SQLite's wal.c and os_unix.c).
    private static let readMarks: ClosedRange<Int64> = 123...127
    /// The byte of SQLite's `-shm` file that each connection locks while it is open (UNIX_SHM_DMS
    /// in os_unix.c).
    private static let openMark: ClosedRange<Int64> = 128...128
    private static let workerName = "photos-worker"

    private let bundle: LibraryBundle

    init(bundle: LibraryBundle) { self.bundle = bundle }

    /// Returns the identifiers of the processes that are in a read transaction.
    ///
    /// Such a transaction prevents the write-ahead log from being truncated.
    func readers() -> Set<Int32> { holders(of: Self.readMarks) }

    /// Returns the programs that have the library open, with the number of worker processes of
    /// each.
    func programs() -> [LibraryInspection.OpenProgram] {
        let processes = holders(of: Self.openMark).sorted()
        guard !processes.isEmpty else { return [] }
        let workers = Self.workers(of: Set(processes))
        return processes.map {
            LibraryInspection.OpenProgram(
                processIdentifier: $0,
                program: Self.program(of: $0),
                workers: workers[$0] ?? 0
            )
        }
    }

    /// Returns the process that holds the writer lock; nil if no process does.
    func writer() -> LibraryInspection.LogReader? {
        FileLocks(path: bundle.lock).locks().first { $0.isFlock && $0.isExclusive }.map {
            LibraryInspection.LogReader(
                processIdentifier: $0.process,
                program: Self.program(of: $0.process)
            )
        }
    }

    /// Returns the name of a process's program; nil if the system does not report it.
    static func program(of process: Int32) -> String? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
        else { return nil }
        let name = text.trimmingCharacters(in: .newlines)
        return name.isEmpty ? nil : name
    }

    private func holders(of bytes: ClosedRange<Int64>) -> Set<Int32> {
        Set(
            FileLocks(path: bundle.database + "-shm").locks()
                .filter { !$0.isFlock && !$0.isExclusive && $0.bytes.overlaps(bytes) }
                .map(\.process)
        )
    }

    /// Returns the number of worker processes of each parent process.
    private static func workers(of parents: Set<Int32>) -> [Int32: Int] {
        guard case .success(let names) = FileSystem.entries(of: "/proc") else { return [:] }
        var counts: [Int32: Int] = [:]
        for name in names {
            guard Int32(name) != nil,
                let text = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
                // `1234 (name) S 1 …`; a name may contain parentheses.
                let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")"),
                text[text.index(after: start)..<end] == workerName
            else { continue }
            let words = text[text.index(after: end)...].split(separator: " ")
            guard words.count > 1, let parent = Int32(words[1]), parents.contains(parent)
            else { continue }
            counts[parent, default: 0] += 1
        }
        return counts
    }
}
