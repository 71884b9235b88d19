import ArgumentParser
import Dispatch
import Foundation
import Photos
import PhotosManagement
import Synchronization

/// Requests movies of a library one at a time, and measures the duration.
struct MoviesProbe: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe-movies",
        abstract: "Part of the suite movies.",
        shouldDisplay: false
    )

    /// The request for each movie.
    enum Way: String, ExpressibleByArgument, Sendable {
        case poster, facts, passthrough, smaller
    }

    @Argument var library: String
    @Argument var way: Way
    @Option var start = 0
    @Option var count: Int

    func run() throws {
        let work = MoviesWork(library: library, way: way, start: start, count: count)
        let outcome = Outcome()
        // The command's main thread only waits, since nothing here is delivered on the main queue.
        Task {
            do {
                outcome.set(.success(try await work.seconds()))
            } catch {
                outcome.set(.failure(error))
            }
        }
        try Probe.print(try outcome.wait().get())
    }

    /// The outcome of the work.
    private final class Outcome: Sendable {
        private let result = Mutex<Result<Double, any Error>?>(nil)
        private let done = DispatchSemaphore(value: 0)

        func set(_ result: Result<Double, any Error>) {
            self.result.withLock { $0 = result }
            done.signal()
        }

        func wait() throws -> Result<Double, any Error> {
            done.wait()
            guard let found = result.withLock(\.self) else {
                throw BenchmarkError(description: "There is no result.")
            }
            return found
        }
    }
}

/// Requests movies of a library.
private struct MoviesWork: Sendable {
    let library: String
    let way: MoviesProbe.Way
    let start: Int
    let count: Int

    /// Runs the requests and returns their duration.
    func seconds() async throws -> Double {
        let bundle = try PhotoLibraryBundle.open(at: URL(fileURLWithPath: library))
        let options = PHFetchOptions()
        options.sortDescriptors = [NSSortDescriptor(key: "filename", ascending: true)]
        let result = try bundle.fetchAssets(with: options)
        guard result.count > start + count else {
            throw BenchmarkError(description: "There are only \(result.count) movies.")
        }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("photos-movies-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // The last two start the workers.
        for index in result.count - 2..<result.count {
            try await ask(result.object(at: index), folder)
        }
        let assets = (start..<start + count).map(result.object(at:))
        let clock = ContinuousClock()
        let begin = clock.now
        for asset in assets { try await ask(asset, folder) }
        return (clock.now - begin) / .seconds(1)
    }

    private func ask(_ asset: PHAsset, _ folder: URL) async throws {
        if way == .poster { return try poster(asset) }
        let movie = try await Self.movie(asset)
        switch way {
        case .poster: break
        case .facts:
            let (duration, tracks, metadata) = try await movie.load(.duration, .tracks, .metadata)
            guard duration.seconds > 3.5, tracks.count == 2 else {
                throw BenchmarkError(description: "A movie has \(tracks.count) tracks.")
            }
            blackHole(metadata)
        case .passthrough: try await export(movie, AVAssetExportPresetPassthrough, folder)
        case .smaller: try await export(movie, AVAssetExportPreset640x480, folder)
        }
    }

    private func poster(_ asset: PHAsset) throws {
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        let error = Mutex<String?>(nil)
        PHImageManager.default().requestImage(
            for: asset,
            targetSize: CGSize(width: 256, height: 256),
            contentMode: .aspectFit,
            options: options
        ) { image, info in
            if image == nil { error.withLock { $0 = "\(info ?? [:])" } }
        }
        if let problem = error.withLock(\.self) { throw BenchmarkError(description: problem) }
    }

    private static func movie(_ asset: PHAsset) async throws -> AVURLAsset {
        let movie: AVURLAsset? = await withCheckedContinuation { continuation in
            PHImageManager.default().requestAVAsset(forVideo: asset, options: nil) { movie, _, _ in
                continuation.resume(returning: movie as? AVURLAsset)
            }
        }
        guard let movie else { throw BenchmarkError(description: "An asset gave no movie.") }
        return movie
    }

    private func export(_ movie: AVAsset, _ preset: String, _ folder: URL) async throws {
        guard let session = AVAssetExportSession(asset: movie, presetName: preset) else {
            throw BenchmarkError(description: "There is no preset \(preset).")
        }
        session.outputURL = folder.appendingPathComponent("\(UUID().uuidString).mov")
        session.outputFileType = .mov
        await session.export()
        guard session.status == .completed else {
            throw BenchmarkError(description: "\(preset): \(session.error.debugDescription)")
        }
    }
}
