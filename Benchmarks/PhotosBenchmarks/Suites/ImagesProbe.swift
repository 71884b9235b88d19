import ArgumentParser
import Foundation
import Photos
import PhotosManagement

/// Requests pictures of a library's assets, and measures the time.
struct ImagesProbe: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe-images",
        abstract: "Part of the suite images.",
        shouldDisplay: false
    )

    /// A way to request pictures.
    enum Way: String, ExpressibleByArgument {
        /// All at once, asynchronously, in high quality.
        case together
        /// Synchronously, one at a time.
        case single
        /// Asynchronously, one at a time, in opportunistic mode.
        case callbacks
    }

    /// The measured figures.
    struct Answer: Codable {
        /// The total for all pictures.
        var seconds: Double
        /// The time from each request to its first call, in milliseconds.
        var first: [Double] = []
        /// The time from each request to its last call, in milliseconds.
        var last: [Double] = []
        /// The peak memory of the program plus that of the largest worker, in megabytes.
        var peak = 0.0
        var workerPeak = 0.0
    }

    @Argument var library: String
    @Argument var way: Way
    @Option var start = 0
    @Option var count: Int
    @Option var width = 256
    @Option var height = 256
    @Flag var exact = false
    /// The number of the last assets to request first, uncounted, so that workers are running.
    @Option var warmUps = 0

    func run() throws {
        let bundle = try PhotoLibraryBundle.open(at: URL(fileURLWithPath: library))
        let options = PHFetchOptions()
        options.sortDescriptors = [NSSortDescriptor(key: "addedDate", ascending: true)]
        let result = try bundle.fetchAssets(with: options)
        guard result.count >= start + count + warmUps else {
            throw BenchmarkError(description: "There are only \(result.count) assets.")
        }
        if warmUps > 0 {
            let last = (result.count - warmUps..<result.count).map(result.object(at:))
            _ = try together(last)
        }
        let assets = (start..<start + count).map(result.object(at:))
        var answer =
            switch way {
            case .together: Answer(seconds: try together(assets))
            case .single: Answer(seconds: try single(assets))
            case .callbacks: try callbacks(assets)
            }
        answer.peak = ProcessMemory.peak()
        answer.workerPeak = ProcessMemory.workerPeak()
        try Probe.print(answer)
    }

    private var size: CGSize { CGSize(width: width, height: height) }

    private func together(_ assets: [PHAsset]) throws -> Double {
        let options = PHImageRequestOptions()
        options.deliveryMode = .highQualityFormat
        options.resizeMode = exact ? .exact : .fast
        let tally = Tally()
        let duration = seconds {
            for asset in assets {
                PHImageManager.default().requestImage(
                    for: asset,
                    targetSize: size,
                    contentMode: .aspectFit,
                    options: options
                ) { image, info in
                    tally.record(image, info)
                }
            }
            MainLoop.run { tally.count == assets.count }
        }
        try tally.check()
        return duration
    }

    private func single(_ assets: [PHAsset]) throws -> Double {
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        options.resizeMode = exact ? .exact : .fast
        let tally = Tally()
        let duration = seconds {
            for asset in assets {
                PHImageManager.default().requestImage(
                    for: asset,
                    targetSize: size,
                    contentMode: .aspectFit,
                    options: options
                ) { image, info in
                    tally.record(image, info)
                }
            }
        }
        try tally.check()
        return duration
    }

    private func callbacks(_ assets: [PHAsset]) throws -> Answer {
        var answer = Answer(seconds: 0)
        let clock = ContinuousClock()
        let tally = Tally()
        for asset in assets {
            let start = clock.now
            let times = Times()
            PHImageManager.default().requestImage(
                for: asset,
                targetSize: size,
                contentMode: .aspectFit,
                options: nil
            ) { image, info in
                let isDegraded = info?[PHImageResultIsDegradedKey] as? Bool ?? false
                times.record((clock.now - start) / .milliseconds(1), isLast: !isDegraded)
                if !isDegraded { tally.record(image, info) }
            }
            MainLoop.run { times.last != nil }
            answer.first.append(times.first ?? 0)
            answer.last.append(times.last ?? 0)
        }
        try tally.check()
        answer.seconds = answer.last.reduce(0, +) / 1_000
        return answer
    }
}

/// Counts results, and keeps the first error.
///
/// Only for the main thread.
private final class Tally {
    private(set) var count = 0
    private var problem: String?

    func record(_ image: UIImage?, _ info: [AnyHashable: Any]?) {
        count += 1
        if let image {
            blackHole(image.size)
        } else {
            problem = "\(info?[PHImageErrorKey] ?? "no picture and no reason")"
        }
    }

    func check() throws {
        if let problem { throw BenchmarkError(description: problem) }
    }
}

/// The times at which a request's handler was called.
///
/// Only for the main thread.
private final class Times {
    private(set) var first: Double?
    private(set) var last: Double?

    func record(_ time: Double, isLast: Bool) {
        if first == nil { first = time }
        if isLast { last = time }
    }
}
