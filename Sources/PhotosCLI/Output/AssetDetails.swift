import Photos
import PhotosManagement

/// An asset with everything that a library knows of it.
struct AssetDetails {
    /// A version of an asset that can be asked for.
    struct Version {
        /// As in PhotoKit: `original` as imported, `current` as shown.
        var name: String
        /// The files that make it up.
        var resources: [ResourceFacts]
        /// Whether it is what is shown.
        var isCurrent: Bool
    }

    let asset: PHAsset
    let facts: AssetFacts
    let resources: [ResourceFacts]
    let albums: [PHAssetCollection]

    /// The versions: the original, and the edit where there is one.
    var versions: [Version] {
        let rendered: Set<ResourceFacts.Role> = [
            .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo,
        ]
        let edited = resources.filter { rendered.contains($0.role) }
        let original = resources.filter { !rendered.contains($0.role) }
        let first = Version(name: "original", resources: original, isCurrent: edited.isEmpty)
        if edited.isEmpty { return [first] }
        return [first, Version(name: "current", resources: edited, isCurrent: true)]
    }
}
