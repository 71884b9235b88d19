extension PHAsset {
    /// How an asset is presented, whatever its medium is.
    public enum PlaybackStyle: Int, Hashable, Codable, Sendable {
        /// Cannot be shown.
        case unsupported = 0
        /// A still.
        case image = 1
        /// An image that moves.
        case imageAnimated = 2
        /// A Live Photo.
        case livePhoto = 3
        /// A movie.
        case video = 4
        /// A movie that starts again at its end.
        case videoLooping = 5
    }

    /// The effect on a Live Photo's movie.
    public enum PlaybackVariation: Int, Hashable, Codable, Sendable {
        /// None; so it is for everything that is not a Live Photo.
        case none = 0
        /// Starts again at its end.
        case autoloop = 1
        /// Runs forwards and backwards.
        case mirror = 2
        /// All frames in one.
        case longExposure = 3
    }

    /// Which of the two originals of a RAW+JPEG asset counts.
    public enum OriginalResourceChoice: Int, Hashable, Codable, Sendable {
        /// The compressed one; so it is for every other asset.
        case compressed = 0
        /// The RAW.
        case raw = 1
    }

    /// Whether an asset was adjusted, and by whom.
    public enum AdjustmentsState: Int, Hashable, Codable, Sendable {
        /// It was not.
        case none = 0
        /// By a user.
        case userAdjusted = 2
        /// By the camera, when it was captured.
        case cameraAutoAdjusted = 3
    }

    /// How many stars a user gave.
    public enum Rating: Int, Hashable, Codable, Sendable {
        /// No rating.
        case unset = 0
        /// One star.
        case one = 1
        /// Two stars.
        case two = 2
        /// Three stars.
        case three = 3
        /// Four stars.
        case four = 4
        /// Five stars.
        case five = 5
    }
}
