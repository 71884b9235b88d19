import Foundation
import Glibc

/// `photos list --limit 1`: what a command costs that hardly does anything.
///
/// Measures the command beside this one, so both should be built in the form that is installed.
/// Each run is a process of its own, with the library's files in the page cache.
struct StartupSuite {
    let assets: Int
    let rounds: Int

    private static let runs = 20

    func run(_ report: Report) throws {
        let command = try Probe.neighbor("photos").path
        let library = try SyntheticLibrary()
        try library.fill(assets: assets)
        let list: [String] = [command, "list", "--limit", "1", "--library", library.url.path]
        // The first one groups the moments.
        _ = try Launch(list, database: library.database)
        let tools: [String] = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3"]
        let tool = tools.first { access($0, X_OK) == 0 }
        var (ours, opened, processor, theirs): ([Double], [Double], [Double], [Double]) = (
            [], [], [], []
        )
        for _ in 0..<rounds * Self.runs {
            let launch = try Launch(list, database: library.database)
            ours.append(launch.end)
            opened.append(launch.opened)
            processor.append(launch.processor)
            guard let tool else { continue }
            theirs.append(try Launch([tool, library.database, Self.query]).end)
        }
        func print(_ name: String, _ times: [Double], limit: Double?) {
            report.print(
                Report.Case(
                    suite: "startup",
                    name: "photos list --limit 1 among \(assets) assets, \(name)",
                    ours: median(times) * 1_000,
                    unit: "ms",
                    limit: limit
                )
            )
        }
        print("until it ends", ours, limit: 30)
        print("until its database is open", opened, limit: 10)
        print("processor time", processor, limit: nil)
        if !theirs.isEmpty {
            report.print(
                Report.Case(
                    suite: "startup",
                    name: "the same row by the sqlite3 command",
                    ours: median(theirs) * 1_000,
                    unit: "ms",
                    limit: nil
                )
            )
        }
    }

    private static let query = """
        SELECT uuid, mediaType, pixelWidth, pixelHeight, creationDate, originalFilename FROM asset
        WHERE isVisible = 1 ORDER BY creationDate, id LIMIT 1
        """
}

/// One run of a program: the times since its start, in seconds.
private struct Launch {
    /// Until it ended.
    let end: Double
    /// Until it opened a database.
    let opened: Double
    let processor: Double

    init(_ arguments: [String], database: String? = nil) throws {
        let watch = inotify_init1(Int32(IN_CLOEXEC))
        guard watch >= 0 else { throw BenchmarkError(description: "inotify: \(errno)") }
        defer { close(watch) }
        if let database { inotify_add_watch(watch, database, UInt32(IN_OPEN)) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        var pointers = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var process: pid_t = 0
        let start = CommitLatency.now
        guard posix_spawn(&process, arguments[0], &actions, nil, &pointers, environ) == 0 else {
            throw BenchmarkError(description: "\(arguments[0]) did not start.")
        }
        var opened = start
        if database != nil {
            var request = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
            var bytes = [UInt8](repeating: 0, count: 4_096)
            while opened == start, poll(&request, 1, 2_000) == 1 {
                // The events of a watched file have no names, so they are of one size.
                guard read(watch, &bytes, MemoryLayout<inotify_event>.size) > 0 else { break }
                let mask = bytes.withUnsafeBytes { $0.load(fromByteOffset: 4, as: UInt32.self) }
                guard mask & UInt32(IN_OPEN) != 0 else { continue }
                opened = CommitLatency.now
            }
        }
        var status: Int32 = 0
        var usage = rusage()
        wait4(process, &status, 0, &usage)
        end = CommitLatency.now - start
        self.opened = opened - start
        processor =
            Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6
        guard status == 0 else {
            throw BenchmarkError(description: "\(arguments.joined(separator: " ")) failed.")
        }
    }
}
