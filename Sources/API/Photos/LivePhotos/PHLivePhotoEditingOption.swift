/// An option for what a ``PHLivePhotoEditingContext`` does; its raw value is the key of a dictionary.
public struct PHLivePhotoEditingOption: RawRepresentable, Hashable, Sendable {
    /// The key.
    public let rawValue: String

    /// An option by its key.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Whether frames may be drawn when they are played, as a `Bool`; false unless it says otherwise.
    ///
    /// It allows that and does not demand it: here all frames are drawn before a Live Photo is handed
    /// out, whatever it says, because its files can be read then.
    public static let shouldRenderAtPlaybackTime = PHLivePhotoEditingOption(
        rawValue: "LivePhotoShouldRenderAtPlaybackTime"
    )
}
