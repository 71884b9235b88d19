import Foundation
import Photos
import PhotosManagement
import Testing

@Suite(.timeLimit(.minutes(5))) struct PersistentChangeTests {
    private let library: ChangingLibrary

    init() throws {
        library = try ChangingLibrary()
    }

    private func archived(_ token: PHPersistentChangeToken) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    }

    private func unarchived(_ data: Data) throws -> PHPersistentChangeToken {
        try #require(
            try NSKeyedUnarchiver.unarchivedObject(
                ofClass: PHPersistentChangeToken.self,
                from: data
            )
        )
    }

    @Test("101: tokens can be copied, compared and archived")
    func tokens() throws {
        let token = library.photos.currentChangeToken
        #expect(token == library.photos.currentChangeToken)
        #expect(token.copy() as? PHPersistentChangeToken == token)
        let copy = try unarchived(archived(token))
        #expect(copy == token)
        #expect(copy.hash == token.hash)
        #expect(PHPersistentChangeToken.supportsSecureCoding)
        _ = try library.addAlbum("A")
        #expect(library.photos.currentChangeToken != token)
        #expect(try Array(library.photos.fetchPersistentChanges(since: copy)).count == 1)
    }

    @Test("101, 108: a token crosses processes, and history covers what others did meanwhile")
    func acrossProcesses() throws {
        let data = try archived(library.photos.currentChangeToken)
        let asset = library.assets()[0]
        try library.change { PHAssetChangeRequest(for: asset).isFavorite = true }
        let reader = try library.client("since", data.base64EncodedString())
        #expect(reader.finish().lines == ["change 0 1 0"])
        let other = try library.client("token")
        let text = try #require(other.line())
        #expect(other.finish().status == 0)
        let token = try unarchived(try #require(Data(base64Encoded: text)))
        #expect(token == library.photos.currentChangeToken)
        #expect(try Array(library.photos.fetchPersistentChanges(since: token)).isEmpty)
    }

    @Test("104, 105, 106: changes come oldest first, each with its token and its objects")
    func details() throws {
        let photos = library.photos
        let start = photos.currentChangeToken
        let assets = library.assets()
        let (first, second) = (assets[0], assets[1])
        let album = try library.addAlbum("A", [first])
        try library.change {
            PHAssetChangeRequest(for: first).isFavorite = true
            PHAssetChangeRequest.deleteAssets([second] as NSArray)
        }
        try library.change {
            PHAssetCollectionChangeRequest(for: album)?.addAssets([assets[2]] as NSArray)
        }
        try library.change {
            _ = PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: "F")
        }
        let changes = Array(try photos.fetchPersistentChanges(since: start))
        #expect(changes.count == 4)
        let made = try changes[0].changeDetails(for: .assetCollection)
        #expect(made.objectType == .assetCollection)
        #expect(made.insertedLocalIdentifiers == [album.localIdentifier])
        #expect(made.updatedLocalIdentifiers.isEmpty)
        let edited = try changes[1].changeDetails(for: .asset)
        #expect(edited.updatedLocalIdentifiers == [first.localIdentifier])
        #expect(edited.deletedLocalIdentifiers == [second.localIdentifier])
        #expect(edited.insertedLocalIdentifiers.isEmpty)
        let added = try changes[2].changeDetails(for: .assetCollection)
        #expect(added.updatedLocalIdentifiers == [album.localIdentifier])
        #expect(try changes[2].changeDetails(for: .asset).updatedLocalIdentifiers.isEmpty)
        let folder = try changes[3].changeDetails(for: .collectionList)
        #expect(folder.insertedLocalIdentifiers.count == 1)
        #expect(changes[3].changeToken == photos.currentChangeToken)
        // Continues from the middle.
        let rest = Array(try photos.fetchPersistentChanges(since: changes[1].changeToken))
        #expect(rest.map(\.changeToken) == changes[2...].map(\.changeToken))
    }

    @Test("20: without hidden photos, hiding is a deletion, and unhiding an insertion")
    func hiding() throws {
        let view = try library.bundle.withoutHidden()
        let photos = view.using { PHPhotoLibrary.shared() }
        let assets = library.assets()
        let (first, second) = (assets[0], assets[1])
        try library.change { PHAssetChangeRequest(for: second).isHidden = true }
        let start = photos.currentChangeToken
        for flag in [true, false] {
            try library.change { PHAssetChangeRequest(for: second).isFavorite = flag }
            try library.change { PHAssetChangeRequest(for: first).isFavorite = flag }
            try library.change { PHAssetChangeRequest(for: first).isHidden = flag }
        }
        try library.change { PHAssetChangeRequest.deleteAssets([second] as NSArray) }
        try library.bundle.restore([second])
        try library.change { PHAssetChangeRequest(for: second).isHidden = false }
        try library.change { PHAssetChangeRequest.deleteAssets([second] as NSArray) }
        func names(_ identifiers: Set<String>) -> String {
            identifiers.map { $0 == first.localIdentifier ? "first" : "second" }.sorted()
                .joined(separator: " ")
        }
        var told: [String] = []
        for change in try photos.fetchPersistentChanges(since: start) {
            let details = try change.changeDetails(for: .asset)
            let inserted = names(details.insertedLocalIdentifiers)
            let updated = names(details.updatedLocalIdentifiers)
            let deleted = names(details.deletedLocalIdentifiers)
            told.append("+\(inserted) ~\(updated) -\(deleted)")
        }
        let expected = [
            "+ ~ -", "+ ~first -", "+ ~ -first", "+ ~ -", "+ ~ -", "+first ~ -", "+ ~ -", "+ ~ -",
            "+second ~ -", "+ ~ -second",
        ]
        #expect(told == expected)
    }

    @Test("Long histories come in portions, and iterating again begins again")
    func portions() throws {
        let photos = library.photos
        let start = photos.currentChangeToken
        let name = library.assets()[0].localIdentifier
        for _ in 0..<150 {
            let asset = try #require(library.assets().firstObject)
            try library.change { PHAssetChangeRequest(for: asset).isFavorite = !asset.isFavorite }
        }
        let changes = try photos.fetchPersistentChanges(since: start)
        _ = try library.addAlbum("Later")
        for _ in 0..<2 {
            let all = Array(changes)
            #expect(all.count == 150, "up to the fetch, not beyond")
            #expect(Set(all.map(\.changeToken)).count == 150)
            for change in all {
                #expect(try change.changeDetails(for: .asset).updatedLocalIdentifiers == [name])
            }
        }
    }

    @Test("102: tokens of other libraries and of the future have expired, and errors say why")
    func expired() throws {
        let other = try ChangingLibrary(assets: 1)
        _ = try other.addAlbum("A")
        for token in [other.photos.currentChangeToken, PHPersistentChangeToken()] {
            do {
                _ = try library.photos.fetchPersistentChanges(since: token)
                Issue.record("the token has not expired")
            } catch PHPhotosError.persistentChangeTokenExpired {
                #expect(error(of: token)?.errorCode == 3105)
            }
        }
        let failure = try #require(error(of: other.photos.currentChangeToken))
        #expect(failure.failureReason?.contains("another library") == true)
        #expect(failure.recoverySuggestion?.isEmpty == false)
    }

    @Test("A token of a past that was put back has expired once the library grew beyond it, too")
    func putBack() throws {
        let database = library.url.appendingPathComponent("database/library.sqlite").path
        let backup = library.url.appendingPathExtension("backup").path
        let before = library.photos.currentChangeToken
        _ = try library.addAlbum("A")
        _ = try Tool.run("sqlite3", [database, ".timeout 20000", ".backup '\(backup)'"])
        _ = try library.addAlbum("B")
        let lost = try unarchived(archived(library.photos.currentChangeToken))
        _ = try Tool.run("sqlite3", [database, ".timeout 20000", ".restore '\(backup)'"])
        #expect(error(of: lost)?.errorCode == 3105)
        for title in ["C", "D"] {
            _ = try library.addAlbum(title)
            let failure = try #require(error(of: lost), "after \(title)")
            #expect(failure.errorCode == 3105)
            #expect(failure.failureReason?.contains("restored to an older state") == true)
            #expect(failure.recoverySuggestion?.isEmpty == false)
        }
        // Earlier history is unchanged.
        #expect(try Array(library.photos.fetchPersistentChanges(since: before)).count == 3)
    }

    private func error(of token: PHPersistentChangeToken) -> PHPhotosError? {
        do {
            _ = try library.photos.fetchPersistentChanges(since: token)
            return nil
        } catch {
            return error as? PHPhotosError
        }
    }

    @Test("Damaged archives give nil, not a trap")
    func damagedArchives() throws {
        let wrong = try NSKeyedArchiver.archivedData(
            withRootObject: "text" as NSString,
            requiringSecureCoding: true
        )
        #expect(
            (try? NSKeyedUnarchiver.unarchivedObject(
                ofClass: PHPersistentChangeToken.self,
                from: wrong
            )) == nil
        )
    }
}
