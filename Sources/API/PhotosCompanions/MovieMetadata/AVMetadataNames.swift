/// A key space for metadata items.
public struct AVMetadataKeySpace: RawRepresentable, Hashable, Sendable {
    /// A four-character code or, for ID3, a name.
    public let rawValue: String

    /// Creates a key space from its code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a key space from its code.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The key space of the common keys, which are the same in all file formats.
    public static let common = AVMetadataKeySpace("comn")
    /// QuickTime metadata keys, such as `com.apple.quicktime.make`.
    public static let quickTimeMetadata = AVMetadataKeySpace("mdta")
    /// QuickTime user data keys, such as `©mak`.
    public static let quickTimeUserData = AVMetadataKeySpace("udta")
    /// iTunes metadata keys, such as `©nam`.
    public static let iTunes = AVMetadataKeySpace("itsk")
    /// MPEG-4 user data keys.
    public static let isoUserData = AVMetadataKeySpace("uiso")
    /// ID3 keys.
    public static let id3 = AVMetadataKeySpace("org.id3")
}

/// A metadata format.
public struct AVMetadataFormat: RawRepresentable, Hashable, Sendable {
    /// The format's name in AVFoundation.
    public let rawValue: String

    /// Creates a format with a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a format with a name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// QuickTime metadata.
    public static let quickTimeMetadata = AVMetadataFormat("com.apple.quicktime.mdta")
    /// QuickTime user data.
    public static let quickTimeUserData = AVMetadataFormat("com.apple.quicktime.udta")
    /// iTunes metadata.
    public static let iTunesMetadata = AVMetadataFormat("com.apple.itunes")
    /// MPEG-4 user data.
    public static let isoUserData = AVMetadataFormat("org.mp4ra")
    /// ID3 metadata.
    public static let id3Metadata = AVMetadataFormat("org.id3")

    /// The key space of the format's items.
    var keySpace: AVMetadataKeySpace {
        Self.places.first { $0.0 == self }?.1 ?? AVMetadataKeySpace(rawValue)
    }

    /// Returns the formats of items without duplicates, in order of first occurrence.
    static func formats(of items: [AVMetadataItem]) -> [AVMetadataFormat] {
        var formats: [AVMetadataFormat] = []
        for space in items.compactMap(\.keySpace) {
            let format =
                places.first { $0.1 == space }?.0 ?? AVMetadataFormat(space.rawValue)
            if !formats.contains(format) { formats.append(format) }
        }
        return formats
    }

    private static let places: [(AVMetadataFormat, AVMetadataKeySpace)] = [
        (.quickTimeMetadata, .quickTimeMetadata), (.quickTimeUserData, .quickTimeUserData),
        (.iTunesMetadata, .iTunes), (.isoUserData, .isoUserData), (.id3Metadata, .id3),
    ]
}

/// A key of a metadata item in its key space.
public struct AVMetadataKey: RawRepresentable, Hashable, Sendable {
    /// The key's name.
    public let rawValue: String

    /// Creates a key with a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a key with a name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The title.
    public static let commonKeyTitle = AVMetadataKey("title")
    /// The creator.
    public static let commonKeyCreator = AVMetadataKey("creator")
    /// The subject.
    public static let commonKeySubject = AVMetadataKey("subject")
    /// The description.
    public static let commonKeyDescription = AVMetadataKey("description")
    /// The publisher.
    public static let commonKeyPublisher = AVMetadataKey("publisher")
    /// The creation date.
    public static let commonKeyCreationDate = AVMetadataKey("creationDate")
    /// The modification date.
    public static let commonKeyLastModifiedDate = AVMetadataKey("lastModifiedDate")
    /// The copyright notice.
    public static let commonKeyCopyrights = AVMetadataKey("copyrights")
    /// The album's name.
    public static let commonKeyAlbumName = AVMetadataKey("albumName")
    /// The author.
    public static let commonKeyAuthor = AVMetadataKey("author")
    /// The artist.
    public static let commonKeyArtist = AVMetadataKey("artist")
    /// The camera manufacturer.
    public static let commonKeyMake = AVMetadataKey("make")
    /// The camera model.
    public static let commonKeyModel = AVMetadataKey("model")
    /// The software that wrote the file.
    public static let commonKeySoftware = AVMetadataKey("software")
    /// The location, in ISO 6709 format.
    public static let commonKeyLocation = AVMetadataKey("location")

