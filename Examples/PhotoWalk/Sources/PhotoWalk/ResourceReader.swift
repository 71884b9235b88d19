import Foundation
import Photos

/// Reads the files of photos, byte for byte.
enum ResourceReader {
    /// The file that was imported.
    static func original(of asset: PHAsset) async throws -> Data {
        try await data(of: asset) { $0.type == .photo }
    }

    /// The file of the current version: the edited one if the photo was edited.
    static func current(of asset: PHAsset) async throws -> Data {
        let resources = PHAssetResource.assetResources(for: asset)
        let type: PHAssetResourceType =
            resources.contains { $0.type == .fullSizePhoto } ? .fullSizePhoto : .photo
        return try await data(of: asset) { $0.type == type }
    }

    private static func data(
        of asset: PHAsset,
        where fits: (PHAssetResource) -> Bool
    ) async throws -> Data {
        guard let resource = PHAssetResource.assetResources(for: asset).first(where: fits) else {
            throw Failure("the photo \(asset.localIdentifier) has no file of that type")
        }
        let collector = Collector()
        return try await withCheckedThrowingContinuation { continuation in
            PHAssetResourceManager.default().requestData(
                for: resource,
                options: nil,
                dataReceivedHandler: { collector.add($0) },
                completionHandler: { error in
                    if let error {
                        continuation.resume(throwing: error)
                    } else {
                        continuation.resume(returning: collector.data)
                    }
                }
            )
        }
    }

    /// Writes files into the folder that the first argument names, so that a script can compare them.
    static func keep(_ files: [String: Data]) throws {
        guard CommandLine.arguments.count > 1 else { return }
        let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
        for (name, data) in files {
            try data.write(to: folder.appendingPathComponent(name))
        }
    }

    /// Collects the parts of a file as they arrive.
    private final class Collector: @unchecked Sendable {
        private let lock = NSLock()
        private var parts = Data()

        func add(_ part: Data) { lock.withLock { parts.append(part) } }

        var data: Data { lock.withLock { parts } }
    }
}
