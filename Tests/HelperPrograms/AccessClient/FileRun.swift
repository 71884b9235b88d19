import Foundation
import Photos
import Synchronization

/// Requests the files of an asset by each of PhotoKit's means.
///
/// Prints a line for each request: its name, `ok` or the number of the error, whether the progress
/// handler was called, and everything that its handlers received. The bytes are written to files
/// with the names of the requests.
struct FileRun {
    let asset: PHAsset
    /// Whether the requests may use the network.
    let isAllowed: Bool
    /// The folder for the bytes.
    let output: URL

    /// The end of a request.
    fileprivate struct Outcome: Sendable {
        var files: [String: Data] = [:]
        var code: Int?
        var text = ""

        init() {}

        init(_ file: String, _ data: Data?, _ info: [AnyHashable: Any]?) {
            self.init(info: info)
            if let data { files[file] = data }
        }

        init(info: [AnyHashable: Any]?) {
            let error = info?[PHImageErrorKey] ?? info?[PHContentEditingInputErrorKey]
            code = (error as? PHPhotosError)?.errorCode
            text = "\(info ?? [:])"
        }
    }

    /// The number of calls of the progress handlers.
    private final class Progress: Sendable {
        let count = Mutex(0)

        func add() { count.withLock { $0 += 1 } }
    }

    private let progress = Progress()

    init(_ asset: PHAsset, isAllowed: Bool, output: URL) {
        self.asset = asset
        self.isAllowed = isAllowed
        self.output = output
    }

    func run() async {
        await report("resources") { await resources() }
        if asset.mediaType == .image { await report("data") { await data() } }
        if asset.mediaType == .video { await report("movie") { await movie() } }
        if asset.mediaSubtypes.contains(.photoLive) {
            await report("live") { await livePhoto() }
        }
        await report("input") { await input() }
    }

    private func report(_ name: String, _ request: () async -> Outcome) async {
        let before = progress.count.withLock(\.self)
        let outcome = await request()
        for (name, data) in outcome.files {
            try? data.write(to: output.appendingPathComponent(name))
        }
        let isReported = progress.count.withLock(\.self) > before
        AccessClient.say(
            name,
            outcome.code.map { "\($0)" } ?? "ok",
            isReported ? "progress" : "silent",
            outcome.text.replacingOccurrences(of: "\n", with: " ")
        )
    }

    // MARK: - Requests

    private func resources() async -> Outcome {
        var outcome = Outcome()
        for resource in PHAssetResource.assetResources(for: asset) {
            let name = "resource-\(resource.type.rawValue)"
            let options = PHAssetResourceRequestOptions()
            options.isNetworkAccessAllowed = isAllowed
            let progress = progress
            options.progressHandler = { _ in progress.add() }
            do {
                try await PHAssetResourceManager.default().writeData(
                    for: resource,
                    toFile: output.appendingPathComponent(name),
                    options: options
                )
            } catch {
                outcome.code = (error as? PHPhotosError)?.errorCode ?? 0
                outcome.text += "\(error) "
            }
            let url = resource.value(forKey: "fileURL") as? URL
            outcome.text += "\(resource) \(url?.path ?? "none") "
            if let url { outcome.files["url-" + name] = try? Data(contentsOf: url) }
        }
        return outcome
    }

    private func data() async -> Outcome {
        let options = PHImageRequestOptions()
        options.isNetworkAccessAllowed = isAllowed
        let progress = progress
        options.progressHandler = { _, _, _, _ in progress.add() }
        return await withCheckedContinuation { continuation in
            PHImageManager.default()
                .requestImageDataAndOrientation(for: asset, options: options) { data, _, _, info in
                    continuation.resume(returning: Outcome("data", data, info))
                }
        }
    }

    private func movie() async -> Outcome {
        let options = PHVideoRequestOptions()
        options.isNetworkAccessAllowed = isAllowed
        let progress = progress
        options.progressHandler = { _, _, _, _ in progress.add() }
        return await withCheckedContinuation { continuation in
            PHImageManager.default().requestAVAsset(forVideo: asset, options: options) {
                movie,
                _,
                info in
                var outcome = Outcome("movie", Self.data(of: movie), info)
                outcome.text += Self.text(of: movie)
                continuation.resume(returning: outcome)
            }
        }
    }

    private func livePhoto() async -> Outcome {
        let options = PHLivePhotoRequestOptions()
        options.deliveryMode = .highQualityFormat
        options.isNetworkAccessAllowed = isAllowed
        let progress = progress
        options.progressHandler = { _, _, _, _ in progress.add() }
        return await withCheckedContinuation { continuation in
            PHImageManager.default().requestLivePhoto(
                for: asset,
                targetSize: PHImageManagerMaximumSize,
                contentMode: .aspectFit,
                options: options
            ) { photo, info in
                var outcome = Outcome(info: info)
                outcome.add(photo, as: "live")
                continuation.resume(returning: outcome)
            }
        }
    }

    private func input() async -> Outcome {
        let options = PHContentEditingInputRequestOptions()
        options.isNetworkAccessAllowed = isAllowed
        let progress = progress
        options.progressHandler = { _, _ in progress.add() }
        return await withCheckedContinuation { continuation in
            asset.requestContentEditingInput(with: options) { input, info in
                var outcome = Outcome(info: info)
                if let url = input?.fullSizeImageURL {
                    outcome.files["input"] = try? Data(contentsOf: url)
                    outcome.text += " \(url.path)"
                }
                if let movie = input?.audiovisualAsset {
                    outcome.files["input-movie"] = Self.data(of: movie)
                    outcome.text += Self.text(of: movie)
                }
                outcome.add(input?.livePhoto, as: "input-live")
                outcome.text += input.map { " \($0)" } ?? ""
                continuation.resume(returning: outcome)
            }
        }
    }

    private static func data(of movie: AVAsset?) -> Data? {
        (movie as? AVURLAsset).flatMap { try? Data(contentsOf: $0.url) }
    }

    private static func text(of movie: AVAsset?) -> String {
        guard let movie else { return "" }
        return " \(movie) \((movie as? AVURLAsset)?.url.path ?? "none")"
    }
}

extension FileRun.Outcome {
    /// Adds the files of a Live Photo.
    fileprivate mutating func add(_ photo: PHLivePhoto?, as name: String) {
        guard let photo else { return }
        for resource in PHAssetResource.assetResources(for: photo) {
            let url = resource.value(forKey: "fileURL") as? URL
            text += " \(photo) \(resource) \(url?.path ?? "none")"
            if let url {
                files["\(name)-\(resource.type.rawValue)"] = try? Data(contentsOf: url)
            }
        }
    }
}
