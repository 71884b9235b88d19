import Foundation
import Photos
import PhotosManagement
import Synchronization
import Testing

/// Behaviors 149–166 and 168, on photos.
@Suite(.timeLimit(.minutes(3))) struct ContentEditingTests {
    private let editing: EditingWorld
    private var world: ChangeWorld { editing.world }

    init() throws { editing = try EditingWorld() }

    // MARK: - Input

    @Test func inputOfAnUneditedPhotoIsItsOriginal() throws {
        let asset = try editing.addPhoto()
        let input = try editing.input(asset)
        #expect(input.mediaType == .image)
        #expect(input.uniformTypeIdentifier == "public.jpeg")
        #expect(input.contentType == .jpeg)
        #expect(input.creationDate == asset.creationDate)
        #expect(input.location?.coordinate.latitude == asset.location?.coordinate.latitude)
        #expect(input.playbackStyle == .image)
        #expect(input.adjustmentData == nil)
        #expect(input.livePhoto == nil)
        #expect(input.audiovisualAsset == nil)
        #expect(input.fullSizeImageOrientation == 1)
        let url = try #require(input.fullSizeImageURL)
        #expect(try Data(contentsOf: url) == editing.data(asset))
        let image = try #require(input.displaySizeImage)
        #expect(Int(image.size.width) == asset.pixelWidth)
        #expect(Int(image.size.height) == asset.pixelHeight)
    }

    @Test func optionsDoWhatTheySay() throws {
        let asset = try editing.addPhoto()
        let options = PHContentEditingInputRequestOptions()
        #expect(!options.canHandleAdjustmentData(EditingWorld.adjustments()))
        #expect(!options.isNetworkAccessAllowed)
        let told = Mutex<[Double]>([])
        options.progressHandler = { part, _ in told.withLock { $0.append(part) } }
        options.skipsDisplaySizeImage = true
        // Behavior 151.
        options.canHandleAdjustmentData = { _ in
            Issue.record("There are no adjustments to be asked about.")
            return true
        }
        let answer = try editing.request(asset, options)
        #expect(answer.input?.displaySizeImage == nil)
        #expect(answer.info[PHContentEditingInputResultIsInCloudKey] as? Bool == false)
        let parts = told.withLock(\.self)
        #expect(parts.first == 0 && parts.last == 1 && parts == parts.sorted())
    }

    /// Behavior 166.
    @Test func stoppedRequestsSaySo() throws {
        let asset = try editing.addPhoto()
        let options = PHContentEditingInputRequestOptions()
        options.progressHandler = { _, stop in stop.pointee = true }
        let answer = try editing.request(asset, options)
        #expect(answer.input == nil)
        #expect(answer.info[PHContentEditingInputCancelledKey] as? Bool == true)
        #expect(answer.error == nil)
        // Has no effect.
        asset.cancelContentEditingInputRequest(0)
        asset.cancelContentEditingInputRequest(4711)
    }

    @Test func requestsOfNothingFail() throws {
        let asset = try editing.addPhoto()
        try world.change { PHAssetChangeRequest.deleteAssets([asset]) }
        try world.bundle.purge([asset])
        let answer = try editing.request(asset)
        #expect(answer.input == nil)
        #expect(answer.error?.code == .identifierNotFound)
        #expect(try editing.request(PHAsset()).error != nil)
    }

    // MARK: - Saving

    /// Behaviors 43, 50, 51, 158, 168 and 190.
    @Test func savedEditIsShownAndTheOriginalStays() async throws {
        let asset = try editing.addPhoto()
        let original = try #require(editing.data(asset))
        let digest = try editing.originalsDigest()
        let rendering = try EditingWorld.rendering()
        #expect(try editing.save(rendering, of: asset) == nil)

        let edited = try world.now(asset)
        #expect(edited.hasAdjustments)
        #expect(edited.adjustmentFormatIdentifier == "test.editor")
        #expect(edited.adjustmentsState == .userAdjusted)
        #expect(edited.adjustmentTimestamp != nil)
        #expect(try #require(edited.modificationDate) > (try #require(asset.modificationDate)))
        #expect(edited.creationDate == asset.creationDate)
        let rendered = try Data(contentsOf: rendering)
        let picture = try #require(UIImage(data: rendered))
        #expect(edited.pixelWidth == Int(picture.size.width))
        #expect(edited.pixelHeight == Int(picture.size.height))

        #expect(editing.data(edited) == rendered)
        #expect(editing.data(edited, .unadjusted) == original)
        #expect(editing.data(edited, .original) == original)
        #expect(try editing.originalsDigest() == digest)
        let image = try await PHImageManager.default().image(for: edited)
        #expect(image.image.size == picture.size)

        let resources = PHAssetResource.assetResources(for: edited)
        #expect(resources.map(\.type) == [.photo, .fullSizePhoto, .adjustmentData])
        // Pains 4.
        #expect(
            resources.map(\.originalFilename) == [
                "Lake 0.JPG", "Lake 0-edited.JPG", "Lake 0.AAE",
            ]
        )
        #expect(try editing.findings() == [])
    }

    @Test func observersHearThatContentChanged() throws {
        let asset = try editing.addPhoto()
        let token = world.library.currentChangeToken
        try editing.save(EditingWorld.rendering(), of: asset)
        let changes = try world.library.fetchPersistentChanges(since: token)
        var updated: Set<String> = []
        for change in changes {
            updated.formUnion(
                try change.changeDetails(for: PHObjectType.asset).updatedLocalIdentifiers
            )
        }
        #expect(updated == [asset.localIdentifier])
        let entry = try #require(try world.bundle.history().last?.changes.first)
        #expect(entry.contentChanged)
    }

    /// Behaviors 150 and 152.
    @Test func canHandleDecidesWhatIsBegunWith() throws {
        let asset = try editing.addPhoto()
        let original = try #require(editing.data(asset))
        let rendering = try EditingWorld.rendering()
        let adjustments = PHAdjustmentData(
            formatIdentifier: "org.exämple.<&\">",
            formatVersion: "2.0 beta",
            data: Data((0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        )
        try editing.save(rendering, of: asset, adjustments)

        let known = try editing.input(asset, handling: adjustments.formatIdentifier)
        #expect(known.adjustmentData?.formatIdentifier == adjustments.formatIdentifier)
        #expect(known.adjustmentData?.formatVersion == adjustments.formatVersion)
        #expect(known.adjustmentData?.data == adjustments.data)
        #expect(try Data(contentsOf: #require(known.fullSizeImageURL)) == original)
        #expect((known.displaySizeImage?.size.width).map { Int($0) } == asset.pixelWidth)

        for other in [nil, "another.editor"] {
            let input = try editing.input(asset, handling: other)
            #expect(input.adjustmentData == nil)
            #expect(
                try Data(contentsOf: #require(input.fullSizeImageURL))
                    == Data(contentsOf: rendering)
            )
        }
    }

    /// An edit on top of another editor's keeps its base, so that it can be continued.
    @Test func editOfAnEditKeepsItsBase() throws {
        let asset = try editing.addPhoto()
        let original = try #require(editing.data(asset))
        let first = try EditingWorld.rendering(7)
        try editing.save(first, of: asset)
        let second = try EditingWorld.rendering(8)
        let adjustments = EditingWorld.adjustments("more", of: "other.editor")
        try editing.save(second, of: asset, adjustments)

        #expect(editing.data(asset) == (try Data(contentsOf: second)))
        #expect(editing.data(asset, .unadjusted) == original)
        let types = PHAssetResource.assetResources(for: asset).map(\.type)
        #expect(types == [.photo, .fullSizePhoto, .adjustmentBasePhoto, .adjustmentData])
        let input = try editing.input(asset, handling: "other.editor")
        #expect(try Data(contentsOf: #require(input.fullSizeImageURL)) == Data(contentsOf: first))

        // Continuing it keeps that base; starting from the original drops it.
        let third = try EditingWorld.rendering(9)
        try editing.save(third, of: asset, adjustments, basedOn: input)
        let again = try editing.input(asset, handling: "other.editor")
        #expect(try Data(contentsOf: #require(again.fullSizeImageURL)) == Data(contentsOf: first))
        #expect(try editing.findings() == [])

        for _ in 0..<2 { try world.bundle.undo() }
        #expect(editing.data(asset) == (try Data(contentsOf: first)))
        #expect(
            PHAssetResource.assetResources(for: asset).map(\.type)
                == [.photo, .fullSizePhoto, .adjustmentData]
        )
        #expect(try editing.findings() == [])
    }

    @Test func lastCommitWinsAndTheEarlierComesBack() throws {
        let asset = try editing.addPhoto()
        // Both start from the original.
        let inputs = [try editing.input(asset), try editing.input(asset)]
        let renderings = [try EditingWorld.rendering(7), try EditingWorld.rendering(8)]
        for (input, rendering) in zip(inputs, renderings) {
            try editing.save(rendering, of: asset, basedOn: input)
        }
        #expect(editing.data(asset) == (try Data(contentsOf: renderings[1])))
        let types = PHAssetResource.assetResources(for: asset).map(\.type)
        #expect(types == [.photo, .fullSizePhoto, .adjustmentData])
        #expect(editing.editFiles.count == 4)
        #expect(try editing.findings() == [])

        try world.bundle.undo()
        #expect(editing.data(asset) == (try Data(contentsOf: renderings[0])))
        #expect(try editing.findings() == [])
    }

    // MARK: - Reverting

    /// Behaviors 36, 37 and 159.
    @Test func revertGoesBackAndUndoBringsTheEditBack() throws {
        let asset = try editing.addPhoto()
        let original = try #require(editing.data(asset))
        let rendering = try EditingWorld.rendering()
        try editing.save(rendering, of: asset)
        let edited = try world.now(asset)
        try world.change { PHAssetChangeRequest(for: asset).revertAssetContentToOriginal() }

        let reverted = try world.now(asset)
        #expect(!reverted.hasAdjustments)
        #expect(reverted.adjustmentFormatIdentifier == nil)
        #expect(
            try #require(reverted.adjustmentTimestamp) > (try #require(edited.adjustmentTimestamp))
        )
        #expect(reverted.pixelWidth == asset.pixelWidth)
        #expect(reverted.pixelHeight == asset.pixelHeight)
        #expect(editing.data(reverted) == original)
        #expect(PHAssetResource.assetResources(for: reverted).map(\.type) == [.photo])
        #expect(try editing.input(asset, handling: "test.editor").adjustmentData == nil)
        #expect(try editing.findings() == [])

        try world.bundle.undo()
        let again = try world.now(asset)
        #expect(again.hasAdjustments)
        #expect(again.adjustmentTimestamp == edited.adjustmentTimestamp)
        #expect(again.pixelWidth == edited.pixelWidth)
        #expect(editing.data(again) == (try Data(contentsOf: rendering)))
        #expect(try editing.findings() == [])

        // The edit itself can also be undone.
        try world.bundle.undo()
        #expect(editing.data(asset) == original)
        #expect(try !world.now(asset).hasAdjustments)
        #expect(try editing.findings() == [])
    }

    @Test func revertOfAnUneditedPhotoChangesNothing() throws {
        let asset = try editing.addPhoto()
        let token = world.library.currentChangeToken
        try world.change { PHAssetChangeRequest(for: asset).revertAssetContentToOriginal() }
        #expect(world.library.currentChangeToken == token)
        // Behavior 161.
        let error = world.failure { PHAssetChangeRequest(for: asset).revertAssetContent(to: .raw) }
        #expect(error?.code == .changeNotSupported)
    }

    @Test func purgeTakesTheEarlierEditsAlong() throws {
        let asset = try editing.addPhoto()
        for number in 7...8 { try editing.save(EditingWorld.rendering(number), of: asset) }
        #expect(editing.editFiles.count > 2)
        try world.change { PHAssetChangeRequest.deleteAssets([asset]) }
        try world.bundle.purge([asset])
        #expect(editing.editFiles == [])
        #expect(try editing.findings() == [])
    }

    // MARK: - New assets

    /// Behavior 164.
    @Test func blockMakesAndEditsAnAsset() throws {
        let file = try world.photo(named: "New.jpg")
        let rendering = try EditingWorld.rendering()
        try world.change {
            guard
                let request = PHAssetChangeRequest.creationRequestForAssetFromImage(
                    atFileURL: file
                ), let placeholder = request.placeholderForCreatedAsset
            else { return }
            let output = PHContentEditingOutput(placeholderForCreatedAsset: placeholder)
            output.adjustmentData = EditingWorld.adjustments()
            try? FileManager.default.copyItem(at: rendering, to: output.renderedContentURL)
            request.contentEditingOutput = output
        }
        let asset = try #require(world.assets.first)
        #expect(asset.hasAdjustments)
        #expect(asset.adjustmentFormatIdentifier == "test.editor")
        #expect(editing.data(asset) == (try Data(contentsOf: rendering)))
        #expect(editing.data(asset, .unadjusted) == (try Data(contentsOf: file)))
        #expect(try editing.findings() == [])
    }
}
