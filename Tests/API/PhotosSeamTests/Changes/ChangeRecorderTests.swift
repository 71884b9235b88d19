import Foundation
import LibraryService
import PhotoModel
import Photos
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct ChangeRecorderTests {
    /// Behavior 125.
    @Test func onlyWhatIsSetCrosses() throws {
        let library = FakeLibrary(assets: 2)
        let assets = library.use { PHAsset.fetchAssets(with: nil) }
        let (first, second) = (assets[0], assets[1])
        try library.change {
            _ = PHAssetChangeRequest(for: first)
            let request = PHAssetChangeRequest(for: second)
            request.isFavorite = true
            request.caption = ""
        }
        var edit = AssetEdit()
        edit.isFavorite = true
        edit.caption = .clear
        #expect(
            library.operations == [
                ChangeOperation(
                    request: "PHAssetChangeRequest.init(for:)",
                    action: .editAsset(uuid: FakeLibrary.uuid(2), edit)
                )
            ]
        )
    }

    @Test func blocksWithoutRequestsDoNotCommit() throws {
        let library = FakeLibrary(assets: 1)
        try library.change {}
        #expect(library.state.withLock(\.commits).isEmpty)
        library.state.withLock { $0.failure = LibraryError(.busy, "The library is busy.") }
        #expect(throws: PHPhotosError.self) {
            try library.change {
                PHAssetCollectionChangeRequest.deleteAssetCollections([PHAssetCollection]())
            }
        }
    }

    @Test func titlesOfNewAlbumsAreOneOperation() throws {
        let library = FakeLibrary()
        try library.change {
            let request = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(
                withTitle: "First"
            )
            request.title = "Second"
        }
        #expect(library.operations.count == 1)
        guard case .createCollection(let creation) = library.operations.first?.action else {
            Issue.record("\(library.operations)")
            return
        }
        #expect(creation.title == "Second")
        #expect(creation.kind == .album)
        #expect(!creation.reusesTitled)
    }

    /// An album's members are added after they are created, even if the album's request came first.
    @Test func membersComeAfterWhatTheyName() throws {
        let library = FakeLibrary()
        try library.change {
            let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(
                withTitle: "Album"
            )
            let request = PHAssetCreationRequest.forAsset()
            request.addResource(with: .photo, data: Data("bytes".utf8), options: nil)
            album.addAssets([request.placeholderForCreatedAsset].compactMap(\.self))
        }
        #expect(
            library.operations.map(\.request) == [
                "PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle:)",
                "PHAssetCreationRequest.forAsset()",
                "PHAssetCollectionChangeRequest.addAssets(_:)",
            ]
        )
    }

    /// Behaviors 133 and 137.
    @Test func filesAndDataCrossAsDescriptors() throws {
        let library = FakeLibrary()
        let folder = try TemporaryFolder()
        let file = try folder.write(Data("on disk".utf8), to: "IMG_1.JPG")
        let big = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) })
        try library.change {
            let request = PHAssetCreationRequest.forAsset()
            request.addResource(with: .photo, fileURL: file, options: nil)
            let options = PHAssetResourceCreationOptions()
            options.originalFilename = "IMG_1.MOV"
            options.uniformTypeIdentifier = "com.apple.quicktime-movie"
            request.addResource(with: .pairedVideo, data: big, options: options)
        }
        let files = try #require(library.state.withLock(\.committedFiles).first)
        #expect(files.count == 2)
        #expect(files.first == Data("on disk".utf8))
        // `Data` hashes only its beginning, but compares all of it.
        #expect(files.last == big)
        guard case .createAsset(let creation) = library.operations.first?.action else {
            Issue.record("\(library.operations)")
            return
        }
        #expect(Set(creation.resources.map(\.file)).count == 2)
        #expect(library.state.withLock(\.stagedFiles).isEmpty)
        #expect(creation.resources.map(\.originalFilename) == ["IMG_1.JPG", "IMG_1.MOV"])
        #expect(creation.resources.map(\.path) == [file.path, nil])
        #expect(
            creation.resources.map(\.contentType) == [nil, "com.apple.quicktime-movie"]
        )
    }

    @Test func moreFilesThanAProgramMayOpenAtFirst() throws {
        let library = FakeLibrary()
        try library.change {
            for number in 0..<1_500 {
                PHAssetCreationRequest.forAsset()
                    .addResource(with: .photo, data: Data("\(number)".utf8), options: nil)
            }
        }
        let files = try #require(library.state.withLock(\.committedFiles).first)
        #expect(files.last == Data("1499".utf8))
    }
}
