extension AVPartialAsyncProperty where Root: AVAsset {
    /// See ``AVAsset/duration``.
    public static var duration: AVAsyncProperty<Root, CMTime> {
        AVAsyncProperty("duration") { try $0.loadedDuration() }
    }

    /// See ``AVAsset/tracks``.
    public static var tracks: AVAsyncProperty<Root, [AVAssetTrack]> {
        AVAsyncProperty("tracks") { try $0.loadedTracks() }
    }

    /// See ``AVAsset/metadata``.
    public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        AVAsyncProperty("metadata") { try $0.loadedMetadata() }
    }

    /// See ``AVAsset/commonMetadata``.
    public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        AVAsyncProperty("commonMetadata") {
            try $0.loadedMetadata().filter { $0.commonKey != nil }
        }
    }

    /// See ``AVAsset/availableMetadataFormats``.
    public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
        AVAsyncProperty("availableMetadataFormats") {
            AVMetadataFormat.formats(of: try $0.loadedMetadata())
        }
    }

    /// See ``AVAsset/creationDate``.
    public static var creationDate: AVAsyncProperty<Root, AVMetadataItem?> {
        AVAsyncProperty("creationDate") { try $0.loadedCreationDate() }
    }

    /// The key for loading ``AVAsset/preferredTransform`` asynchronously.
    public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
        property("preferredTransform") { $0.preferredTransform }
    }

    /// See ``AVAsset/preferredRate``.
    public static var preferredRate: AVAsyncProperty<Root, Float> {
        property("preferredRate") { $0.preferredRate }
    }

    /// See ``AVAsset/preferredVolume``.
    public static var preferredVolume: AVAsyncProperty<Root, Float> {
        property("preferredVolume") { $0.preferredVolume }
    }

    /// See ``AVAsset/providesPreciseDurationAndTiming``.
    public static var providesPreciseDurationAndTiming: AVAsyncProperty<Root, Bool> {
        property("providesPreciseDurationAndTiming") { $0.providesPreciseDurationAndTiming }
    }

    /// See ``AVAsset/isPlayable``.
    public static var isPlayable: AVAsyncProperty<Root, Bool> {
        property("playable") { $0.isPlayable }
    }

    /// See ``AVAsset/isExportable``.
    public static var isExportable: AVAsyncProperty<Root, Bool> {
        property("exportable") { $0.isExportable }
    }

    /// See ``AVAsset/isReadable``.
    public static var isReadable: AVAsyncProperty<Root, Bool> {
        property("readable") { $0.isReadable }
    }

    /// See ``AVAsset/isComposable``.
    public static var isComposable: AVAsyncProperty<Root, Bool> {
        property("composable") { $0.isComposable }
    }

    /// See ``AVAsset/hasProtectedContent``.
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
