import Foundation
import Photos
import PhotosManagement
import Synchronization

/// The same measurement for an ordinary program: the time from another process's commit until its
/// observer has the details, and details against fetching again and comparing.
struct PublicObserving {
    private static let commits = 100

    let assets: Int
    let rounds: Int

    func run(_ report: Report) throws {
        let library = try SyntheticLibrary()
        try library.fill(assets: assets)
        let bundle = try PhotoLibraryBundle.open(at: library.url)
        try latency(bundle, library, report)
        try details(bundle, library, report)
    }

    private static func fetch(_ bundle: PhotoLibraryBundle) -> PHFetchResult<PHAsset> {
        let options = PHFetchOptions()
        options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: true)]
        return bundle.using { PHAsset.fetchAssets(with: options) }
    }

    /// Starts a process that commits at intervals.
    private static func committer(_ library: SyntheticLibrary, commits: Int) throws -> (
        Process, Pipe
    ) {
        let process = Process()
        process.executableURL = Probe.executable
        process.arguments = ["probe-commits", library.url.path, String(commits)]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        return (process, pipe)
    }

    // MARK: - Latency

    private func latency(
        _ bundle: PhotoLibraryBundle,
        _ library: SyntheticLibrary,
        _ report: Report
    ) throws {
        let photos = bundle.using { PHPhotoLibrary.shared() }
        let observer = TimingObserver(Self.fetch(bundle))
        let start = photos.currentChangeToken.version
        photos.register(observer)
        let (process, pipe) = try Self.committer(library, commits: Self.commits)
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try observer.wait(until: start + Int64(Self.commits))
        photos.unregisterChangeObserver(observer)
        var latencies: [Double] = []
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
        for (index, line) in lines.enumerated() {
            guard let committed = Double(line),
                let time = observer.time(of: start + Int64(index) + 1)
            else { continue }
            latencies.append(max(0, time - committed) * 1_000)
        }
        guard process.terminationStatus == 0, latencies.count == Self.commits else {
            throw BenchmarkError(
                description: "An observer heard of \(latencies.count) of \(Self.commits) commits."
            )
        }
        latencies.sort()
        for (name, index, limit) in [
            ("p50", Self.commits / 2, nil as Double?), ("p95", Self.commits * 95 / 100, 50),
        ] {
            report.print(
                Report.Case(
                    suite: "observe",
                    name: "another process's commit until photoLibraryDidChange has the details of"
                        + " \(assets) assets, \(name)",
                    ours: latencies[index],
                    unit: "ms",
                    limit: limit
                )
            )
        }
    }

    // MARK: - Details

    private func details(
        _ bundle: PhotoLibraryBundle,
        _ library: SyntheticLibrary,
        _ report: Report
    ) throws {
        var (ours, peer): ([Double], [Double]) = ([], [])
        for _ in 0..<rounds {
            let photos = bundle.using { PHPhotoLibrary.shared() }
            // Only the first result is read before observers are called.
            let (noticed, asked) = (Self.fetch(bundle), Self.fetch(bundle))
            let observer = DetailsObserver(asked)
            photos.register(observer)
            let (process, _) = try Self.committer(library, commits: 1)
            process.waitUntilExit()
            ours.append(try observer.wait())
            photos.unregisterChangeObserver(observer)
            peer.append(
                seconds {
                    let details = PHFetchResultChangeDetails(
                        from: asked,
                        to: Self.fetch(bundle),
                        changedObjects: []
                    )
                    blackHole(details.removedIndexes)
                }
            )
            blackHole(noticed.count)
        }
        report.print(
            Report.Case(
                suite: "observe",
                name: "changeDetails(for:) of one change in \(assets) assets by date",
                ours: median(ours) * 1_000,
                peer: median(peer) * 1_000,
                peerName: "fetching again and comparing",
                unit: "ms",
                limit: nil
            )
        )
    }
}

/// Records when it received each version, including the details.
private final class TimingObserver: NSObject, PHPhotoLibraryChangeObserver, Sendable {
    private struct State {
        var result: PHFetchResult<PHAsset>
        var times: [(version: Int64, time: Double)] = []
    }

    private let state: Mutex<State>

    init(_ result: PHFetchResult<PHAsset>) {
        state = Mutex(State(result: result))
        super.init()
    }

    func photoLibraryDidChange(_ changeInstance: PHChange) {
        let result = state.withLock(\.result)
        guard let after = changeInstance.changeDetails(for: result)?.fetchResultAfterChanges,
            let version = after.version
        else { return }
        let time = CommitLatency.now
        state.withLock { state in
            state.result = after
            state.times.append((version, time))
        }
    }

    /// Returns when it received a version, or a later one in its place.
    func time(of version: Int64) -> Double? {
        state.withLock { $0.times.first { $0.version >= version }?.time }
    }

    func wait(until version: Int64) throws {
        let deadline = CommitLatency.now + 60
        while time(of: version) == nil {
            guard CommitLatency.now < deadline else {
                throw BenchmarkError(description: "The observer never heard of \(version).")
            }
            usleep(1_000)
        }
    }
}

/// Measures the duration of details.
private final class DetailsObserver: NSObject, PHPhotoLibraryChangeObserver, Sendable {
    private let result: PHFetchResult<PHAsset>
    private let duration = Mutex<Double?>(nil)

    init(_ result: PHFetchResult<PHAsset>) {
        self.result = result
        super.init()
    }

    func photoLibraryDidChange(_ changeInstance: PHChange) {
        let time = seconds {
            blackHole(changeInstance.changeDetails(for: result)?.changedIndexes)
        }
        duration.withLock { $0 = $0 ?? time }
    }

    func wait() throws -> Double {
        let deadline = CommitLatency.now + 60
        while true {
            if let duration = duration.withLock({ $0 }) { return duration }
            guard CommitLatency.now < deadline else {
                throw BenchmarkError(description: "The observer was not called.")
            }
            usleep(1_000)
        }
    }
}
