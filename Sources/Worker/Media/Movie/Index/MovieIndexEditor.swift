internal import PhotoModel

/// An editor for the metadata in a movie's index.
struct MovieIndexEditor {
    let conversion: MovieConversion

    /// Adds and removes metadata as the conversion specifies.
    ///
    /// Returns false if metadata cannot be added because the index has a `meta` box in another
    /// format.
    func edit(_ index: inout IndexBox) -> Bool {
        if !conversion.keepsMetadata { strip(&index) }
        let added = conversion.metadata.compactMap { item in
            MovieTags.key(of: item).map { (key: $0, value: item.value) }
        }
        guard !added.isEmpty else { return true }
        var metadata = IndexMetadata()
        if let box = index.first("meta") {
            guard let known = IndexMetadata(box) else { return false }
            metadata = known
        }
        takeUserData(from: &index, replaced: added.map(\.key), into: &metadata)
        for item in added { metadata.set(item.key, item.value) }
        index.put(metadata.box(isQuickTime: conversion.container == .mov))
        return true
    }

    /// Removes the user data entries that the given new keys replace, and moves QuickTime metadata
    /// from the user data to `metadata`.
    ///
    /// Programs other than Apple's store entries in the user data.
    ///
    /// Readers may handle two key tables in one movie incorrectly.
    private func takeUserData(
        from index: inout IndexBox,
        replaced keys: [String],
        into metadata: inout IndexMetadata
    ) {
        guard var userData = index.first("udta"), !userData.boxes.isEmpty else { return }
        userData.boxes.removeAll { box in
            guard box.type.first == 0xa9 else { return false }
            let letters = "\u{A9}" + String(decoding: box.type.dropFirst(), as: UTF8.self)
            let item = MovieMetadataItem(keySpace: "udta", key: letters, value: "")
            return MovieTags.key(of: item).map(keys.contains) == true
        }
        if let box = userData.first("meta"), let older = IndexMetadata(box) {
            metadata.add(older)
            userData.remove(["meta"])
        }
        index.put(userData)
    }

    /// Removes the metadata and the dates of the movie and all its tracks.
    private func strip(_ index: inout IndexBox) {
        index.remove(["meta", "udta"])
        index.change("trak") { $0.remove(["meta", "udta"]) }
        for name in ["mvhd", "tkhd", "mdhd"] {
            index.change(name) { box in
                var bytes = box.bytes
                // The creation and modification dates: four bytes each, or eight in version 1.
                let length = bytes.first == 1 ? 16 : 8
                guard bytes.count >= 4 + length else { return }
                for at in 4..<4 + length { bytes[at] = 0 }
                box.content = .bytes(bytes)
            }
        }
    }
}
