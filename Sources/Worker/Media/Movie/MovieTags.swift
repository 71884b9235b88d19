internal import PhotoModel

/// The mapping of metadata entries in other formats to QuickTime's keys.
enum MovieTags {
    /// Returns QuickTime's key for a metadata entry of any format; nil if the entry has no
    /// equivalent.
    static func key(of item: MovieMetadataItem) -> String? {
        if item.keySpace == "mdta" { return item.key.isEmpty ? nil : item.key }
        return known[item.key] ?? (item.key.hasPrefix("com.") ? item.key : nil)
    }

    private static let known: [String: String] = [
        "\u{A9}nam": "com.apple.quicktime.title",
        "\u{A9}cmt": "com.apple.quicktime.comment",
        "\u{A9}des": "com.apple.quicktime.description",
        "desc": "com.apple.quicktime.description",
        "\u{A9}day": "com.apple.quicktime.creationdate",
        "\u{A9}ART": "com.apple.quicktime.artist",
        "\u{A9}aut": "com.apple.quicktime.author",
        "\u{A9}alb": "com.apple.quicktime.album",
        "\u{A9}gen": "com.apple.quicktime.genre",
        "\u{A9}cpy": "com.apple.quicktime.copyright",
        "cprt": "com.apple.quicktime.copyright",
        "\u{A9}key": "com.apple.quicktime.keywords",
        "\u{A9}mak": "com.apple.quicktime.make",
        "\u{A9}mod": "com.apple.quicktime.model",
        "\u{A9}swr": "com.apple.quicktime.software",
        "\u{A9}too": "com.apple.quicktime.software",
        "\u{A9}xyz": "com.apple.quicktime.location.ISO6709",
        "title": "com.apple.quicktime.title",
        "comment": "com.apple.quicktime.comment",
        "description": "com.apple.quicktime.description",
        "artist": "com.apple.quicktime.artist",
        "album": "com.apple.quicktime.album",
        "genre": "com.apple.quicktime.genre",
        "copyright": "com.apple.quicktime.copyright",
        "keywords": "com.apple.quicktime.keywords",
        "make": "com.apple.quicktime.make",
        "model": "com.apple.quicktime.model",
        "date": "com.apple.quicktime.creationdate",
        "location": "com.apple.quicktime.location.ISO6709",
    ]
}