    /// The content identifier that the parts of a Live Photo share.
    public static let quickTimeMetadataKeyContentIdentifier = AVMetadataKey(
        "com.apple.quicktime.content.identifier"
    )
    /// The creation date, with its offset from UTC.
    public static let quickTimeMetadataKeyCreationDate = AVMetadataKey(
        "com.apple.quicktime.creationdate"
    )
    /// The location, in ISO 6709 format.
    public static let quickTimeMetadataKeyLocationISO6709 = AVMetadataKey(
        "com.apple.quicktime.location.ISO6709"
    )
    /// The camera manufacturer.
    public static let quickTimeMetadataKeyMake = AVMetadataKey("com.apple.quicktime.make")
    /// The camera model.
    public static let quickTimeMetadataKeyModel = AVMetadataKey("com.apple.quicktime.model")
    /// The software that wrote the file.
    public static let quickTimeMetadataKeySoftware = AVMetadataKey("com.apple.quicktime.software")
    /// The title.
    public static let quickTimeMetadataKeyTitle = AVMetadataKey("com.apple.quicktime.title")
    /// The description.
    public static let quickTimeMetadataKeyDescription = AVMetadataKey(
        "com.apple.quicktime.description"
    )
}

/// An identifier that combines key space and key, such as `mdta/com.apple.quicktime.make`.
public struct AVMetadataIdentifier: RawRepresentable, Hashable, Sendable {
    /// The identifier as a string.
    public let rawValue: String

    /// Creates an identifier from a string.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates an identifier from a string.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    private init(common key: AVMetadataKey) { rawValue = "common/" + key.rawValue }

    private init(quickTime key: AVMetadataKey) { rawValue = "mdta/" + key.rawValue }

    /// The title.
    public static let commonIdentifierTitle = Self(common: .commonKeyTitle)
    /// The description.
    public static let commonIdentifierDescription = Self(common: .commonKeyDescription)
    /// The creation date.
    public static let commonIdentifierCreationDate = Self(common: .commonKeyCreationDate)
    /// The author.
    public static let commonIdentifierAuthor = Self(common: .commonKeyAuthor)
    /// The artist.
    public static let commonIdentifierArtist = Self(common: .commonKeyArtist)
    /// The copyright notice.
    public static let commonIdentifierCopyrights = Self(common: .commonKeyCopyrights)
    /// The camera manufacturer.
    public static let commonIdentifierMake = Self(common: .commonKeyMake)
    /// The camera model.
    public static let commonIdentifierModel = Self(common: .commonKeyModel)
    /// The software that wrote the file.
    public static let commonIdentifierSoftware = Self(common: .commonKeySoftware)
    /// The location, in ISO 6709 format.
    public static let commonIdentifierLocation = Self(common: .commonKeyLocation)

    /// The content identifier that the parts of a Live Photo share.
    public static let quickTimeMetadataContentIdentifier = Self(
        quickTime: .quickTimeMetadataKeyContentIdentifier
    )
    /// The creation date, with its offset from UTC.
    public static let quickTimeMetadataCreationDate = Self(
        quickTime: .quickTimeMetadataKeyCreationDate
    )
    /// The location, in ISO 6709 format.
    public static let quickTimeMetadataLocationISO6709 = Self(
        quickTime: .quickTimeMetadataKeyLocationISO6709
    )
    /// The camera manufacturer.
    public static let quickTimeMetadataMake = Self(quickTime: .quickTimeMetadataKeyMake)
    /// The camera model.
    public static let quickTimeMetadataModel = Self(quickTime: .quickTimeMetadataKeyModel)
    /// The software that wrote the file.
    public static let quickTimeMetadataSoftware = Self(quickTime: .quickTimeMetadataKeySoftware)
    /// The title.
    public static let quickTimeMetadataTitle = Self(quickTime: .quickTimeMetadataKeyTitle)
    /// The description.
    public static let quickTimeMetadataDescription = Self(
        quickTime: .quickTimeMetadataKeyDescription
    )
}
