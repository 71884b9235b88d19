import ArgumentParser
import EmbeddedLibrary
import Foundation
import Glibc
import LibraryService
import PhotoLibrary
import PhotoModel

/// Measures the time from another process's commit until a subscriber in this process has its
/// version.
struct CommitLatency {
    private static let commits = 100

    let library: String

    func run(_ report: Report) throws {
        let service = try EmbeddedLibrary.open(at: library)
        let subscription = try service.subscribe()
        let first = try service.status().version
        let process = Process()
        process.executableURL = Probe.executable
        process.arguments = ["probe-commits", library, String(Self.commits)]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()

        var seen: [Int64: Double] = [:]
        var version = first
        let deadline = Self.now + 120
        while version < first + Int64(Self.commits), Self.now < deadline {
            try Self.wait(for: subscription)
            let current = try service.status().version
            let time = Self.now
            while version < current {
                version += 1
                seen[version] = time
            }
        }
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        var latencies: [Double] = []
        for (index, line) in String(decoding: output, as: UTF8.self).split(separator: "\n")
            .enumerated()
        {
            guard let committed = Double(line), let time = seen[first + Int64(index) + 1] else {
                continue
            }
            latencies.append(max(0, time - committed) * 1_000)
        }
        guard process.terminationStatus == 0, latencies.count == Self.commits else {
            throw BenchmarkError(
                description:
                    "Of \(Self.commits) commits of another process \(latencies.count) were seen."
            )
        }
        latencies.sort()
        for (name, index, limit) in [
            ("p50", Self.commits / 2, nil as Double?), ("p95", Self.commits * 95 / 100, 50),
        ] {
            report.print(
                Report.Case(
                    suite: "observe",
                    name: "another process's commit until it is seen here, \(name)",
                    ours: latencies[index],
                    unit: "ms",
                    limit: limit
                )
            )
        }
    }

    /// Waits for data, for a second at most, and drains it.
    private static func wait(for subscription: Descriptor) throws {
        withExtendedLifetime(subscription) {
            var request = pollfd(fd: subscription.number, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, 1_000) == 1 else { return }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            while read(subscription.number, &bytes, bytes.count) > 0 {}
        }
    }

    /// The seconds on a clock that all processes share.
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

/// Commits at intervals, in a separate process, and prints when each commit was durable.
struct CommitProbe: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe-commits",
        abstract: "Part of the suite observe.",
        shouldDisplay: false
    )

    @Argument var library: String
    @Argument var count: Int

    func run() throws {
        let store = try LibraryStore.open(at: library)
        var times: [Double] = []
        for _ in 0..<count {
            try store.write(author: "benchmark") { transaction in
                guard var record = try transaction.asset(id: 1) else { return }
                record.isFavorite.toggle()
                try transaction.updateAsset(record, contentChanged: false)
                transaction.onCommit { times.append(CommitLatency.now) }
            }
            usleep(20_000)
        }
        print(times.map(String.init(describing:)).joined(separator: "\n"))
    }
}
