import Foundation
import LibraryService
import PhotoModel
import Photos
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct ChangeTokenTests {
    private let library = FakeLibrary(assets: 3)
    private let photos: PHPhotoLibrary
    private let uuid: String

    init() throws {
        photos = library.connection.library
        uuid = library.state.withLock(\.past.libraryUUID)
    }

    private func archivedAndBack(_ token: PHPersistentChangeToken) throws -> PHPersistentChangeToken
    {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: token,
            requiringSecureCoding: true
        )
        return try #require(
            try NSKeyedUnarchiver.unarchivedObject(
                ofClass: PHPersistentChangeToken.self,
                from: data
            )
        )
    }

    @Test("Tokens keep their stamp, and those that older versions archived do without")
    func archives() throws {
        let token = photos.currentChangeToken
        #expect(token.stamp != nil)
        #expect(try archivedAndBack(token) == token)
        let old = PHPersistentChangeToken(libraryUUID: uuid, version: token.version, stamp: nil)
        #expect(try archivedAndBack(old) == old)
        #expect(old != token)
        #expect(try Array(photos.fetchPersistentChanges(since: old)).isEmpty)
        library.toggle(2)
        #expect(try Array(photos.fetchPersistentChanges(since: old)).count == 1)
        #expect(try Array(photos.fetchPersistentChanges(since: token)).count == 1)
    }

    @Test("The token of a version that is another now has expired", arguments: [1, 2, 3])
    func anotherPast(_ version: Int64) throws {
        library.toggle(1)
        library.toggle(2)
        let token = PHPersistentChangeToken(
            libraryUUID: uuid,
            version: version,
            stamp: HistoryStamp(Date(timeIntervalSinceReferenceDate: 1e6))
        )
        let error = try #require(throws: PHPhotosError.self) {
            try photos.fetchPersistentChanges(since: token)
        }
        #expect(error.code == .persistentChangeTokenExpired)
        #expect(error.failureReason?.contains("restored") == true)
    }

    @Test("A stamp is text and back", arguments: [0, -1, 0.1, 7e8 + 1e-6, .infinity])
    func stamps(_ time: Double) {
        let stamp = HistoryStamp(Date(timeIntervalSinceReferenceDate: time))
        #expect(HistoryStamp(stamp.description) == stamp)
        #expect(HistoryStamp(stamp.description.lowercased()) == stamp)
        for text in ["", "-1", "+1", "G", " 1", "10000000000000000"] {
            #expect(HistoryStamp(text) == nil, "\(text)")
        }
    }
}
