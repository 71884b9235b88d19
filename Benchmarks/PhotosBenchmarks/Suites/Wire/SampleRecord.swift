import Foundation
import PhotoModel

/// Records as a phone's photos have them.
enum SampleRecord {
    static func make(_ index: Int) -> AssetRecord {
        let date = Date(timeIntervalSinceReferenceDate: 790_000_000.123456 + Double(index))
        var asset = AssetRecord(
            id: Int64(1_000_000 + index),
            uuid: UUID().uuidString,
            mediaType: .image,
            originalFilename: "IMG_\(1_000 + index).HEIC",
            contentType: "public.heic",
            addedDate: date
        )
        asset.mediaSubtypes = [.photoLive]
        asset.playbackStyle = .livePhoto
        asset.pixelSize = PixelSize(width: 4_032, height: 3_024)
        asset.creationDate = date
        asset.captureTime = CaptureTime(
            instant: date,
            wallTime: "2026-01-13T12:26:40.123",
            offset: 3_600,
            wallTimeSource: .exifOriginal,
            instantSource: .offsetTag
        )
        asset.location = Location(latitude: 52.5, longitude: 13.4, altitude: 34)
        asset.contentIdentifier = UUID().uuidString
        asset.title = index.isMultiple(of: 3) ? "A title" : nil
        asset.keywords = index.isMultiple(of: 2) ? ["holiday", "family"] : []
        asset.camera.make = "Apple"
        asset.camera.model = "iPhone 15 Pro"
        asset.camera.lens = "iPhone 15 Pro back triple camera 6.765mm f/1.78"
        asset.camera.software = "17.2"
        asset.camera.aperture = 1.78
        asset.camera.exposureTime = 1.0 / 120
        asset.camera.isoSpeed = 80
        asset.camera.focalLength = 6.765
        asset.camera.focalLengthIn35mmFilm = 24
        asset.readerVersion = 3
        return asset
    }
}

/// A record in the form that a coder derives, without the layout of lists of records.
struct DerivedRecord: Codable, Equatable {
    private let record: AssetRecord

    init(_ record: AssetRecord) { self.record = record }

    init(from decoder: any Decoder) throws { record = try AssetRecord(from: decoder) }

    func encode(to encoder: any Encoder) throws { try record.encode(to: encoder) }
}

/// A reply with derived records.
struct DerivedReply: Codable, Equatable {
    var version: Int64
    var assets: [DerivedRecord]
}
