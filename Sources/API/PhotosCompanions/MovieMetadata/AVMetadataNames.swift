/// Where in a file an entry about it is written.
public struct AVMetadataKeySpace: RawRepresentable, Hashable, Sendable {
    /// Four letters.
    public let rawValue: String

    /// A place by its letters.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A place by its letters.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Names that entries have in all kinds of files.
    public static let common = AVMetadataKeySpace("comn")
    /// QuickTime's keys, such as `com.apple.quicktime.make`.
    public static let quickTimeMetadata = AVMetadataKeySpace("mdta")
    /// QuickTime's user data, such as `©mak`.
    public static let quickTimeUserData = AVMetadataKeySpace("udta")
    /// iTunes' entries, such as `©nam`.
    public static let iTunes = AVMetadataKeySpace("itsk")
    /// MPEG-4's user data.
    public static let isoUserData = AVMetadataKeySpace("uiso")
    /// ID3.
    public static let id3 = AVMetadataKeySpace("org.id3")
}

/// A kind of entries about a file.
public struct AVMetadataFormat: RawRepresentable, Hashable, Sendable {
    /// AVFoundation's name of it.
    public let rawValue: String

    /// A kind by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A kind by its name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// QuickTime's keys.
    public static let quickTimeMetadata = AVMetadataFormat("com.apple.quicktime.mdta")
    /// QuickTime's user data.
    public static let quickTimeUserData = AVMetadataFormat("com.apple.quicktime.udta")
    /// iTunes' entries.
    public static let iTunesMetadata = AVMetadataFormat("com.apple.itunes")
    /// MPEG-4's user data.
    public static let isoUserData = AVMetadataFormat("org.mp4ra")
    /// ID3.
    public static let id3Metadata = AVMetadataFormat("org.id3")

    /// The place where such entries are written.
    var keySpace: AVMetadataKeySpace {
        Self.places.first { $0.0 == self }?.1 ?? AVMetadataKeySpace(rawValue)
    }

    /// The kinds of some entries, each once, in their order.
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

/// The name of an entry at its place.
public struct AVMetadataKey: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// A name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// What it is called.
    public static let commonKeyTitle = AVMetadataKey("title")
    /// Who made it.
    public static let commonKeyCreator = AVMetadataKey("creator")
    /// What it is about.
    public static let commonKeySubject = AVMetadataKey("subject")
    /// What there is to say about it.
    public static let commonKeyDescription = AVMetadataKey("description")
    /// Who brought it out.
    public static let commonKeyPublisher = AVMetadataKey("publisher")
    /// When it was made.
    public static let commonKeyCreationDate = AVMetadataKey("creationDate")
    /// When it was changed last.
    public static let commonKeyLastModifiedDate = AVMetadataKey("lastModifiedDate")
    /// Who may do what with it.
    public static let commonKeyCopyrights = AVMetadataKey("copyrights")
    /// What it belongs to.
    public static let commonKeyAlbumName = AVMetadataKey("albumName")
    /// Who wrote it.
    public static let commonKeyAuthor = AVMetadataKey("author")
    /// Who plays or sings.
    public static let commonKeyArtist = AVMetadataKey("artist")
    /// Who made the camera.
    public static let commonKeyMake = AVMetadataKey("make")
    /// The camera.
    public static let commonKeyModel = AVMetadataKey("model")
    /// What wrote the file.
    public static let commonKeySoftware = AVMetadataKey("software")
    /// Where it was made, in ISO 6709.
    public static let commonKeyLocation = AVMetadataKey("location")

    /// The identifier that the halves of a Live Photo share.
    public static let quickTimeMetadataKeyContentIdentifier = AVMetadataKey(
        "com.apple.quicktime.content.identifier"
    )
    /// When it was made, with the offset of local time.
    public static let quickTimeMetadataKeyCreationDate = AVMetadataKey(
        "com.apple.quicktime.creationdate"
    )
    /// Where it was made, in ISO 6709.
    public static let quickTimeMetadataKeyLocationISO6709 = AVMetadataKey(
        "com.apple.quicktime.location.ISO6709"
    )
    /// Who made the camera.
    public static let quickTimeMetadataKeyMake = AVMetadataKey("com.apple.quicktime.make")
    /// The camera.
    public static let quickTimeMetadataKeyModel = AVMetadataKey("com.apple.quicktime.model")
    /// What wrote the file.
    public static let quickTimeMetadataKeySoftware = AVMetadataKey("com.apple.quicktime.software")
    /// What it is called.
    public static let quickTimeMetadataKeyTitle = AVMetadataKey("com.apple.quicktime.title")
    /// What there is to say about it.
    public static let quickTimeMetadataKeyDescription = AVMetadataKey(
        "com.apple.quicktime.description"
    )
}

/// A place and a name in one, such as `mdta/com.apple.quicktime.make`.
public struct AVMetadataIdentifier: RawRepresentable, Hashable, Sendable {
    /// The text.
    public let rawValue: String

    /// An identifier by its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An identifier by its text.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    private init(common key: AVMetadataKey) { rawValue = "common/" + key.rawValue }

    private init(quickTime key: AVMetadataKey) { rawValue = "mdta/" + key.rawValue }

    /// What it is called.
    public static let commonIdentifierTitle = Self(common: .commonKeyTitle)
    /// What there is to say about it.
    public static let commonIdentifierDescription = Self(common: .commonKeyDescription)
    /// When it was made.
    public static let commonIdentifierCreationDate = Self(common: .commonKeyCreationDate)
    /// Who wrote it.
    public static let commonIdentifierAuthor = Self(common: .commonKeyAuthor)
    /// Who plays or sings.
    public static let commonIdentifierArtist = Self(common: .commonKeyArtist)
    /// Who may do what with it.
    public static let commonIdentifierCopyrights = Self(common: .commonKeyCopyrights)
    /// Who made the camera.
    public static let commonIdentifierMake = Self(common: .commonKeyMake)
    /// The camera.
    public static let commonIdentifierModel = Self(common: .commonKeyModel)
    /// What wrote the file.
    public static let commonIdentifierSoftware = Self(common: .commonKeySoftware)
    /// Where it was made, in ISO 6709.
    public static let commonIdentifierLocation = Self(common: .commonKeyLocation)

    /// The identifier that the halves of a Live Photo share.
    public static let quickTimeMetadataContentIdentifier = Self(
        quickTime: .quickTimeMetadataKeyContentIdentifier
    )
    /// When it was made, with the offset of local time.
    public static let quickTimeMetadataCreationDate = Self(
        quickTime: .quickTimeMetadataKeyCreationDate
    )
    /// Where it was made, in ISO 6709.
    public static let quickTimeMetadataLocationISO6709 = Self(
        quickTime: .quickTimeMetadataKeyLocationISO6709
    )
    /// Who made the camera.
    public static let quickTimeMetadataMake = Self(quickTime: .quickTimeMetadataKeyMake)
    /// The camera.
    public static let quickTimeMetadataModel = Self(quickTime: .quickTimeMetadataKeyModel)
    /// What wrote the file.
    public static let quickTimeMetadataSoftware = Self(quickTime: .quickTimeMetadataKeySoftware)
    /// What it is called.
    public static let quickTimeMetadataTitle = Self(quickTime: .quickTimeMetadataKeyTitle)
    /// What there is to say about it.
    public static let quickTimeMetadataDescription = Self(
        quickTime: .quickTimeMetadataKeyDescription
    )
}
