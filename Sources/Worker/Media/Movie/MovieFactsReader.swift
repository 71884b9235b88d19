internal import CFFmpegShim
package import PhotoModel
package import WorkerProtocol

/// The reason why a movie cannot be read or converted.
package enum MovieFailure: Error, Hashable, Sendable {
    /// The caller canceled the operation.
    case cancelled
    /// The movie is damaged, exceeds a limit, or cannot be converted as requested; the text is a
    /// clause for users.
    case source(String)
    /// The output file cannot be written; the text is a clause for users.
    case output(String)
}

/// A reader for the metadata of a movie and the properties of its tracks.
package struct MovieFactsReader {
    private static let maximumTracks = 200
    private static let maximumEntries = 500

    private var facts: MovieFacts
    /// The metadata entries that FFmpeg found, with FFmpeg's names as keys.
    private var entries: [MovieMetadataItem] = []

    /// Reads a movie from a file descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: A regular file, at any offset.
    ///   - format: The format detected from its content.
    ///   - type: Its uniform type identifier.
    /// - Returns: The facts.
    /// - Throws: `MovieFailure.source`.
    package static func read(
        _ descriptor: Int32,
        format: MediaFormat,
        type: String
    ) throws(MovieFailure) -> MovieFacts {
        var reader = MovieFactsReader(facts: MovieFacts(containerType: type))
        try reader.readTracks(descriptor, format: format)
        reader.readMetadata(descriptor, format: format)
        return reader.facts
    }

    private mutating func readTracks(
        _ descriptor: Int32,
        format: MediaFormat
    ) throws(MovieFailure) {
        var words = [CChar](repeating: 0, count: 256)
        var microseconds: Int64 = -1
        let code = withUnsafeMutablePointer(to: &self) { reader in
            cphotos_movie_tracks(
                descriptor,
                MovieReader.demuxer(for: format),
                &microseconds,
                { context, track in
                    context?.assumingMemoryBound(to: MovieFactsReader.self).pointee
                        .add(track.pointee)
                },
                { context, key, value in
                    context?.assumingMemoryBound(to: MovieFactsReader.self).pointee
                        .add(String(cString: key), String(cString: value))
                },
                UnsafeMutableRawPointer(reader),
                &words,
                words.count
            )
        }
        guard code == 0 else { throw .source(MovieReader.clause(words)) }
        guard !facts.tracks.isEmpty else {
            throw .source("it has no track, so it is truncated or damaged")
        }
        facts.duration = MovieTime(value: max(0, microseconds), timescale: 1_000_000)
    }

    // MARK: - Tracks

    private mutating func add(_ track: cphotos_track) {
        guard facts.tracks.count < Self.maximumTracks else { return }
        var description = MovieTrack(id: track.id, kind: Self.kind(of: track))
        let scale = max(1, track.timescale)
        description.codec = track.codec
        description.mediaSubtypeName = Text.clean(String(cString: track.name)) ?? ""
        description.start = MovieTime(value: track.start, timescale: scale)
        description.duration = MovieTime(value: max(0, track.duration), timescale: scale)
        description.timescale = scale
        description.width = Int(max(0, track.width))
        description.height = Int(max(0, track.height))
        description.transform = Self.transform(of: track)
        description.nominalFrameRate = Self.finite(track.frameRate)
        if track.minimumFrame > 0 {
            description.minFrameDuration = MovieTime(value: track.minimumFrame, timescale: scale)
        }
        description.estimatedDataRate = Self.finite(track.dataRate)
        description.totalSampleDataLength = max(0, track.dataLength)
        description.language = withUnsafeBytes(of: track.language) { Text.clean($0) }
        description.isEnabled = track.isEnabled != 0
        description.channels = Int(max(0, track.channels))
        description.sampleRate = Self.finite(track.sampleRate)
        description.isHDR = track.isHDR != 0
        description.isDecodable = track.isDecodable != 0
        description.fitsQuickTime = track.fitsQuickTime != 0
        facts.tracks.append(description)
        if track.isProtected != 0 { facts.hasProtectedContent = true }
    }

    private static func finite(_ value: Double) -> Double {
        value.isFinite && value > 0 ? value : 0
    }

    private static func kind(of track: cphotos_track) -> MovieTrack.Kind {
        switch Int(track.kind) {
        case cphotos_track_video: .video
        case cphotos_track_audio: .audio
        case cphotos_track_metadata: .metadata
        case cphotos_track_subtitle: .subtitle
        case cphotos_track_timecode: .timecode
        default: .other
        }
    }

    private static func transform(of track: cphotos_track) -> MovieTransform {
        let m = track.matrix
        func value(_ fixed: Int32) -> Double { Double(fixed) / 65536 }
        return MovieTransform(
            a: value(m.0),
            b: value(m.1),
            c: value(m.3),
            d: value(m.4),
            tx: value(m.6),
            ty: value(m.7)
        )
    }

    // MARK: - Metadata

    private mutating func add(_ key: String, _ value: String) {
        guard entries.count < Self.maximumEntries, let key = Text.clean(key),
            let value = Text.clean(value)
        else { return }
        entries.append(MovieMetadataItem(keySpace: "ffmp", key: key, value: value))
    }

    private mutating func readMetadata(_ descriptor: Int32, format: MediaFormat) {
        let ownWords = ["major_brand", "minor_version", "compatible_brands"]
        let others = entries.filter { !ownWords.contains($0.key) }
        if !format.isBoxedMovie {
            facts.metadata = others
        } else {
            facts.metadata = QuickTimeMetadata(descriptor: descriptor).items
            if let track = StillImageTrack.identifier(in: MovieLayout(descriptor: descriptor)) {
                facts.stillImageTime = facts.tracks.first { $0.id == track }?.start
            }
            // 3GPP stores the location in a separate box.
            let hasPlace = facts.metadata.contains {
                $0.key == "\u{A9}xyz" || $0.key == "com.apple.quicktime.location.ISO6709"
            }
            if !hasPlace { facts.metadata += others.filter { $0.key == "location" } }
        }
        facts.creationDate = creationDate
    }

    private var creationDate: String? {
        let keys = ["com.apple.quicktime.creationdate", "\u{A9}day", "date"]
        for key in keys {
            if let item = facts.metadata.first(where: { $0.key == key }) { return item.value }
        }
        // FFmpeg reports 1904 or 1970 for an unset date.
        return entries.first { $0.key == "creation_time" }
            .map(\.value)
            .flatMap { text in
                ["1904-01-01T00:00:00", "1970-01-01T00:00:00", "0000"]
                    .contains(where: text.hasPrefix) ? nil : text
            }
    }
}
