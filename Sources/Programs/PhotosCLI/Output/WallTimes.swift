import Photos
import PhotosJSON
import PhotosManagement

/// The times that lists show for people: what the camera's clock showed, wherever it was.
struct WallTimes {
    private var texts: [String: String] = [:]

    /// Reads the capture times of assets, in one fetch.
    init(of assets: [PHAsset], in library: PhotoLibraryBundle) throws {
        for facts in try library.facts(for: assets.map(\.localIdentifier)) {
            guard let time = facts.capture?.clockTime else { continue }
            texts[facts.localIdentifier] = String(time.prefix(19)).replacing("T", with: " ")
        }
    }

    /// Such as `2019-07-04 12:31:07`; empty for an asset without a date.
    ///
    /// In the time zone of this machine where no clock's time is known.
    subscript(asset: PHAsset) -> String {
        texts[asset.localIdentifier] ?? asset.creationDate.map(LocalTime.text) ?? ""
    }
}
