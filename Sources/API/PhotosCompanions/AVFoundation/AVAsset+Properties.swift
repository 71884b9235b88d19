extension AVPartialAsyncProperty where Root: AVAsset {
    /// The key for loading ``AVAsset/duration`` asynchronously.
    public static var duration: AVAsyncProperty<Root, CMTime> {
        AVAsyncProperty("duration") { try $0.loadedDuration() }
    }

    /// The key for loading ``AVAsset/tracks`` asynchronously.
    public static var tracks: AVAsyncProperty<Root, [AVAssetTrack]> {
        AVAsyncProperty("tracks") { try $0.loadedTracks() }
    }

    /// The key for loading ``AVAsset/metadata`` asynchronously.
    public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        AVAsyncProperty("metadata") { try $0.loadedMetadata() }
    }

    /// The key for loading ``AVAsset/commonMetadata`` asynchronously.
    public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        AVAsyncProperty("commonMetadata") {
            try $0.loadedMetadata().filter { $0.commonKey != nil }
        }
    }

    /// The key for loading ``AVAsset/availableMetadataFormats`` asynchronously.
    public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
        AVAsyncProperty("availableMetadataFormats") {
            AVMetadataFormat.formats(of: try $0.loadedMetadata())
        }
    }

    /// The key for loading ``AVAsset/creationDate`` asynchronously.
    public static var creationDate: AVAsyncProperty<Root, AVMetadataItem?> {
        AVAsyncProperty("creationDate") { try $0.loadedCreationDate() }
    }

    /// The key for loading ``AVAsset/preferredTransform`` asynchronously.
    public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
        property("preferredTransform") { $0.preferredTransform }
    }

    /// The key for loading ``AVAsset/preferredRate`` asynchronously.
    public static var preferredRate: AVAsyncProperty<Root, Float> {
        property("preferredRate") { $0.preferredRate }
    }

    /// The key for loading ``AVAsset/preferredVolume`` asynchronously.
    public static var preferredVolume: AVAsyncProperty<Root, Float> {
        property("preferredVolume") { $0.preferredVolume }
    }

    /// The key for loading ``AVAsset/providesPreciseDurationAndTiming`` asynchronously.
    public static var providesPreciseDurationAndTiming: AVAsyncProperty<Root, Bool> {
        property("providesPreciseDurationAndTiming") { $0.providesPreciseDurationAndTiming }
    }

    /// The key for loading ``AVAsset/isPlayable`` asynchronously.
    public static var isPlayable: AVAsyncProperty<Root, Bool> {
        property("playable") { $0.isPlayable }
    }

    /// The key for loading ``AVAsset/isExportable`` asynchronously.
    public static var isExportable: AVAsyncProperty<Root, Bool> {
        property("exportable") { $0.isExportable }
    }

    /// The key for loading ``AVAsset/isReadable`` asynchronously.
    public static var isReadable: AVAsyncProperty<Root, Bool> {
        property("readable") { $0.isReadable }
    }

    /// The key for loading ``AVAsset/isComposable`` asynchronously.
    public static var isComposable: AVAsyncProperty<Root, Bool> {
        property("composable") { $0.isComposable }
    }

    /// The key for loading ``AVAsset/hasProtectedContent`` asynchronously.
    public static var hasProtectedContent: AVAsyncProperty<Root, Bool> {
        property("hasProtectedContent") { $0.hasProtectedContent }
    }

    /// Returns a property that is available as soon as the file has been read.
    private static func property<Value>(
        _ key: String,
        _ value: @escaping @Sendable (Root) -> Value
    ) -> AVAsyncProperty<Root, Value> {
        AVAsyncProperty(key) { root in
            _ = try root.facts()
            return value(root)
        }
    }
}
