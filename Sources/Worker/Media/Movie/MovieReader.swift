internal import CFFmpegShim
internal import PhotoModel
package import WorkerProtocol

/// A reader for a movie's facts with FFmpeg's demuxers.
package struct MovieReader {
    private static let maximumKeys = 200

    private var entries: [String: String] = [:]

    /// Silences FFmpeg's log.
    ///
    /// Must be called once, before the sandbox is entered.
    package static func start() { cphotos_ffmpeg_start() }

    /// Computes the tables of the decoders that most movies need, so that reading a movie is
    /// faster.
    ///
    /// Needs no movie and starts no thread.
    package static func warmUp() { cphotos_ffmpeg_warm_up() }

    /// Reads a movie from a file descriptor into `facts`.
    ///
    /// - Returns: nil, or the reason for a failure as text for users.
    package static func read(
        _ descriptor: Int32,
        head: ByteView,
        into facts: inout MediaFacts
    ) -> String? {
        var reader = MovieReader()
        if let reason = reader.read(descriptor, into: &facts) { return reason }
        // Adds dates that FFmpeg does not read.
        switch facts.format {
        case .mpegTS:
            if let date = TransportStream(head)?.recordingDate {
                facts.dates.append(
                    WrittenDate(source: .quickTimeKey, text: date.text, offset: date.offset)
                )
            }
        case .asf:
            if let text = ASFHeader.creationDate(in: head) {
                facts.dates.append(WrittenDate(source: .movieHeader, text: text, offset: "Z"))
            }
        default: break
        }
        return nil
    }

    private mutating func read(_ descriptor: Int32, into facts: inout MediaFacts) -> String? {
        var movie = cphotos_movie()
        var words = [CChar](repeating: 0, count: 256)
        let code = withUnsafeMutablePointer(to: &self) { reader in
            cphotos_movie_read(
                descriptor,
                Self.demuxer(for: facts.format),
                &movie,
                { context, key, value in
                    context?.assumingMemoryBound(to: MovieReader.self).pointee
                        .add(String(cString: key), value: String(cString: value))
                },
                UnsafeMutableRawPointer(reader),
                &words,
                words.count
            )
        }
        guard code == 0 else {
            return "The movie cannot be read: \(Self.clause(words))."
        }
        guard movie.hasVideo != 0 else {
            return movie.hasAudio != 0
                ? "It is an audio recording without a picture."
                : "The movie has no picture: it is truncated or damaged."
        }
        if facts.format.isBoxedMovie {
            let metadata = QuickTimeMetadata(descriptor: descriptor)
            // Drops all such keys that FFmpeg read, because it may pair a key with another key's
            // value.
            entries = entries.filter { !$0.key.hasPrefix("com.") }
                .merging(metadata.values) { $1 }
            facts.isStereo = metadata.isStereo
        }
        describe(movie, into: &facts)
        return nil
    }

    /// Returns FFmpeg's error message as text that can follow a colon in a message to users, or `it
    /// is damaged` if FFmpeg gave none.
    static func clause(_ words: [CChar]) -> String {
        Text.clean(words.map { UInt8(bitPattern: $0) }) ?? "it is damaged"
    }

    /// Returns FFmpeg's name of a container.
    package static func demuxer(for format: MediaFormat) -> String {
        switch format {
        case .avi: "avi"
        case .asf: "asf"
        case .mpegPS: "mpeg"
        case .mpegTS: "mpegts"
        case .bmp: "bmp_pipe"
        case .psd: "psd_pipe"
        case .tiff: "tiff_pipe"
        case .mkv: "matroska"
        default: "mov"
        }
    }

    private mutating func add(_ key: String, value: String) {
        guard entries.count < Self.maximumKeys, entries[key] == nil, let key = Text.clean(key)
        else { return }
        entries[key] = Text.clean(value)
    }

    // MARK: - Facts

    private func describe(_ movie: cphotos_movie, into facts: inout MediaFacts) {
        let duration = movie.duration.isFinite && movie.duration >= 0 ? movie.duration : 0
        var description = MovieSummary(duration: duration)
        if movie.frameRate.isFinite, movie.frameRate > 0 { description.frameRate = movie.frameRate }
        description.videoCodec = Self.name(movie.videoCodec)
        description.audioCodec = movie.hasAudio != 0 ? Self.name(movie.audioCodec) : nil
        description.isCutShort = movie.isCutShort != 0
        description.keys = entries.filter { $0.key.contains(".") }
        facts.movie = description
        if movie.frames > 0 { facts.frameCount = Int(clamping: movie.frames) }
        if movie.transfer == 16 { facts.hdr.insert("pq") }
        if movie.transfer == 18 { facts.hdr.insert("hlg") }

        facts.orientation = .turned(
            quarterTurns: Int(movie.quarterTurns),
            isMirrored: movie.isMirrored != 0
        )
        let width = Int(movie.width)
        let height = Int(movie.height)
        if width > 0, height > 0 {
            let size = PixelSize(width: width, height: height)
            facts.storedSize = size
            facts.displaySize = size.displayed(with: facts.orientation)
        } else {
            facts.markUnreadable("The movie does not declare the size of its picture.")
        }
        describeDates(into: &facts)
        describeCamera(into: &facts)
    }

    private func describeDates(into facts: inout MediaFacts) {
        // Reads all keys, because one may contain only a year or text and another the full date.
        for key in ["com.apple.quicktime.creationdate", "\u{A9}day", "udta.date", "date"] {
            guard let text = entries[key] else { continue }
            let date = WrittenText.date(WrittenText.fromISO(text), source: .quickTimeKey)
            if !facts.dates.contains(date) { facts.dates.append(date) }
        }
        // FFmpeg reports 1904 or 1970 for an unset date.
        if let text = entries["creation_time"], !text.hasPrefix("1904-01-01T00:00:00"),
            !text.hasPrefix("1970-01-01T00:00:00"), !text.hasPrefix("0000")
        {
            var date = WrittenText.date(WrittenText.fromISO(text), source: .movieHeader)
            date.offset = "Z"
            if date.subseconds?.allSatisfy({ $0 == "0" }) == true { date.subseconds = nil }
            facts.dates.append(date)
        }
    }

    private func describeCamera(into facts: inout MediaFacts) {
        func first(_ keys: String...) -> String? {
            keys.lazy.compactMap { entries[$0] }.first
        }
        facts.camera.make = first(
            "com.apple.quicktime.make",
            "\u{A9}mak",
            "make",
            "com.android.manufacturer"
        )
        facts.camera.model = first(
            "com.apple.quicktime.model",
            "\u{A9}mod",
            "model",
            "com.android.model"
        )
        facts.camera.software = first("com.apple.quicktime.software", "\u{A9}swr", "software")
        facts.camera.lens = first("com.apple.quicktime.camera.lens_model")
        facts.title = first("com.apple.quicktime.title", "title")
        facts.caption = first("com.apple.quicktime.description", "description", "comment")
        facts.contentIdentifier = first("com.apple.quicktime.content.identifier")
        if let keywords = first("com.apple.quicktime.keywords", "keywords") {
            facts.keywords = keywords.split { $0 == "," || $0 == ";" }
                .compactMap { Text.clean(String($0)) }
        }
        if let text = first(
            "com.apple.quicktime.location.ISO6709",
            "\u{A9}xyz",
            "location",
            "location-eng"
        ) {
            facts.location = ISO6709.location(in: text)
        }
    }

    private static func name(_ tuple: some Any) -> String? {
        withUnsafeBytes(of: tuple) { Text.clean($0) }
    }
}

/// The parsing of locations in movies: `+37.3346-122.0089+062.4/`.
///
/// 0, 0 counts as no location.
enum ISO6709 {
    static func location(in text: String) -> Location? {
        var numbers: [Double] = []
        var current = ""
        func flush() {
            if let value = Double(current), value.isFinite { numbers.append(value) }
            current = ""
        }
        for character in text {
            if character == "+" || character == "-" {
                flush()
                current = String(character)
            } else if character.isASCII, character.isNumber || character == "." {
                current.append(character)
            } else {
                break
            }
        }
        flush()
        guard numbers.count >= 2, (-90...90).contains(numbers[0]),
            (-180...180).contains(numbers[1])
        else { return nil }
        let location = Location(
            latitude: numbers[0],
            longitude: numbers[1],
            altitude: numbers.count > 2 ? numbers[2] : nil
        )
        return location.isNullIsland ? nil : location
    }
}
