import Foundation
import Photos
import PhotosManagement
import Testing

@Suite(.timeLimit(.minutes(2))) struct AssetChangeTests {
    @Test func everyPropertyIsSet() throws {
        let world = try ChangeWorld(photos: 1)
        let asset = try #require(world.assets.first)
        let date = Date(timeIntervalSinceReferenceDate: 650_000_000)
        try world.change {
            let request = PHAssetChangeRequest(for: asset)
            request.creationDate = date
            request.location = CLLocation(latitude: 47.5, longitude: 8.5)
            request.isFavorite = true
            request.isHidden = true
            request.rating = .four
            request.caption = "At the lake"
            request.title = "Lake"
            request.addKeyword("water")
            request.addKeyword("summer")
        }
        let now = try world.now(asset)
        #expect(now.creationDate == date)
        #expect(now.location?.coordinate.latitude == 47.5)
        #expect(now.location?.verticalAccuracy == -1)
        #expect(now.isFavorite)
        #expect(now.isHidden)
        #expect(now.rating == .four)
        #expect(now.extendedMetadata.caption == "At the lake")
        #expect(now.value(forKey: "title") as? String == "Lake")
        #expect(Set(now.extendedMetadata.keywords) == ["water", "summer"])
        // Behavior 20: a retained object does not change; behavior 23: and is equal.
        #expect(!asset.isFavorite)
        #expect(now == asset)
    }

    /// As in Core Location, only a positive accuracy makes an altitude valid.
    @Test(arguments: [(-1, nil), (0, nil), (0.5, 520), (30, 520)] as [(Double, Double?)])
    func altitudesAreStoredIfValid(_ accuracy: Double, _ stored: Double?) throws {
        let world = try ChangeWorld(photos: 1)
        let asset = try #require(world.assets.first)
        try world.change {
            PHAssetChangeRequest(for: asset).location = CLLocation(
                coordinate: CLLocationCoordinate2D(latitude: 47.5, longitude: 8.5),
                altitude: 520,
                horizontalAccuracy: 5,
                verticalAccuracy: accuracy,
                timestamp: Date()
            )
        }
        let location = try #require(try world.now(asset).location)
        #expect((location.verticalAccuracy > 0 ? location.altitude : nil) == stored)
    }

    /// Behavior 125.
    @Test func requestsStartWithPresentValuesAndChangeOnlyWhatIsSet() throws {
        let world = try ChangeWorld(photos: 1)
        let asset = try #require(world.assets.first)
        try world.change {
            let request = PHAssetChangeRequest(for: asset)
            request.isFavorite = true
            request.caption = "Old"
        }
        let stale = asset
        try world.change {
            // The request is made from an old state: only the rating may be sent to the library.
            let request = PHAssetChangeRequest(for: stale)
            #expect(!request.isFavorite)
            #expect(request.creationDate == stale.creationDate)
            request.rating = .one
            #expect(request.rating == .one)
        }
        let now = try world.now(asset)
        #expect(now.isFavorite)
        #expect(now.extendedMetadata.caption == "Old")
        #expect(now.rating == .one)
    }

    /// Behavior 146.
    @Test(arguments: [nil, ""]) func captionsAreCleared(_ caption: String?) throws {
        let world = try ChangeWorld(photos: 1)
        let asset = try #require(world.assets.first)
        try world.change { PHAssetChangeRequest(for: asset).caption = "Something" }
        try world.change { PHAssetChangeRequest(for: asset).caption = caption }
        #expect(try world.now(asset).extendedMetadata.caption == nil)
    }

    /// Behavior 146.
    @Test func keywordsThatAreThereOrAbsentAreLeftAlone() throws {
        let world = try ChangeWorld(photos: 1)
        let asset = try #require(world.assets.first)
        try world.change { PHAssetChangeRequest(for: asset).addKeyword("sea") }
        try world.change {
            let request = PHAssetChangeRequest(for: asset)
            request.addKeyword("sea")
            request.removeKeyword("land")
        }
        #expect(try world.now(asset).extendedMetadata.keywords == ["sea"])
        try world.change { PHAssetChangeRequest(for: asset).removeKeyword("sea") }
        #expect(try world.now(asset).extendedMetadata.keywords.isEmpty)
    }

    /// Behavior 117.
    @Test func changesAreSeenOnlyAfterTheBlock() throws {
        let world = try ChangeWorld(photos: 1)
        let asset = try #require(world.assets.first)
        try world.change {
            PHAssetChangeRequest(for: asset).isFavorite = true
            let inside = PHAsset.fetchAssets(
                withLocalIdentifiers: [asset.localIdentifier],
                options: nil
            )
            #expect(inside.firstObject?.isFavorite == false)
        }
        #expect(try world.now(asset).isFavorite)
    }

    @Test func blocksThatSetNothingMakeNoVersion() throws {
        let world = try ChangeWorld(photos: 1)
        let asset = try #require(world.assets.first)
        let version = try world.bundle.version
        try world.change {}
        try world.change { _ = PHAssetChangeRequest(for: asset) }
        try world.change { PHAssetChangeRequest(for: asset).isFavorite = false }
        #expect(try world.bundle.version == version)
        #expect(try world.now(asset).modificationDate == asset.modificationDate)
    }

    /// Behavior 126.
    @Test func onlyCreatingRequestsHavePlaceholders() throws {
        let world = try ChangeWorld(photos: 1)
        let asset = try #require(world.assets.first)
        try world.change {
            #expect(PHAssetChangeRequest(for: asset).placeholderForCreatedAsset == nil)
        }
    }

    /// Behavior 147.
    @Test func onlyLivePhotosCanBeStopped() throws {
        let world = try ChangeWorld(photos: 1)
        let asset = try #require(world.assets.first)
        let failure = world.failure {
            PHAssetChangeRequest(for: asset).setLivePhotoVideoPlaybackEnabled(false)
        }
        #expect(failure?.code == .changeNotSupported)
        #expect(failure?.failureReason?.isEmpty == false)
    }

    @Test func assetsOfNoLibraryAreNamed() throws {
        let world = try ChangeWorld(photos: 1)
        let failure = world.failure { PHAssetChangeRequest(for: PHAsset()).isFavorite = true }
        #expect(failure?.localizedDescription.contains("PHAssetChangeRequest.init(for:)") == true)
    }

    /// Behavior 114.
    @Test func aFailingRequestTakesEverythingBack() throws {
        let world = try ChangeWorld(photos: 2)
        let file = try world.photo()
        let version = try world.bundle.version
        let album = try world.album("Gone")
        try world.change { PHAssetCollectionChangeRequest.deleteAssetCollections([album]) }
        let before = try world.bundle.version
        #expect(before > version)
        let failure = world.failure {
            PHAssetChangeRequest(for: world.assets[0]).isFavorite = true
            _ = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: file)
            PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "New")
                .addAssets(world.assets)
            PHAssetCollectionChangeRequest(for: album)?.addAssets([world.assets[1]])
        }
        #expect(failure?.code == .identifierNotFound)
        // The error names the request.
        #expect(failure?.localizedDescription.contains("addAssets(_:)") == true)
        #expect(failure?.recoverySuggestion != nil)
        #expect(try world.bundle.version == before)
        #expect(world.assets.count == 2)
        #expect(!world.assets[0].isFavorite)
        #expect(world.albums.isEmpty)
        #expect(world.storedFiles.isEmpty)
    }

    @Test func elementsOfOtherKindsAreNamed() throws {
        let world = try ChangeWorld(photos: 1)
        let asset = try #require(world.assets.first)
        let album = try world.album()
        for (elements, word) in [
            (["text"] as NSArray, "String"), ([asset, album] as NSArray, "album"),
            ([PHAsset()] as NSArray, "no library"),
        ] {
            let failure = world.failure { PHAssetChangeRequest.deleteAssets(elements) }
            let text = try #require(failure?.localizedDescription)
            #expect(text.contains("PHAssetChangeRequest.deleteAssets(_:)"), "\(text)")
            #expect(text.contains(word), "\(text)")
            #expect(world.assets.count == 1)
        }
    }
}
