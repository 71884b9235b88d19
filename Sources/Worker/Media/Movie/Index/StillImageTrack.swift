/// The metadata track that marks the still image's time in the movie of a Live Photo.
///
/// Its only sample starts at that time.
enum StillImageTrack {
    private static let key = Array("mdtacom.apple.quicktime.still-image-time".utf8)

    /// Returns the track number of the movie's still image track; nil if there is none.
    static func identifier(in layout: MovieLayout) -> Int32? {
        guard let index = layout.index else { return nil }
        for track in index.boxes where track.name == "trak" {
            // The sample description lists the metadata keys of the samples.
            guard let description = track.find("mdia", "minf", "stbl", "stsd")?.bytes,
                description.starts(at: 12, with: "mebx"),
                description.firstRange(of: key) != nil
            else { continue }
            return TimedMetadata.identifier(of: track).flatMap { Int32(exactly: $0) }
        }
        return nil
    }
}

extension [UInt8] {
    fileprivate func starts(at offset: Int, with name: String) -> Bool {
        dropFirst(offset).starts(with: name.utf8)
    }
}
