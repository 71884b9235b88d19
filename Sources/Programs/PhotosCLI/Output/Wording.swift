import Photos

/// Formats numbers and names for sentences.
enum Wording {
    /// Formats a count, as in `1 asset` or `3 assets`.
    static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Formats the name of a collection, as in `the album “Summer”`.
    static func name(_ collection: PHCollection) -> String {
        let kind = collection is PHCollectionList ? "folder" : "album"
        return "the \(kind) \(TerminalStyle.quoted(collection.localizedTitle ?? ""))"
    }

    /// Formats the name of one collection or the number of several, as in `the album “Summer”` or
    /// `3 albums`.
    static func names(_ collections: [PHCollection]) -> String {
        if collections.count == 1 { return name(collections[0]) }
        let folders = collections.count { $0 is PHCollectionList }
        let albums = collections.count - folders
        return [(albums, "album"), (folders, "folder")].filter { $0.0 > 0 }
            .map { count($0.0, $0.1) }.joined(separator: " and ")
    }
}
