import Photos
import PhotosJSON
import PhotosManagement
import Testing

/// The names of cases and options, which are those of Swift.
@Suite(.timeLimit(.minutes(1))) struct AssetNameTests {
    @Test func casesHaveTheirNames() {
        for type in [PHAssetMediaType.unknown, .image, .video, .audio] {
            #expect(type.name == "\(type)")
        }
        for style in [
            PHAsset.PlaybackStyle.unsupported, .image, .imageAnimated, .livePhoto, .video,
            .videoLooping,
        ] {
            #expect(style.name == "\(style)")
        }
        for state in [PHAsset.AdjustmentsState.none, .userAdjusted, .cameraAutoAdjusted] {
            #expect(state.name == "\(state)")
        }
        for rating in [PHAsset.Rating.unset, .one, .two, .three, .four, .five] {
            #expect(rating.name == "\(rating)")
        }
        for type in [
            PHAssetResourceType.photo, .video, .audio, .alternatePhoto, .fullSizePhoto,
            .fullSizeVideo, .adjustmentData, .adjustmentBasePhoto, .pairedVideo,
            .fullSizePairedVideo, .adjustmentBasePairedVideo, .adjustmentBaseVideo, .photoProxy,
        ] {
            #expect(type.name == "\(type)")
        }
    }

    @Test func optionsAreListedInTheirOrder() {
        let subtypes: PHAssetMediaSubtype = [.videoCinematic, .photoLive, .photoPanorama]
        #expect(subtypes.names == ["photoPanorama", "photoLive", "videoCinematic"])
        #expect(PHAssetMediaSubtype().names == [])
        #expect(PHAssetMediaSubtype(rawValue: .max).names.count == 12)
        #expect(
            PHAssetBurstSelectionType([.autoPick, .userPick]).names == ["autoPick", "userPick"]
        )
        #expect(PHAssetBurstSelectionType().names == [])
        #expect(
            PHAssetSourceType(rawValue: 7).names
                == ["typeUserLibrary", "typeCloudShared", "typeiTunesSynced"]
        )
    }
}
