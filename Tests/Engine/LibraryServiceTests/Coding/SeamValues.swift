import FoundationEssentials
import LibraryService
import PhotoModel

/// Values in which every property is set to something other than its default.
enum SeamValues {
    static let date = Date(timeIntervalSinceReferenceDate: 790_000_000.123456)

    static var camera: CameraFacts {
        var camera = CameraFacts()
        camera.make = "Maker"
        camera.model = "Model"
        camera.lens = "Lens 24–70"
        camera.software = "1.0"
        camera.aperture = 2.8
        camera.exposureTime = 1.0 / 3
        camera.isoSpeed = 400
        camera.focalLength = 4.25
        camera.focalLengthIn35mmFilm = 26
        return camera
    }

    static func captureTime(
        _ wallTime: CaptureTime.Source,
        _ instant: CaptureTime.Source
    ) -> CaptureTime {
        CaptureTime(
            instant: date,
            wallTime: "2026-01-13T12:26:40.123",
            offset: -12_600,
            wallTimeSource: wallTime,
            instantSource: instant
        )
    }

    static var asset: AssetRecord {
        var asset = AssetRecord(
            id: .max,
            uuid: "8D7B2D3A-6E0A-4B8C-9C1E-2F3A4B5C6D7E",
            mediaType: .video,
            originalFilename: "Ünïcode 👩‍👩‍👧 \u{0}.mov",
            contentType: "com.apple.quicktime-movie",
            addedDate: date
        )
        asset.mediaSubtypes = [.videoHighFrameRate, .videoCinematic]
        asset.playbackStyle = .videoLooping
        asset.sourceType = [.cloudShared, .computerSynced]
        asset.readerVersion = 3
        asset.personFacts = [.title, SettableFacts(rawValue: 1 << 40)]
        asset.pixelSize = PixelSize(width: 3840, height: 2160)
        asset.duration = 12.345
        asset.frameRate = 239.76
        asset.creationDate = Date(timeIntervalSince1970: -86_400.5)
        asset.captureTime = captureTime(.quickTimeKey, .gpsTime)
        asset.modificationDate = .distantPast
        asset.location = Location(latitude: -33.9, longitude: 151.2, altitude: -3.5)
        asset.isFavorite = true
        asset.isHidden = true
        asset.trashedDate = date
        asset.burstIdentifier = "burst"
        asset.burstSelectionTypes = [.autoPick, .userPick]
        asset.representsBurst = true
        asset.contentIdentifier = "content"
        asset.hasAdjustments = true
        asset.adjustmentFormatIdentifier = "com.example.format"
        asset.adjustmentTimestamp = date
        asset.title = "Title"
        asset.caption = "Caption \"with\" quotes"
        asset.keywords = ["one", "two words", ""]
        asset.rating = 5
        asset.camera = camera
        asset.contentVersion = 7
        return asset
    }

    /// A record with only its required values.
    static var bareAsset: AssetRecord {
        AssetRecord(
            id: 1,
            uuid: "",
            mediaType: .unknown,
            originalFilename: "",
            contentType: "public.data",
            addedDate: date
        )
    }

    static func resource(_ type: ResourceType) -> ResourceRecord {
        ResourceRecord(
            id: 3,
            uuid: "0F4A",
            assetID: 2,
            assetUUID: "8D7B",
            type: type,
            originalFilename: "a.jpg",
            contentType: "public.jpeg",
            path: "originals/0f/0F4A.jpg",
            size: .max,
            sha256: String(repeating: "0", count: 64),
            pixelSize: PixelSize(width: 1, height: 2)
        )
    }

    static var sourceFile: SourceFile {
        SourceFile(
            path: Array("/photos/".utf8) + [0xff, 0xfe, 0x0a],
            size: .max,
            modificationTime: .min,
            statusChangeTime: 1,
            inode: .max,
            device: 9
        )
    }
}
