public import Photos
public import PhotosManagement

/// An asset with everything that a library knows of it.
public struct AssetDetails {
    /// A version of an asset that can be asked for.
    public struct Version {
        /// As in PhotoKit: `original` as imported, `current` as shown.
        public var name: String
        /// The files that make it up.
        public var resources: [ResourceFacts]
        /// Whether it is what is shown.
        public var isCurrent: Bool
    }

    /// The asset.
    public let asset: PHAsset
    /// What the library knows of it beyond PhotoKit's properties.
    public let facts: AssetFacts
    /// Its stored files.
    public let resources: [ResourceFacts]
    /// The albums that hold it.
    public let albums: [PHAssetCollection]

    /// Puts together what was fetched.
    public init(
        asset: PHAsset,
        facts: AssetFacts,
        resources: [ResourceFacts],
        albums: [PHAssetCollection]
    ) {
        self.asset = asset
        self.facts = facts
        self.resources = resources
        self.albums = albums
    }

    /// The versions: the original, and the edit where there is one.
    public var versions: [Version] {
        let rendered: Set<ResourceFacts.Role> = [
            .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo,
        ]
        let edited = resources.filter { rendered.contains($0.role) }
        // Adjustments that came with the original are part of it.
        let original = resources.filter { !$0.isOfEdit || edited.isEmpty }
        let first = Version(name: "original", resources: original, isCurrent: edited.isEmpty)
        if edited.isEmpty { return [first] }
        return [first, Version(name: "current", resources: edited, isCurrent: true)]
    }
}
