public import Photos
public import PhotosManagement

/// An asset with all facts that a library stores about it.
public struct AssetDetails {
    /// A version of an asset that can be requested.
    public struct Version {
        /// The name of the version as in PhotoKit: `original` as imported, `current` as shown.
        public var name: String
        /// The files of the version.
        public var resources: [ResourceFacts]
        /// Indicates whether the version is the one that is shown.
        public var isCurrent: Bool
    }

    /// The asset.
    public let asset: PHAsset
    /// The facts that the library stores beyond PhotoKit's properties.
    public let facts: AssetFacts
    /// The stored files of the asset.
    public let resources: [ResourceFacts]
    /// The albums that contain the asset.
    public let albums: [PHAssetCollection]
    /// The place of the asset's files: on this computer, in the cloud, or both.
    ///
    /// nil for a library that is not part of a cloud library.
    public let place: CloudPlace?

    /// Creates details from fetched values.
    public init(
        asset: PHAsset,
        facts: AssetFacts,
        resources: [ResourceFacts],
        albums: [PHAssetCollection],
        place: CloudPlace? = nil
    ) {
        self.asset = asset
        self.facts = facts
        self.resources = resources
        self.albums = albums
        self.place = place
    }

    /// The versions of the asset: the original and, if the asset was edited, the current one.
    public var versions: [Version] {
        let rendered: Set<ResourceFacts.Role> = [
            .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo,
        ]
        let edited = resources.filter { rendered.contains($0.role) }
        // Without a rendered edit, adjustments were imported with the original and belong to it.
        let original = resources.filter { !$0.isOfEdit || edited.isEmpty }
        let first = Version(name: "original", resources: original, isCurrent: edited.isEmpty)
        if edited.isEmpty { return [first] }
        return [first, Version(name: "current", resources: edited, isCurrent: true)]
    }
}
