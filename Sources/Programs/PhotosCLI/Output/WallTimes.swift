import Photos
import PhotosJSON
import PhotosManagement

/// The local capture times of assets, as lists show them.
struct WallTimes {
    private var texts: [String: String] = [:]

    /// Fetches the capture times of the given assets in one batch.
    init(of assets: [PHAsset], in library: PhotoLibraryBundle) throws {
        for facts in try library.facts(for: assets.map(\.localIdentifier)) {
            guard let time = facts.capture?.clockTime else { continue }
            texts[facts.localIdentifier] = String(time.prefix(19)).replacing("T", with: " ")
        }
    }

    /// The asset's capture time, such as `2019-07-04 12:31:07`; empty for an asset without a date.
    ///
    /// It is in the time zone of this machine if the camera's local time is unknown.
    subscript(asset: PHAsset) -> String {
        texts[asset.localIdentifier] ?? asset.creationDate.map(LocalTime.text) ?? ""
    }
}
