import Foundation
import Photos
import PhotosManagement
import Synchronization
import Testing

/// Behaviors 118 to 120.
@Suite(.timeLimit(.minutes(2))) struct DeletionTests {
    @Test func deletedAssetsGoToRecentlyDeletedAndComeBack() throws {
        let world = try ChangeWorld(photos: 3)
        let album = try world.album(with: world.assets)
        let second = world.assets[1]
        try world.change { PHAssetChangeRequest.deleteAssets([second]) }
        #expect(world.assets.map(\.number) == [1, 3])
        #expect(world.numbers(in: album) == [1, 3])
        #expect(try world.bundle.recentlyDeletedAssets().all == [second])
        try world.bundle.restore([second])
        #expect(world.assets.count == 3)
        // It is in its former place.
        #expect(world.numbers(in: album) == [1, 2, 3])
        #expect(try world.bundle.recentlyDeletedAssets().count == 0)
    }

    @Test func purgingIsForGood() throws {
        let world = try ChangeWorld()
        let file = try world.photo()
        try world.change {
            _ = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: file)
        }
        let asset = try #require(world.assets.first)
        #expect(throws: PHPhotosError.self) { try world.bundle.purge([asset]) }
        try world.change { PHAssetChangeRequest.deleteAssets([asset]) }
        #expect(world.storedFiles.count == 1)
        try world.bundle.purge([asset])
        #expect(try world.bundle.recentlyDeletedAssets().count == 0)
        #expect(world.storedFiles.isEmpty)
    }

    @Test func theLastChangeIsTakenBack() throws {
        let world = try ChangeWorld(photos: 1)
        let asset = world.assets[0]
        try world.change { PHAssetChangeRequest(for: asset).isFavorite = true }
        try world.change { PHAssetChangeRequest.deleteAssets([asset]) }
        #expect(try world.bundle.undo().count == 1)
        #expect(world.assets.map(\.isFavorite) == [true])
        #expect(try world.bundle.undo().count == 1)
        #expect(world.assets.map(\.isFavorite) == [false])
        #expect(throws: PHPhotosError.self) { try world.bundle.undo() }
    }

    @Test func aNoChangesNothing() throws {
        let world = try ChangeWorld(photos: 3)
        let asked = Questions()
        world.library.deletionConfirmation = .custom { question in
            asked.add(question)
            return false
        }
        let assets = world.assets
        let failure = world.failure {
            PHAssetChangeRequest(for: assets[2]).isFavorite = true
            PHAssetChangeRequest.deleteAssets([assets[0], assets[1]])
        }
        #expect(failure?.code == .userCancelled)
        #expect(failure?.errorCode == 3072)
        #expect(world.assets.map(\.isFavorite) == [false, false, false])
        let question = try #require(asked.all.first)
        #expect(asked.all.count == 1)
        #expect(question.filenames == ["IMG_0001.JPG", "IMG_0002.JPG"])
        #expect(question.localIdentifiers == assets.prefix(2).map(\.localIdentifier))
        #expect(!question.isForGood)
        #expect(question.text.contains("2 items (IMG_0001.JPG, IMG_0002.JPG)"))
    }

    @Test func aYesDeletesAndOtherChangesAskNothing() throws {
        let world = try ChangeWorld(photos: 2)
        let asked = Questions()
        let bundle = world.bundle
        world.library.deletionConfirmation = .custom { question in
            asked.add(question)
            // No lock is held: the library can be read and changed in the meantime.
            return (try? bundle.version) != nil
        }
        try world.album("Asks nothing", with: world.assets)
        try world.change { PHAssetChangeRequest(for: world.assets[0]).isFavorite = true }
        #expect(asked.all.isEmpty)
        let asset = world.assets[0]
        try world.change { PHAssetChangeRequest.deleteAssets([asset]) }
        try world.bundle.purge([asset])
        #expect(asked.all.map(\.isForGood) == [false, true])
        #expect(asked.all.map(\.filenames) == [["IMG_0001.JPG"], ["IMG_0001.JPG"]])
        world.library.deletionConfirmation = .allowed
        try world.change { PHAssetChangeRequest.deleteAssets(world.assets) }
        #expect(asked.all.count == 2)
        #expect(world.assets.isEmpty)
    }

    private final class Questions: Sendable {
        private let list = Mutex<[DeletionConfirmation.Question]>([])
        var all: [DeletionConfirmation.Question] { list.withLock(\.self) }
        func add(_ question: DeletionConfirmation.Question) {
            list.withLock { $0.append(question) }
        }
    }
}
