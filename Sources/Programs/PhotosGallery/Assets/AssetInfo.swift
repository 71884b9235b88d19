internal import Foundation
internal import Photos
internal import PhotosJSON
internal import PhotosManagement

/// Creates the JSON details of one asset.
struct AssetInfo {
    let view: GalleryView

    /// Returns the JSON of `photos show --json` with additional fields for the web page.
    func json(_ known: AssetMemory.Known) throws -> String {
        let library = view.library
        let albums = library.using {
            PHAssetCollection.fetchAssetCollectionsContaining(
                known.asset,
                with: .album,
                options: nil
            ).all
        }
        let details = AssetDetails(
            asset: known.asset,
            facts: known.facts,
            resources: try library.resources(of: known.asset.localIdentifier),
            albums: albums
        )
        var object = JSONObject(details)
        object.add("id", known.asset.bareIdentifier)
        object.add("day", AssetLines.day(known.asset, known.facts))
        object.add("asset", json: try view.lines.lines([known.asset])[0])
        if let burst = known.asset.burstIdentifier {
            object.add("burst", json: try self.burst(burst))
        } else {
            object.add("burst", nil as String?)
        }
        return object.line
    }

    /// Returns the JSON of a burst with its frames and the picked frames.
    func burst(_ identifier: String) throws -> String {
        let frames = view.library.using {
            let options = PHFetchOptions()
            options.includeAllBurstAssets = true
            options.includeHiddenAssets = true
            return PHAsset.fetchAssets(withBurstIdentifier: identifier, options: options).all
        }
        func picked(_ type: PHAssetBurstSelectionType) -> [String] {
            frames.filter { $0.burstSelectionTypes.contains(type) }.map(\.bareIdentifier)
        }
        var picks = JSONObject()
        picks.add("auto", picked(.autoPick))
        picks.add("user", picked(.userPick))
        var object = JSONObject()
        object.add("burst", identifier)
        object.add("key", frames.first(where: \.representsBurst)?.bareIdentifier)
        object.add("picks", picks)
        let lines = try view.lines.lines(frames)
        object.add("assets", json: "[" + lines.joined(separator: ",") + "]")
        return object.line
    }
}
