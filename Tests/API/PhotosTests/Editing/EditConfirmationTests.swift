import Foundation
import Photos
import PhotosManagement
import Synchronization
import Testing

/// Behavior 118: the confirmation before content is edited.
@Suite(.timeLimit(.minutes(3))) struct EditConfirmationTests {
    private let editing: EditingWorld
    private let asset: PHAsset
    private var world: ChangeWorld { editing.world }

    init() throws {
        editing = try EditingWorld()
        asset = try editing.addPhoto()
    }

    @Test func aNoChangesNothing() throws {
        let asked = Questions()
        world.library.editConfirmation = asked.confirmation(answering: false)
        let token = world.library.currentChangeToken
        let error = try #require(try editing.save(EditingWorld.rendering(), of: asset))
        #expect(error.code == .userCancelled && error.errorCode == 3072)
        #expect(error.failureReason != nil && error.recoverySuggestion != nil)
        #expect(world.library.currentChangeToken == token)
        #expect(editing.editFiles == [])
        let question = try #require(asked.all.first)
        #expect(asked.all.count == 1 && !question.isRevert)
        #expect(question.localIdentifiers == [asset.localIdentifier])
        #expect(question.filenames == ["Lake 0.JPG"])
        #expect(question.text.contains("1 item (Lake 0.JPG)"))

        world.library.editConfirmation = .allowed
        #expect(try editing.save(EditingWorld.rendering(), of: asset) == nil)
        world.library.editConfirmation = asked.confirmation(answering: false)
        let refused = world.failure {
            let request = PHAssetChangeRequest(for: asset)
            request.revertAssetContentToOriginal()
            request.isFavorite = true
        }
        #expect(refused?.code == .userCancelled)
        let now = try world.now(asset)
        #expect(now.hasAdjustments && !now.isFavorite)
        #expect(asked.all.map(\.isRevert) == [false, true])
    }

    @Test func aYesEditsAndOtherChangesAskNothing() throws {
        let asked = Questions()
        world.library.editConfirmation = asked.confirmation(answering: true)
        try world.change { PHAssetChangeRequest(for: asset).isFavorite = true }
        let other = try editing.addPhoto(1)
        try world.change { PHAssetChangeRequest.deleteAssets([other]) }
        #expect(asked.all.isEmpty)
        #expect(try editing.save(EditingWorld.rendering(), of: asset) == nil)
        try world.change { PHAssetChangeRequest(for: asset).revertAssetContentToOriginal() }
        #expect(asked.all.map(\.isRevert) == [false, true])
        #expect(try !world.now(asset).hasAdjustments)
    }

    private final class Questions: Sendable {
        private let list = Mutex<[EditConfirmation.Question]>([])
        var all: [EditConfirmation.Question] { list.withLock(\.self) }

        func confirmation(answering answer: Bool) -> EditConfirmation {
            .custom { question in
                self.list.withLock { $0.append(question) }
                return answer
            }
        }
    }
}
