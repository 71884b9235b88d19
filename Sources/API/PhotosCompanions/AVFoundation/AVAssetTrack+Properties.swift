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

    /// See ``AVAssetTrack/naturalSize``.
    public static var naturalSize: AVAsyncProperty<Root, CGSize> {
        AVAsyncProperty("naturalSize") { $0.naturalSize }
    }

    /// See ``AVAssetTrack/preferredTransform``.
    public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
        AVAsyncProperty("preferredTransform") { $0.preferredTransform }
    }

    /// See ``AVAssetTrack/nominalFrameRate``.
    public static var nominalFrameRate: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("nominalFrameRate") { $0.nominalFrameRate }
    }

    /// See ``AVAssetTrack/minFrameDuration``.
    public static var minFrameDuration: AVAsyncProperty<Root, CMTime> {
        AVAsyncProperty("minFrameDuration") { $0.minFrameDuration }
    }

    /// See ``AVAssetTrack/timeRange``.
    public static var timeRange: AVAsyncProperty<Root, CMTimeRange> {
        AVAsyncProperty("timeRange") { $0.timeRange }
    }

    /// See ``AVAssetTrack/naturalTimeScale``.
    public static var naturalTimeScale: AVAsyncProperty<Root, CMTimeScale> {
        AVAsyncProperty("naturalTimeScale") { $0.naturalTimeScale }
    }

    /// See ``AVAssetTrack/estimatedDataRate``.
    public static var estimatedDataRate: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("estimatedDataRate") { $0.estimatedDataRate }
    }

    /// See ``AVAssetTrack/totalSampleDataLength``.
    public static var totalSampleDataLength: AVAsyncProperty<Root, Int64> {
        AVAsyncProperty("totalSampleDataLength") { $0.totalSampleDataLength }
    }

    /// See ``AVAssetTrack/languageCode``.
    public static var languageCode: AVAsyncProperty<Root, String?> {
        AVAsyncProperty("languageCode") { $0.languageCode }
    }

    /// See ``AVAssetTrack/extendedLanguageTag``.
    public static var extendedLanguageTag: AVAsyncProperty<Root, String?> {
        AVAsyncProperty("extendedLanguageTag") { $0.extendedLanguageTag }
    }

    /// See ``AVAssetTrack/preferredVolume``.
    public static var preferredVolume: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("preferredVolume") { $0.preferredVolume }
    }

    /// See ``AVAssetTrack/isPlayable``.
    public static var isPlayable: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("isPlayable") { $0.isPlayable }
    }

    /// See ``AVAssetTrack/isDecodable``.
    public static var isDecodable: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("isDecodable") { $0.isDecodable }
    }

    /// See ``AVAssetTrack/isEnabled``.
    public static var isEnabled: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("isEnabled") { $0.isEnabled }
    }

    /// See ``AVAssetTrack/isSelfContained``.
    public static var isSelfContained: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("isSelfContained") { $0.isSelfContained }
    }
}
