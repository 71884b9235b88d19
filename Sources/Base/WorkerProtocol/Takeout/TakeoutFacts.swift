package import PhotoModel

/// The unvalidated values that the worker found in a JSON file of Google Takeout.
///
/// Text is valid UTF-8 without control characters, at most 4,096 bytes each; captions are at most
/// 32 kB.
package struct TakeoutFacts: Codable, Hashable, Sendable {
    /// The kind of object that a JSON file describes.
    package enum Kind: String, Codable, Hashable, Sendable {
        /// A photo or movie.
        case asset
        /// The album that corresponds to the folder of the JSON file.
        case album
        /// Neither an asset nor an album.
        case other
    }

    /// The maximum number of people of one asset.
    package static let maximumPeople = 200
    /// The maximum length of a caption in bytes.
    package static let maximumCaption = 32 << 10

    package var kind: Kind
    package var title: String?
    package var caption: String?
    /// The time of capture, in seconds since 1970 in UTC.
    package var takenSeconds: Int64?
    /// The location that Google Photos displays, which a person may have set or Google may have
    /// estimated.
    package var location: Location?
    /// The location that Google read from the media file.
    package var fileLocation: Location?
    package var isFavorite: Bool
    package var isArchived: Bool
    package var isTrashed: Bool
    /// Indicates whether the asset comes from partner sharing.
    package var isFromPartner: Bool
    package var people: [String]
    /// The entries of Google's description of the asset's origin, each as `path=value`.
    package var origin: [String]
    /// The names of the values that were truncated, for users.
    package var cutValues: [String]

    package init(kind: Kind) {
        self.kind = kind
        isFavorite = false
        isArchived = false
        isTrashed = false
        isFromPartner = false
        people = []
        origin = []
        cutValues = []
    }
}

/// The result of reading a JSON file of Google Takeout.
package enum TakeoutReading: Codable, Hashable, Sendable {
    case facts(TakeoutFacts)
    /// The file cannot be read; `reason` is text for users.
    case failed(reason: String)
}
