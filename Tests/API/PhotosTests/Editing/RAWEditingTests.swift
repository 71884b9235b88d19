import Foundation
import Photos
import PhotosManagement
import Testing

/// Behaviors 39, 159, 161 and 190, on a RAW and JPEG pair.
@Suite(.timeLimit(.minutes(3))) struct RAWEditingTests {
    private let editing: EditingWorld
    private let asset: PHAsset
    private let jpeg: Data
    private let raw: Data
    private var world: ChangeWorld { editing.world }

    init() throws {
        editing = try EditingWorld()
        let pair = try #require(try ChangeWorld.samples.get().rawPair)
        jpeg = try Data(contentsOf: pair.jpeg)
        raw = try Data(contentsOf: pair.raw)
        asset = try editing.add([(.photo, pair.jpeg), (.alternatePhoto, pair.raw)])
    }

    /// Returns the size of a version's picture from an image request.
    private func pictureSize(_ version: PHImageRequestOptionsVersion) -> CGSize? {
        let options = PHImageRequestOptions()
        options.version = version
        options.isSynchronous = true
        options.deliveryMode = .highQualityFormat
        var size: CGSize?
        PHImageManager.default().requestImage(
            for: asset,
            targetSize: PHImageManagerMaximumSize,
            contentMode: .default,
            options: options
        ) { image, _ in size = image?.size }
        return size
    }

    /// Returns the bytes of the file of a version from resources.
    private func resource(_ version: PHImageRequestOptionsVersion) throws -> Data {
        let now = try world.now(asset)
        let resource = try #require(PHAssetResource.primaryResource(for: now, version: version))
        let file = world.folder.file("resource-\(UUID().uuidString)")
        let done = DispatchSemaphore(value: 0)
        PHAssetResourceManager.default().writeData(for: resource, toFile: file, options: nil) {
            #expect($0 == nil)
            done.signal()
        }
        #expect(done.wait(timeout: .now() + 60) == .success)
        return try Data(contentsOf: file)
    }

    /// Expects the file of each version through every API that returns it.
    private func expectVersions(current: Data, unadjusted: Data, original: Data) throws {
        let rows: [(PHImageRequestOptionsVersion, Data)] = [
            (.current, current), (.unadjusted, unadjusted), (.original, original),
        ]
        for (version, bytes) in rows {
            #expect(editing.data(asset, version) == bytes, "\(version)")
            #expect(try resource(version) == bytes, "\(version)")
            let size = try #require(pictureSize(version), "\(version)")
            if bytes == raw {
                #expect(size.width > 0 && size.height > 0)
            } else {
                #expect(size == UIImage(data: bytes)?.size, "\(version)")
            }
        }
    }

    /// The types of files that a program copies if it looks for the current ones.
    private var currentTypes: [PHAssetResourceType] {
        PHAssetResource.assetResources(for: asset)
            .filter { $0.value(forKey: "isCurrent") as? Bool == true }.map(\.type)
    }

    @Test func currentFilesAreThoseThatAreShown() throws {
        #expect(currentTypes == [.photo])
        try world.change { PHAssetChangeRequest(for: asset).revertAssetContent(to: .raw) }
        #expect(currentTypes == [.alternatePhoto])
        try editing.save(EditingWorld.rendering(), of: asset)
        #expect(currentTypes == [.fullSizePhoto, .adjustmentData])
        try world.change { PHAssetChangeRequest(for: asset).revertAssetContentToOriginal() }
        #expect(currentTypes.count == 1)
    }

    @Test func versionsOfAPairAreItsTwoFilesAndTheEdit() throws {
        let digest = try editing.originalsDigest()
        try expectVersions(current: jpeg, unadjusted: jpeg, original: raw)
        let rendering = try EditingWorld.rendering()
        #expect(try editing.save(rendering, of: asset) == nil)
        let rendered = try Data(contentsOf: rendering)
        // The asset as fetched before also shows the current version.
        try expectVersions(current: rendered, unadjusted: jpeg, original: raw)
        // The originals come first, then the results of edits, the adjustments last (pains 4, 5).
        let resources = PHAssetResource.assetResources(for: asset)
        #expect(
            resources.map(\.type) == [.photo, .alternatePhoto, .fullSizePhoto, .adjustmentData]
        )
        #expect(resources.allSatisfy { $0.isLocallyAvailable })
        try world.change { PHAssetChangeRequest(for: asset).revertAssetContentToOriginal() }
        try expectVersions(current: jpeg, unadjusted: jpeg, original: raw)
        #expect(try editing.originalsDigest() == digest)
        #expect(try editing.findings() == [])
    }

    @Test func editorsBeginWithTheOriginalThatTheyChoose() throws {
        func begun(with choice: PHAsset.OriginalResourceChoice?) throws -> Data {
            let options = PHContentEditingInputRequestOptions()
            if let choice { options.originalResourceChoice = choice }
            let input = try #require(try editing.request(asset, options).input)
            #expect(input.displaySizeImage != nil)
            #expect(
                input.uniformTypeIdentifier?.contains("raw-image")
                    == (try Data(contentsOf: #require(input.fullSizeImageURL)) == raw)
            )
            return try Data(contentsOf: #require(input.fullSizeImageURL))
        }
        #expect(PHContentEditingInputRequestOptions().originalResourceChoice == .compressed)
        #expect(try begun(with: nil) == jpeg)
        #expect(try begun(with: .raw) == raw)
        try world.change { PHAssetChangeRequest(for: asset).revertAssetContent(to: .raw) }
        #expect(try begun(with: nil) == raw)
        #expect(try begun(with: .compressed) == jpeg)
        // A new edit starts from the edited picture.
        let rendering = try EditingWorld.rendering()
        try editing.save(rendering, of: asset)
        #expect(try begun(with: .raw) == Data(contentsOf: rendering))
    }

    @Test func revertChoosesWhichOfTheTwoCounts() throws {
        let token = world.library.currentChangeToken
        try editing.save(EditingWorld.rendering(), of: asset)
        try world.change { PHAssetChangeRequest(for: asset).revertAssetContent(to: .raw) }
        let chosen = try world.now(asset)
        #expect(!chosen.hasAdjustments)
        #expect(chosen.originalResourceChoice == .raw)
        #expect(chosen.localIdentifier == asset.localIdentifier)
        try expectVersions(current: raw, unadjusted: raw, original: raw)
        let size = try #require(pictureSize(.current))
        #expect(chosen.pixelWidth == Int(size.width) && chosen.pixelHeight == Int(size.height))
        #expect(
            try world.library.fetchPersistentChanges(since: token).reduce(0) { count, _ in count + 1
            } == 2
        )

        try world.change { PHAssetChangeRequest(for: asset).revertAssetContent(to: .compressed) }
        #expect(try world.now(asset).originalResourceChoice == .compressed)
        #expect(try world.now(asset).pixelWidth == asset.pixelWidth)
        try expectVersions(current: jpeg, unadjusted: jpeg, original: raw)
        try world.bundle.undo()
        try expectVersions(current: raw, unadjusted: raw, original: raw)
        #expect(try editing.findings() == [])
    }

    @Test func newAssetsMayCountTheirRAW() throws {
        let pair = try #require(try ChangeWorld.samples.get().rawPair)
        var identifier = ""
        try world.change {
            let request = PHAssetCreationRequest.forAsset()
            request.addResource(with: .photo, fileURL: pair.jpeg, options: nil)
            request.addResource(with: .alternatePhoto, fileURL: pair.raw, options: nil)
            request.originalResourceChoice = .raw
            identifier = request.placeholderForCreatedAsset?.localIdentifier ?? ""
        }
        let made = try #require(world.assets.first { $0.localIdentifier == identifier })
        #expect(made.originalResourceChoice == .raw)
        #expect(editing.data(made) == raw)
        #expect(editing.data(made, .unadjusted) == raw)
    }
}
