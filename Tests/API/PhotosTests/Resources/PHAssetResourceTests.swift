import Foundation
import Photos
import PhotosManagement
import Synchronization
import Testing

/// Files of assets, on samples that were imported through the public API.
@Suite(.timeLimit(.minutes(3))) struct PHAssetResourceTests {
    private let library: FilesLibrary

    init() throws {
        library = try FilesLibrary.shared.get()
    }

    private static func sha256(of file: URL) throws -> String {
        String(try Tool.run("sha256sum", ["-b", file.path]).prefix(64))
    }

    /// Returns the imported files by the asset that they became part of.
    private func sources() throws -> [String: Set<String>] {
        var sources: [String: Set<String>] = [:]
        for outcome in library.outcomes {
            guard let identifier = outcome.localIdentifier, outcome.kind != .duplicate else {
                continue
            }
            let file = URL(fileURLWithPath: outcome.path.description)
            sources[identifier, default: []].insert(try Self.sha256(of: file))
        }
        return sources
    }

    private func data(of resource: PHAssetResource) async throws -> Data {
        let bytes = Bytes()
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            PHAssetResourceManager.default().requestData(
                for: resource,
                options: nil,
                dataReceivedHandler: { data in bytes.all.withLock { $0 += data } },
                completionHandler: { error in
                    if let error {
                        continuation.resume(throwing: error)
                    } else {
                        continuation.resume()
                    }
                }
            )
        }
        return bytes.all.withLock { $0 }
    }

    private final class Bytes: Sendable {
        let all = Mutex(Data())
    }

    @Test("Every imported file comes back byte for byte, read and written")
    func bytesComeBack() async throws {
        let folder = try Folder()
        var expected = try sources()
        #expect(expected.count > 20)
        for asset in try library.assets() {
            var found: Set<String> = []
            let resources = PHAssetResource.assetResources(for: asset)
            #expect(!resources.isEmpty)
            for resource in resources {
                let target = folder.file(UUID().uuidString)
                try await PHAssetResourceManager.default()
                    .writeData(for: resource, toFile: target, options: nil)
                found.insert(try Self.sha256(of: target))
                #expect(try Data(contentsOf: target) == (try await data(of: resource)))
                #expect(resource.dataSize == (try Data(contentsOf: target).count))
            }
            let wanted = expected.removeValue(forKey: asset.localIdentifier)
            #expect(found == wanted, "\(asset.extendedMetadata.originalFilename ?? "")")
        }
        #expect(expected.isEmpty)
    }

    @Test("208, 209: the original comes first, sidecars and adjustment data last")
    func order() throws {
        for asset in try library.assets() {
            let resources = PHAssetResource.assetResources(for: asset)
            let first = try #require(resources.first)
            #expect(first.type == (asset.mediaType == .video ? .video : .photo))
            #expect(first.originalFilename == asset.extendedMetadata.originalFilename)
            #expect(first.contentType == asset.contentType)
            #expect(resources.allSatisfy { $0.assetLocalIdentifier == asset.localIdentifier })
            let ranks = resources.map { resource -> Int in
                switch resource.type {
                case .photo, .video, .audio: 0
                case .alternatePhoto, .pairedVideo: 1
                case .adjustmentData, .unnamed: 3
                default: 2
                }
            }
            #expect(ranks == ranks.sorted())
            #expect(PHAssetResource.assetResources(for: asset) == resources)
        }
    }

    @Test func livePhotosAndRawPairsHaveBothHalves() throws {
        let types = try library.assets().map { asset in
            (asset, PHAssetResource.assetResources(for: asset).map(\.type))
        }
        let live = types.filter { $0.0.mediaSubtypes.contains(.photoLive) }
        #expect(!live.isEmpty)
        for (asset, types) in live {
            #expect(types.contains(.photo) && types.contains(.pairedVideo))
            #expect(asset.playbackStyle == .livePhoto)
        }
        #expect(types.contains { $0.1.contains(.alternatePhoto) })
        #expect(types.contains { $0.1.contains(.adjustmentData) })
    }

    @Test("231, 232: key-value habits of resources")
    func keyValueHabits() throws {
        let asset = try #require(try library.assets().first)
        let resource = try #require(PHAssetResource.assetResources(for: asset).first)
        let size = try #require(resource.dataSize)
        #expect(resource.value(forKey: "fileSize") as? Int == size)
        #expect(resource.value(forKey: "fileSize") as? Int64 == Int64(size))
        #expect(resource.value(forKey: "fileSize") as? CUnsignedLongLong == CUnsignedLongLong(size))
        #expect(resource.value(forKey: "locallyAvailable") as? Bool == true)
        #expect(resource.value(forKey: "filename") as? String == resource.filename)
        for key in ["fileURL", "privateFileURL"] {
            let url = try #require(resource.value(forKey: key) as? URL)
            #expect(try Data(contentsOf: url).count == size)
        }
        #expect(resource.value(forKey: "noSuchKey") == nil)
        #expect(resource.uniformTypeIdentifier == resource.contentType.identifier)
        #expect(resource.pixelWidth > 0 && resource.pixelHeight > 0)
    }

    @Test func bareResourceHasNoValues() {
        let resource = PHAssetResource()
        #expect(resource.originalFilename.isEmpty && resource.filename == nil)
        #expect(resource.dataSize == nil)
        #expect(resource.value(forKey: "locallyAvailable") as? Bool == false)
        #expect(resource.value(forKey: "fileURL") == nil)
        #expect(resource == resource)
        #expect(resource != PHAssetResource())
    }

    @Test func existingFileIsLeftAsItWas() async throws {
        let folder = try Folder()
        let asset = try #require(try library.assets().first)
        let resource = try #require(PHAssetResource.assetResources(for: asset).first)
        let file = folder.file("mine.jpg")
        try Data("mine".utf8).write(to: file)
        let error = await #expect(throws: PHPhotosError.self) {
            try await PHAssetResourceManager.default()
                .writeData(for: resource, toFile: file, options: nil)
        }
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == file.path)
        #expect(try Data(contentsOf: file) == Data("mine".utf8))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["mine.jpg"]
        )
    }
}
