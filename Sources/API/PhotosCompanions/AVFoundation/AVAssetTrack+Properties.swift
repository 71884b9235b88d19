public import Foundation

extension AVPartialAsyncProperty where Root: AVAssetTrack {
    /// The track's sample formats.
    public static var formatDescriptions: AVAsyncProperty<Root, [CMFormatDescription]> {
        AVAsyncProperty("formatDescriptions") { [$0.format] }
    }

    /// The track's media characteristics.
    public static var mediaCharacteristics: AVAsyncProperty<Root, [AVMediaCharacteristic]> {
        AVAsyncProperty("mediaCharacteristics") { $0.mediaCharacteristics }
    }

    /// The key for loading ``AVAssetTrack/naturalSize`` asynchronously.
    public static var naturalSize: AVAsyncProperty<Root, CGSize> {
        AVAsyncProperty("naturalSize") { $0.naturalSize }
    }

    /// The key for loading ``AVAssetTrack/preferredTransform`` asynchronously.
    public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
        AVAsyncProperty("preferredTransform") { $0.preferredTransform }
    }

    /// The key for loading ``AVAssetTrack/nominalFrameRate`` asynchronously.
    public static var nominalFrameRate: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("nominalFrameRate") { $0.nominalFrameRate }
    }

    /// The key for loading ``AVAssetTrack/minFrameDuration`` asynchronously.
    public static var minFrameDuration: AVAsyncProperty<Root, CMTime> {
        AVAsyncProperty("minFrameDuration") { $0.minFrameDuration }
    }

    /// The key for loading ``AVAssetTrack/timeRange`` asynchronously.
    public static var timeRange: AVAsyncProperty<Root, CMTimeRange> {
        AVAsyncProperty("timeRange") { $0.timeRange }
    }

    /// The key for loading ``AVAssetTrack/naturalTimeScale`` asynchronously.
    public static var naturalTimeScale: AVAsyncProperty<Root, CMTimeScale> {
        AVAsyncProperty("naturalTimeScale") { $0.naturalTimeScale }
    }

    /// The key for loading ``AVAssetTrack/estimatedDataRate`` asynchronously.
    public static var estimatedDataRate: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("estimatedDataRate") { $0.estimatedDataRate }
    }

    /// The key for loading ``AVAssetTrack/totalSampleDataLength`` asynchronously.
    public static var totalSampleDataLength: AVAsyncProperty<Root, Int64> {
        AVAsyncProperty("totalSampleDataLength") { $0.totalSampleDataLength }
    }

    /// The key for loading ``AVAssetTrack/languageCode`` asynchronously.
    public static var languageCode: AVAsyncProperty<Root, String?> {
        AVAsyncProperty("languageCode") { $0.languageCode }
    }

    /// The key for loading ``AVAssetTrack/extendedLanguageTag`` asynchronously.
    public static var extendedLanguageTag: AVAsyncProperty<Root, String?> {
        AVAsyncProperty("extendedLanguageTag") { $0.extendedLanguageTag }
    }

    /// The key for loading ``AVAssetTrack/preferredVolume`` asynchronously.
    public static var preferredVolume: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("preferredVolume") { $0.preferredVolume }
    }

    /// The key for loading ``AVAssetTrack/isPlayable`` asynchronously.
    public static var isPlayable: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("isPlayable") { $0.isPlayable }
    }

    /// The key for loading ``AVAssetTrack/isDecodable`` asynchronously.
    public static var isDecodable: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("isDecodable") { $0.isDecodable }
    }

    /// The key for loading ``AVAssetTrack/isEnabled`` asynchronously.
    public static var isEnabled: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("isEnabled") { $0.isEnabled }
    }

    /// The key for loading ``AVAssetTrack/isSelfContained`` asynchronously.
    public static var isSelfContained: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("isSelfContained") { $0.isSelfContained }
    }
}
