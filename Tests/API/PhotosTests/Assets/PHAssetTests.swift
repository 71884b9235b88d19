import Foundation
import Photos
import PhotosManagement
import Testing

@Suite(.timeLimit(.minutes(2))) struct PHAssetTests {
    @Test func bareAssetHasNoValues() {
        let asset = PHAsset()
        #expect(asset.localIdentifier.isEmpty)
        #expect(asset.mediaType == .unknown)
        #expect(asset.mediaSubtypes == [])
        #expect(asset.playbackStyle == .unsupported)
        #expect(asset.playbackVariation == .none)
        #expect(asset.contentType == .data)
        #expect(asset.pixelWidth == 0 && asset.pixelHeight == 0 && asset.duration == 0)
        #expect(asset.creationDate == nil && asset.modificationDate == nil)
        #expect(asset.addedDate == nil && asset.location == nil)
        #expect(!asset.isHidden && !asset.isFavorite && !asset.representsBurst)
        #expect(asset.rating == .unset)
        #expect(asset.sourceType == [] && asset.burstSelectionTypes == [])
        #expect(asset.burstIdentifier == nil)
        #expect(!asset.hasAdjustments && asset.adjustmentsState == .none)
        #expect(asset.adjustmentFormatIdentifier == nil && asset.adjustmentTimestamp == nil)
        #expect(asset.originalResourceChoice == .compressed)
        #expect(asset.extendedMetadata.caption == nil && asset.extendedMetadata.keywords.isEmpty)
        for operation in [PHAssetEditOperation.delete, .content, .properties] {
            #expect(!asset.canPerform(operation))
        }
        #expect(PHAssetResource.assetResources(for: asset).isEmpty)
    }

    @Test func equalityFollowsTheIdentifier() throws {
        #expect(PHAsset() == PHAsset())
        #expect(PHAsset().hash == PHAsset().hash)
        #expect(Double("a") == Double("a"))
        #expect(Double("a").hash == Double("a").hash)
        #expect(Double("a") != Double("b"))
        let asset = try #require(try RowsLibrary.shared.get().fetch().first)
        #expect(Double(asset.localIdentifier) == asset)
        #expect(asset == Double(asset.localIdentifier))
        #expect(!asset.isEqual("text") && !asset.isEqual(nil))
        #expect(asset.copy() as? PHAsset === asset)
    }

    /// A test double as programs write them.
    private final class Double: PHAsset, @unchecked Sendable {
        private let name: String

        init(_ name: String) {
            self.name = name
            super.init()
        }

        override var localIdentifier: String { name }
        override var mediaType: PHAssetMediaType { .video }
        override class func fetchAssets(with options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
            PHFetchResult()
        }
    }

    @Test func doublesReplaceProperties() {
        #expect(Double("a").value(forKey: "mediaType") as? Int == 2)
        #expect(Double.fetchAssets(with: nil).count == 0)
    }

    /// The stored properties of every asset, compared with the row.
    @Test func propertiesAreThoseOfTheRow() throws {
        let library = try RowsLibrary.shared.get()
        for asset in try library.fetch(configure: { $0.includeAllBurstAssets = true }) {
            let i = try #require(Int(asset.localIdentifier.dropFirst(24).prefix(12)))
            #expect(asset.mediaType == (i % 4 == 1 ? .video : .image))
            #expect(asset.playbackStyle == (i % 4 == 1 ? .video : .image))
            #expect(asset.pixelWidth == 100 + i * 37 % 4000)
            #expect(asset.pixelHeight == 100 + i * 53 % 3000)
            #expect(asset.duration == (i % 4 == 1 ? Swift.Double(i * 7 % 900) / 10 : 0))
            #expect(asset.creationDate == (i % 29 == 0 ? nil : RowsLibrary.date(i * 11 % 365)))
            #expect(asset.modificationDate == RowsLibrary.date(i * 13 % 365))
            #expect(asset.isFavorite == (i % 5 == 0))
            #expect(!asset.isHidden)
            #expect(asset.rating.rawValue == i % 6)
            #expect(asset.hasAdjustments == (i % 23 == 0))
            #expect(asset.adjustmentsState == (i % 23 == 0 ? .userAdjusted : .none))
            #expect(
                asset.location?.coordinate.latitude == (i % 3 == 0 ? Swift.Double(i % 90) : nil)
            )
            #expect(
                asset.location.map { $0.verticalAccuracy > 0 } == (i % 3 == 0 ? i % 6 == 0 : nil)
            )
            #expect(asset.burstIdentifier == (i % 10 < 3 ? "burst-\(i / 10 % 7)" : nil))
            #expect(asset.representsBurst == (i % 10 == 0))
            #expect(asset.sourceType == .typeUserLibrary)
            #expect(asset.extendedMetadata.originalFilename?.hasPrefix("IMG_") == true)
            #expect(asset.extendedMetadata.keywords == (i % 9 == 0 ? ["sea", "Été"] : []))
            #expect(asset.contentType == (i % 4 == 1 ? .quickTimeMovie : .jpeg))
        }
    }

    @Test func operationsAreAllowedInTheUsersOwnLibrary() throws {
        let library = try RowsLibrary.shared.get()
        let own = try #require(try library.fetch().first)
        for operation in [PHAssetEditOperation.delete, .content, .properties] {
            #expect(own.canPerform(operation))
        }
        let shared = try #require(
            try library.fetch(configure: { $0.includeAssetSourceTypes = .typeCloudShared }).first
        )
        for operation in [PHAssetEditOperation.delete, .content, .properties] {
            #expect(!shared.canPerform(operation))
        }
    }

    @Test("231: key-value habits work, with numbers of any type")
    func keyValueHabits() throws {
        let asset = try #require(
            try RowsLibrary.shared.get().fetch(NSPredicate(format: "mediaType == 2")).first
        )
        #expect(
            asset.value(forKey: "filename") as? String == asset.extendedMetadata.originalFilename
        )
        #expect(asset.value(forKey: "originalFilename") as? NSString != nil)
        #expect(asset.value(forKey: "mediaType") as? Int == 2)
        #expect(asset.value(forKey: "pixelWidth") as? Int64 == Int64(asset.pixelWidth))
        #expect(asset.value(forKey: "pixelWidth") as? CLong == asset.pixelWidth)
        #expect(
            asset.value(forKey: "pixelHeight") as? NSNumber == NSNumber(value: asset.pixelHeight)
        )
        #expect(asset.value(forKey: "duration") as? Swift.Double == asset.duration)
        #expect(asset.value(forKey: "favorite") as? Bool == asset.isFavorite)
        #expect(asset.value(forKey: "modificationDate") as? Date == asset.modificationDate)
        #expect(asset.value(forKey: "localIdentifier") as? String == asset.localIdentifier)
        #expect(
            asset.value(forKey: "uniformTypeIdentifier") as? String == "com.apple.quicktime-movie"
        )
        #expect(asset.value(forKey: "noSuchKey") == nil)
    }

    @Test func rawValuesAreApples() {
        #expect(PHAssetMediaSubtype.photoLive.rawValue == 8)
        #expect(PHAssetMediaSubtype.spatialMedia.rawValue == 1024)
        #expect(PHAssetMediaSubtype.videoCinematic.rawValue == 1 << 21)
        #expect(PHAsset.PlaybackStyle.videoLooping.rawValue == 5)
        #expect(PHAsset.AdjustmentsState.cameraAutoAdjusted.rawValue == 3)
        #expect(PHAssetSourceType.typeiTunesSynced.rawValue == 4)
        #expect(PHAssetEditOperation.properties.rawValue == 3)
        #expect(PHAssetResourceType.photoProxy.rawValue == 19)
        #expect(PHAssetResourceType(rawValue: 12) == .adjustmentBaseVideo)
        #expect(PHAssetResourceType(rawValue: 4711)?.rawValue == 4711)
    }
}
