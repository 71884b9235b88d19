extension PHAsset {
    /// The playback style of an asset, independent of its media type.
    public enum PlaybackStyle: Int, Hashable, Codable, Sendable {
        /// An asset that cannot be presented.
        case unsupported = 0
        /// A still image.
        case image = 1
        /// An animated image.
        case imageAnimated = 2
        /// A Live Photo.
        case livePhoto = 3
        /// A movie.
        case video = 4
        /// A movie that loops.
        case videoLooping = 5
    }

    /// The playback effect of a Live Photo's movie.
    public enum PlaybackVariation: Int, Hashable, Codable, Sendable {
        /// No playback effect; also the value of every asset that is not a Live Photo.
        case none = 0
        /// The movie loops.
        case autoloop = 1
        /// The movie plays forward, then backward.
        case mirror = 2
        /// All frames are combined into one.
        case longExposure = 3
    }

    /// The choice between the two originals of a RAW+JPEG asset.
    public enum OriginalResourceChoice: Int, Hashable, Codable, Sendable {
        /// The compressed original; also the value of every asset with only one original.
        case compressed = 0
        /// The RAW original.
        case raw = 1
    }

    /// The adjustment state of an asset, and who adjusted it.
    public enum AdjustmentsState: Int, Hashable, Codable, Sendable {
        /// Not adjusted.
        case none = 0
        /// Adjusted by a user.
        case userAdjusted = 2
        /// Adjusted by the camera during capture.
        case cameraAutoAdjusted = 3
    }

    /// A rating in stars.
    public enum Rating: Int, Hashable, Codable, Sendable {
        /// No rating.
        case unset = 0
        /// A rating of one star.
        case one = 1
        /// A rating of two stars.
        case two = 2
        /// A rating of three stars.
        case three = 3
        /// A rating of four stars.
        case four = 4
        /// A rating of five stars.
        case five = 5
    }
}
