import Photos
import PhotosManagement

/// The times that lists show for people: what the camera's clock showed, wherever it was.
struct WallTimes {
    private var texts: [String: String] = [:]

    /// Reads the capture times of assets, in one fetch.
    init(of assets: [PHAsset], in library: PhotoLibraryBundle) throws {
        for facts in try library.facts(for: assets.map(\.localIdentifier)) {
            guard let capture = facts.capture, Self.isClock(capture.wallTimeSource) else {
                continue
            }
            texts[facts.localIdentifier] = String(capture.wallTime.prefix(19))
                .replacing("T", with: " ")
        }
    }

    /// Such as `2019-07-04 12:31:07`; empty for an asset without a date.
    ///
    /// In the time zone of this machine where no clock's time is known.
    subscript(asset: PHAsset) -> String {
        texts[asset.localIdentifier] ?? asset.creationDate.map(LocalTime.text) ?? ""
    }

    /// Whether a time is one that somebody saw: movie headers and satellites count in UTC, files and
    /// people's changes have no clock of their own.
    private static func isClock(_ source: CaptureFacts.Source) -> Bool {
        switch source {
        case .exifOriginal, .exifDigitized, .exifModified, .quickTimeKey, .xmp, .iptc, .png: true
        case .offsetTag, .gpsTime, .movieHeader, .fileTime, .place, .machineTimeZone, .user, .other:
            false
        }
    }
}
