internal import Foundation
internal import Photos
internal import PhotosJSON
internal import PhotosManagement

/// Encodes assets as entries of the page's lists.
struct AssetLines {
    let library: PhotoLibraryBundle
    let assets: AssetMemory

    /// The number of assets whose existence is checked at once.
    private static let checkSize = 500

    /// The entry of an asset that the view does not contain; it has no data.
    private static let missing = """
        {"id":"","localIdentifier":"","type":"unknown","subtypes":[],\
        "playbackStyle":"unsupported","width":0,"height":0,"duration":0,"date":null,"day":"",\
        "utcOffset":null,"wallTime":null,"favorite":false,"hidden":false,"burst":null,\
        "burstCount":null,"adjusted":false,"live":false,"version":null,"filename":null,\
        "title":null,"rating":null}
        """

    /// Returns the encoded entry of each asset, in order.
    ///
    /// The entry of an asset that no longer exists, or that the view no longer includes, has no
    /// data. The assets of an older list still have the values with which the view last saw them.
    func lines(_ found: [PHAsset]) throws -> [String] {
        let present = found.filter { !$0.localIdentifier.isEmpty }
        let facts = try assets.facts(of: present)
        let places = try assets.places(of: present.map(\.localIdentifier))
        return found.map { asset in
            guard let known = facts[asset.localIdentifier] else { return Self.missing }
            return line(asset, known, places[asset.localIdentifier])
        }
    }

    /// Returns the UUID of each asset, in order.
    ///
    /// It is empty for an asset that no longer exists, or that the view no longer includes.
    func identifiers(_ found: [PHAsset]) throws -> [String] {
        var identifiers: [String] = []
        for start in stride(from: 0, to: found.count, by: Self.checkSize) {
            let part = found[start..<min(start + Self.checkSize, found.count)]
            let names = part.map(\.localIdentifier).filter { !$0.isEmpty }
            let present = Set(try library.facts(for: names).map(\.localIdentifier))
            identifiers += part.map {
                present.contains($0.localIdentifier) ? $0.bareIdentifier : ""
            }
        }
        return identifiers
    }

    private func line(_ asset: PHAsset, _ facts: AssetFacts, _ place: CloudPlace?) -> String {
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
        object.add("utcOffset", facts.capture?.utcOffset)
        object.add("wallTime", facts.capture?.clockTime)
        object.add("favorite", asset.isFavorite)
        object.add("hidden", asset.isHidden)
        let burst = asset.representsBurst ? asset.burstIdentifier : nil
        object.add("burst", burst)
        object.add("burstCount", burst.map(count))
        object.add("adjusted", asset.hasAdjustments)
        object.add("live", asset.mediaSubtypes.contains(.photoLive))
        object.add("version", facts.contentVersion)
        object.add("filename", facts.originalFilename)
        object.add("title", facts.title)
        object.add("rating", facts.rating)
        if let place { object.add("cloud", place.rawValue) }
        if let deleted = facts.trashedDate { object.add("deletedDate", deleted) }
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
