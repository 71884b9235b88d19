/// The dictionary key of an option of a ``PHLivePhotoEditingContext``.
public struct PHLivePhotoEditingOption: RawRepresentable, Hashable, Sendable {
    /// The dictionary key.
    public let rawValue: String

    /// Creates an option from its key.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The option that allows frames to be rendered during playback, as a `Bool`; the default is
    /// false.
    ///
    /// The option permits this but does not require it. This implementation always renders all
    /// frames before it returns a Live Photo, so that its files can be read.
    public static let shouldRenderAtPlaybackTime = PHLivePhotoEditingOption(
        rawValue: "LivePhotoShouldRenderAtPlaybackTime"
    )
}
