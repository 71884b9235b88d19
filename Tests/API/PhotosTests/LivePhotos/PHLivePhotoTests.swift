import Foundation
import Photos
import Synchronization
import Testing

/// Live Photos of assets and of files (behavior 205–207).
@Suite(.timeLimit(.minutes(5))) struct PHLivePhotoTests {
    private let library: FilesLibrary
    private let manager = PHImageManager()

    init() throws {
        library = try FilesLibrary.shared.get()
    }

    private struct Call: @unchecked Sendable {
        // Unchecked because the dictionary is only read.
        var photo: PHLivePhoto?
        var info: [AnyHashable: Any]

        var isDegraded: Bool {
            (info[PHImageResultIsDegradedKey] ?? info[PHLivePhotoInfoIsDegradedKey]) as? Bool
                ?? false
        }
        var isCancelled: Bool {
            (info[PHImageCancelledKey] ?? info[PHLivePhotoInfoCancelledKey]) as? Bool ?? false
        }
        var error: PHPhotosError? {
            (info[PHImageErrorKey] ?? info[PHLivePhotoInfoErrorKey]) as? PHPhotosError
        }
    }

    private final class Calls: Sendable {
        private let all = Mutex<[Call]>([])
        private let ended = DispatchSemaphore(value: 0)

        func add(_ photo: PHLivePhoto?, _ info: [AnyHashable: Any]?, endsAtOnce: Bool = false) {
            let call = Call(photo: photo, info: info ?? [:])
            all.withLock { $0.append(call) }
            if !call.isDegraded || endsAtOnce { ended.signal() }
        }

        var list: [Call] { all.withLock { $0 } }

        func wait() async throws -> [Call] {
            let isThere = await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(
                        returning: self.ended.wait(timeout: .now() + 60) == .success
                    )
                }
            }
            try #require(isThere)
            return list
        }
    }

    private func live() throws -> [PHAsset] {
        try library.assets().filter { $0.mediaSubtypes.contains(.photoLive) }
    }

    private func request(
        _ asset: PHAsset,
        _ size: CGSize,
        _ delivery: PHImageRequestOptionsDeliveryMode
    ) async throws -> [Call] {
        let calls = Calls()
        let options = PHLivePhotoRequestOptions()
        options.deliveryMode = delivery
        let id = manager.requestLivePhoto(
            for: asset,
            targetSize: size,
            contentMode: .aspectFit,
            options: options
        ) { calls.add($0, $1, endsAtOnce: delivery == .fastFormat) }
        let list = try await calls.wait()
        for call in list {
            #expect(call.info[PHImageResultRequestIDKey] as? PHImageRequestID == id)
        }
        return list
    }

    private func files(_ asset: PHAsset) throws -> [URL] {
        let resources = PHAssetResource.assetResources(for: asset)
        return try [PHAssetResourceType.photo, .pairedVideo].map { type in
            let resource = try #require(resources.first { $0.type == type })
            return try #require(resource.value(forKey: "fileURL") as? URL)
        }
    }

    // MARK: - Of assets

    @Test("Opportunistic requests give stills first and the whole last (205)")
    func opportunistic() async throws {
        for asset in try live() {
            let calls = try await request(asset, PHImageManagerMaximumSize, .opportunistic)
            #expect(calls.dropLast().allSatisfy { $0.isDegraded && $0.photo != nil })
            let last = try #require(calls.last)
            let photo = try #require(last.photo, "\(String(describing: last.error))")
            #expect(photo.size == CGSize(width: asset.pixelWidth, height: asset.pixelHeight))
            let resources = PHAssetResource.assetResources(for: photo)
            #expect(resources.map(\.type) == [.photo, .pairedVideo])
            #expect(resources.allSatisfy { $0.assetLocalIdentifier == asset.localIdentifier })
            #expect(
                resources == PHAssetResource.assetResources(for: asset).filter(resources.contains)
            )
        }
    }

    @Test("The other modes call once")
    func single() async throws {
        let asset = try #require(try live().first)
        for mode: PHImageRequestOptionsDeliveryMode in [.highQualityFormat, .fastFormat] {
            let calls = try await request(asset, CGSize(width: 90, height: 90), mode)
            #expect(calls.count == 1 && calls[0].photo != nil)
            let photo = try #require(calls[0].photo)
            #expect(PHAssetResource.assetResources(for: photo).count == 2)
        }
    }

    @Test func whatIsNoLivePhotoSaysWhy() async throws {
        for asset in try library.assets().prefix(20)
        where !asset.mediaSubtypes.contains(.photoLive) {
            let calls = try await request(asset, CGSize(width: 90, height: 90), .opportunistic)
            #expect(calls.count == 1 && calls[0].photo == nil)
            #expect(calls[0].error?.code == .requestNotSupportedForAsset)
        }
        let nothing = try await request(PHAsset(), .zero, .opportunistic)
        #expect(nothing.count == 1 && nothing[0].error != nil)
    }

    @Test("A cancelled request ends once")
    func cancelled() async throws {
        let asset = try #require(try live().first)
        for _ in 0..<20 {
            let calls = Calls()
            let id = manager.requestLivePhoto(
                for: asset,
                targetSize: PHImageManagerMaximumSize,
                contentMode: .aspectFit,
                options: nil
            ) { calls.add($0, $1) }
            manager.cancelImageRequest(id)
            manager.cancelImageRequest(id)
            let list = try await calls.wait()
            #expect(list.filter { !$0.isDegraded }.count == 1)
            #expect(list.last?.isCancelled == true || list.last?.photo != nil)
        }
    }

    @Test func optionsHaveTheirDefaultsAndCopies() throws {
        let options = PHLivePhotoRequestOptions()
        #expect(options.version == .current && options.deliveryMode == .opportunistic)
        #expect(!options.isNetworkAccessAllowed && options.progressHandler == nil)
        options.version = .original
        options.deliveryMode = .fastFormat
        let copy = try #require(options.copy() as? PHLivePhotoRequestOptions)
        #expect(copy.version == .original && copy.deliveryMode == .fastFormat)
    }

    // MARK: - Of files

    private func ask(
        _ files: [URL],
        placeholder: UIImage? = nil,
        size: CGSize = .zero
    ) async throws -> [Call] {
        let calls = Calls()
        let id = PHLivePhoto.request(
            withResourceFileURLs: files,
            placeholderImage: placeholder,
            targetSize: size,
            contentMode: .aspectFit
        ) { calls.add($0, $1) }
        #expect(id != PHLivePhotoRequestIDInvalid)
        if placeholder != nil { #expect(calls.list.first?.isDegraded == true) }
        return try await calls.wait()
    }

    @Test("Two files of one Live Photo are one, in any order (206)")
    func pairs() async throws {
        let asset = try #require(try live().first)
        let files = try files(asset)
        let whole = CGSize(width: asset.pixelWidth, height: asset.pixelHeight)
        for list in [files, files.reversed()] {
            let calls = try await ask(list)
            #expect(calls.dropLast().allSatisfy { $0.isDegraded && $0.photo != nil })
            let photo = try #require(calls.last?.photo, "\(String(describing: calls.last?.error))")
            #expect(photo.size == whole)
        }
        let placeholder = try #require(UIImage(contentsOfFile: files[0].path))
        let small = try await ask(
            files,
            placeholder: placeholder,
            size: CGSize(width: 60, height: 60)
        )
        #expect(small.count == 2 && small[0].photo?.size == whole)
        let size = try #require(small.last?.photo?.size)
        #expect(max(size.width, size.height) == 60)
    }

    @Test("Its resources are the files, and can be read")
    func resources() async throws {
        let asset = try #require(try live().first)
        let files = try files(asset)
        let photo = try #require(try await ask(files).last?.photo)
        let resources = PHAssetResource.assetResources(for: photo)
        #expect(resources.map(\.type) == [.photo, .pairedVideo])
        let folder = try Folder()
        for (resource, file) in zip(resources, files) {
            #expect(resource.originalFilename == file.lastPathComponent)
            #expect(resource.assetLocalIdentifier.isEmpty && resource.contentType.isDeclared)
            let copy = folder.file(file.lastPathComponent)
            try await PHAssetResourceManager.default()
                .writeData(for: resource, toFile: copy, options: nil)
            #expect(try Data(contentsOf: copy) == Data(contentsOf: file))
        }
        #expect(PHAssetResource.assetResources(for: PHLivePhoto()).isEmpty)
    }

    @Test("Files that do not belong together are refused with a reason")
    func strangers() async throws {
        let assets = try library.assets()
        let pair = try files(try #require(try live().first))
        func file(_ isWanted: (PHAsset) -> Bool) throws -> URL {
            let found = assets.first { isWanted($0) }
            let asset = try #require(found)
            let resource = try #require(PHAssetResource.assetResources(for: asset).first)
            return try #require(resource.value(forKey: "fileURL") as? URL)
        }
        let still = try file { $0.mediaType == .image && !$0.mediaSubtypes.contains(.photoLive) }
        let movie = try file { $0.mediaType == .video }
        var lists = [
            [pair[0], movie], [pair[0]], [], [pair[0], still], [still, pair[1]],
            [pair[0], URL(fileURLWithPath: "/nowhere.mov")], pair + [still],
        ]
        if CameraFiles.arePresent {
            // Both declare an identifier, but not the same.
            lists.append(
                ["jpg", "mov"].map { CameraFiles.file("live-photo/IMG_D002.\($0.uppercased())") }
            )
        }
        for list in lists {
            let calls = try await ask(list)
            #expect(calls.count == 1 && calls[0].photo == nil && !calls[0].isCancelled)
            let error = try #require(calls[0].error)
            #expect(!error.localizedDescription.isEmpty)
        }
    }

    @Test(
        .needsCameraFiles,
        arguments: [
            ("IMG_3582.HEIC", "IMG_3582.mov"), ("IMG_7943.HEIC", "IMG_7943_HEVC.MOV"),
            ("IMG_D001.JPG", "IMG_D001.MOV"),
        ]
    )
    func realPairs(_ names: (String, String)) async throws {
        let files = [names.0, names.1].map { CameraFiles.file("live-photo/" + $0) }
        try #require(files.allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
        let calls = try await ask(files, size: CGSize(width: 300, height: 300))
        let photo = try #require(calls.last?.photo, "\(String(describing: calls.last?.error))")
        #expect((1...300).contains(max(photo.size.width, photo.size.height)))
    }

    @Test("A cancelled request of files says so, once (207)")
    func cancelledFiles() async throws {
        let files = try files(try #require(try live().first))
        for _ in 0..<20 {
            let calls = Calls()
            let id = PHLivePhoto.request(
                withResourceFileURLs: files,
                placeholderImage: nil,
                targetSize: .zero,
                contentMode: .aspectFit
            ) { calls.add($0, $1) }
            PHLivePhoto.cancelRequest(withRequestID: id)
            PHLivePhoto.cancelRequest(withRequestID: id)
            let list = try await calls.wait()
            #expect(list.filter { !$0.isDegraded }.count == 1)
            #expect(list.last?.isCancelled == true || list.last?.photo != nil)
        }
        PHLivePhoto.cancelRequest(withRequestID: PHLivePhotoRequestIDInvalid)
    }

    @Test("Archives hold sizes and paths")
    func coding() async throws {
        let asset = try #require(try live().first)
        let photo = try #require(
            try await request(asset, CGSize(width: 90, height: 90), .highQualityFormat)
                .last?.photo
        )
        #expect(PHLivePhoto.supportsSecureCoding && photo.copy() as? PHLivePhoto === photo)
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: photo,
            requiringSecureCoding: true
        )
        let again = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: PHLivePhoto.self, from: archive)
        )
        #expect(again.size == photo.size)
        #expect(PHAssetResource.assetResources(for: again).map(\.type) == [.photo, .pairedVideo])
    }
}
