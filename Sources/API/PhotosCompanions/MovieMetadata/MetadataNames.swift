/// The mapping between the keys of metadata items and common keys.
enum MetadataNames {
    /// Returns the common key for a key in a key space; nil if no common key corresponds.
    static func common(_ key: String, in space: AVMetadataKeySpace) -> AVMetadataKey? {
        switch space {
        case .common: AVMetadataKey(key)
        case .quickTimeMetadata: quickTime[key].map { AVMetadataKey($0) }
        case .quickTimeUserData: (userData[key] ?? iTunes[key]).map { AVMetadataKey($0) }
        case .iTunes: iTunes[key].map { AVMetadataKey($0) }
        default: plain[key.lowercased()].map { AVMetadataKey($0) }
        }
    }

    /// Returns the QuickTime key for a common key.
    static func quickTimeKey(_ common: String) -> String? {
        quickTime.first { $0.value == common && $0.key != "com.apple.quicktime.keywords" }?.key
    }

    private static let quickTime = [
        "com.apple.quicktime.title": "title",
        "com.apple.quicktime.description": "description",
        "com.apple.quicktime.author": "author",
        "com.apple.quicktime.artist": "artist",
        "com.apple.quicktime.copyright": "copyrights",
        "com.apple.quicktime.album": "albumName",
        "com.apple.quicktime.publisher": "publisher",
        "com.apple.quicktime.keywords": "subject",
        "com.apple.quicktime.creationdate": "creationDate",
        "com.apple.quicktime.location.ISO6709": "location",
        "com.apple.quicktime.make": "make",
        "com.apple.quicktime.model": "model",
        "com.apple.quicktime.software": "software",
    ]

    private static let userData = [
        "©mak": "make", "©mod": "model", "©swr": "software", "©xyz": "location",
        "©aut": "author", "©cpy": "copyrights", "©des": "description",
    ]

    private static let iTunes = [
        "©nam": "title", "©ART": "artist", "©day": "creationDate", "©alb": "albumName",
        "©too": "software", "desc": "description", "cprt": "copyrights", "©wrt": "author",
    ]

    /// A mapping from FFmpeg's metadata names to common keys, used for all key spaces other than
    /// the common one and those of QuickTime and iTunes.
    private static let plain = [
        "title": "title", "artist": "artist", "author": "author", "album": "albumName",
        "copyright": "copyrights", "description": "description", "publisher": "publisher",
        "encoder": "software", "make": "make", "model": "model", "location": "location",
        "creation_time": "creationDate", "date": "creationDate",
    ]
}
