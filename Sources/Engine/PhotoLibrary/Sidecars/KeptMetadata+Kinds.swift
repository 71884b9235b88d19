internal import PhotoModel

extension KeptMetadata {
    /// The kinds of metadata that are present, in words for a report.
    var kinds: [String] {
        var kinds: [String] = []
        if label != nil { kinds.append("color label") }
        if !people.isEmpty { kinds.append("people") }
        if !regions.isEmpty { kinds.append("marked areas") }
        if !keywordPaths.isEmpty { kinds.append("hierarchy of keywords") }
        if !place.isEmpty || !placeNames.isEmpty { kinds.append("place names") }
        return kinds
    }
}
