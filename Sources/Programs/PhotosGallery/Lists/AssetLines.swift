internal import Foundation
internal import Photos
internal import PhotosJSON
internal import PhotosManagement

/// Encodes assets as entries of the page's lists.
struct AssetLines {
    let library: PhotoLibraryBundle
    let assets: AssetMemory

    /// Returns the encoded entry of each asset, in order.
    ///
    /// The entry of an asset that no longer exists has no data.
    func lines(_ found: [PHAsset]) throws -> [String] {
        let present = found.filter { !$0.localIdentifier.isEmpty }
        let facts = try assets.facts(of: present)
        let places = try assets.places(of: present.map(\.localIdentifier))
        return try found.map { asset in
            try line(asset, facts[asset.localIdentifier], places[asset.localIdentifier])
        }
    }

    private func line(
        _ asset: PHAsset,
        _ facts: AssetFacts?,
        _ place: CloudPlace?
    ) throws -> String {
        var object = JSONObject()
        object.add("id", asset.bareIdentifier)
        object.add("localIdentifier", asset.localIdentifier)
        object.add("type", asset.mediaType.name)
        object.add("subtypes", asset.mediaSubtypes.names)
        object.add("playbackStyle", asset.playbackStyle.name)
        object.add("width", asset.pixelWidth)
        object.add("height", asset.pixelHeight)
        object.add("duration", asset.duration)
        object.add("date", asset.creationDate)
        object.add("day", Self.day(asset, facts))
        object.add("utcOffset", facts?.capture?.utcOffset)
        object.add("wallTime", facts?.capture?.clockTime)
        object.add("favorite", asset.isFavorite)
        object.add("hidden", asset.isHidden)
        let burst = asset.representsBurst ? asset.burstIdentifier : nil
        object.add("burst", burst)
        object.add("burstCount", burst.map(count))
        object.add("adjusted", asset.hasAdjustments)
        object.add("live", asset.mediaSubtypes.contains(.photoLive))
        object.add("version", facts?.contentVersion)
        object.add("filename", facts?.originalFilename)
        object.add("title", facts?.title)
        object.add("rating", facts?.rating)
        if let place { object.add("cloud", place.rawValue) }
        if let deleted = facts?.trashedDate { object.add("deletedDate", deleted) }
        return object.line
    }

    private func count(burst: String) -> Int {
        library.using {
            let options = PHFetchOptions()
            options.includeAllBurstAssets = true
            return PHAsset.fetchAssets(withBurstIdentifier: burst, options: options).count
        }
    }

    /// Returns an asset's local capture day, or an empty string if the asset has no date.
    static func day(_ asset: PHAsset, _ facts: AssetFacts?) -> String {
        if let wall = facts?.capture?.wallTime { return String(wall.prefix(10)) }
        guard let date = asset.creationDate else { return "" }
        let seconds = (date.timeIntervalSince1970 / 86_400).rounded(.down)
        return CaptureDay(number: Int(exactly: seconds) ?? 0).description
    }
}

extension PHObject {
    /// The UUID at the start of the local identifier, as used in URLs.
    var bareIdentifier: String { String(localIdentifier.prefix { $0 != "/" }) }
}
