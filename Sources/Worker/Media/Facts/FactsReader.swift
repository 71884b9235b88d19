internal import Glibc
package import PhotoModel
package import WorkerProtocol

/// A converter from a file's raw metadata to the facts that the library stores.
package struct FactsReader {
    let metadata: RawMetadata
    let container: Container
    /// Indicates whether the EXIF block is big-endian.
    ///
    /// A UTF-16 comment is read in this byte order if its own cannot be detected.
    let isBigEndian: Bool

    package init(metadata: RawMetadata, container: Container, isBigEndian: Bool) {
        self.metadata = metadata
        self.container = container
        self.isBigEndian = isBigEndian
    }

    /// Adds the metadata's facts to `facts`.
    package func read(into facts: inout MediaFacts) {
        readDates(into: &facts)
        let gps = GPSReader(metadata: metadata)
        facts.location = gps.location
        facts.isLocationOfCamera =
            facts.location != nil && gps.isLocationInEXIF
            && metadata[.image, 0x010f]?.text != nil && metadata[.image, 0x0110]?.text != nil
        facts.gpsDateTime = gps.dateTime
        readCamera(into: &facts)
        readWords(into: &facts)
        readApple(into: &facts)
        readGoogle(into: &facts)
        readSpecialCaptures(into: &facts)
        facts.warnings += metadata.warnings.prefix(4).map { "Metadata: \($0)" }
    }

    /// The main image's orientation; nil if it is missing or invalid.
    package var orientation: Orientation? {
        let value =
            metadata[.image, 0x0112]?.integer
            ?? metadata.xmp("tiff.Orientation").flatMap { Int($0) }
        return value.flatMap { Orientation(rawValue: $0) }
    }

    // MARK: - Camera

    private func readCamera(into facts: inout MediaFacts) {
        facts.camera.make = metadata[.image, 0x010f]?.text ?? metadata.xmp("tiff.Make")
        facts.camera.model = metadata[.image, 0x0110]?.text ?? metadata.xmp("tiff.Model")
        facts.camera.software =
            metadata[.image, 0x0131]?.text ?? metadata.xmp("tiff.Software")
            ?? container.texts["Software"]
        facts.camera.lens =
            metadata[.photo, 0xa434]?.text ?? metadata.xmp("aux.Lens")
            ?? metadata.xmp("exifEX.LensModel") ?? makersLens
        facts.camera.aperture =
            positive(metadata[.photo, 0x829d]?.double)
            ?? apex(metadata[.photo, 0x9202]).map { (pow(2, $0 / 2) * 100).rounded() / 100 }
        facts.camera.exposureTime =
            positive(metadata[.photo, 0x829a]?.double)
            ?? apex(metadata[.photo, 0x9201]).map { pow(2, -$0) }
        facts.camera.focalLength = positive(metadata[.photo, 0x920a]?.double)
        facts.camera.focalLengthIn35mmFilm = positive(metadata[.photo, 0xa405]?.double)
        let speed = metadata[.photo, 0x8827]?.integer
        // 65535 indicates that the number does not fit and is in another tag.
        facts.camera.isoSpeed =
            speed == 65535 ? metadata[.photo, 0x8833]?.integer ?? speed : speed
        if let value = facts.camera.isoSpeed, value <= 0 { facts.camera.isoSpeed = nil }
    }

    /// The lens name that Exiv2 reports; nil if Exiv2 reports only an unknown lens number.
    private var makersLens: String? {
        guard let lens = metadata.makersLens, lens.contains(where: \.isLetter),
            !lens.hasPrefix("("), !["n/a", "none", "unknown"].contains(lens.lowercased())
        else { return nil }
        return lens
    }

    /// Returns an APEX value; nil for implausible values and for 0, which cameras write for unknown
    /// values.
    private func apex(_ value: TagValue?) -> Double? {
        guard let value = value?.double, value.isFinite, value != 0, abs(value) <= 20 else {
            return nil
        }
        return value
    }

    private func positive(_ value: Double?) -> Double? {
        guard let value, value.isFinite, value > 0 else { return nil }
        return value
    }

    // MARK: - Text

    private func readWords(into facts: inout MediaFacts) {
        facts.title =
            text("dc.title") ?? iptcText(2, 5) ?? windowsText(0x9c9b)
            ?? container.texts["Title"]
        facts.caption =
            lines("dc.description") ?? iptcText(2, 120)
            ?? metadata[.image, 0x010e]?.text ?? container.texts["Description"] ?? writtenComment
        let windows = windowsText(0x9c9e)?.split(separator: ";").map { String($0) } ?? []
        let reader = KeywordReader(xmp: metadata.xmp, others: iptcTexts(2, 25) + windows)
        let paths = reader.paths
        let keywords = reader.keywords(with: paths)
        facts.keywords = keywords.kept
        facts.isTextCut = metadata.isTextCut || keywords.isCut
        facts.kept = KeptMetadataReader(xmp: metadata.xmp, keywordPaths: paths).metadata
        facts.isComplete = isComplete
        facts.rating = rating
        facts.userComment = userComment ?? text("exif.UserComment")
        facts.metadataDate = text("xmp.MetadataDate").map {
            WrittenText.date(WrittenText.fromISO($0), source: .xmp)
        }
        facts.hasDarktableHistory = metadata.xmp.keys.contains { $0.hasPrefix("darktable.") }
    }

    /// Indicates whether the XMP states all of the asset's metadata, as in sidecars of this
    /// library's exports.
    private var isComplete: Bool { metadata.xmp("photos.isComplete") == "True" }

    /// Returns the first non-empty value of an XMP property, without line breaks.
    private func text(_ key: String) -> String? {
        lines(key).flatMap { Text.clean($0) }
    }

    /// Returns the first non-empty value of an XMP property with its line breaks.
    private func lines(_ key: String) -> String? {
        metadata.xmp[key]?.first { !$0.isEmpty }
    }

    /// The user comment in XMP; nil for the marker that iOS writes for screenshots.
    private var writtenComment: String? {
        text("exif.UserComment").flatMap { $0 == "Screenshot" ? nil : $0 }
    }

    /// The rating in stars, where 0 is unrated and -1 is rejected; nil if it is missing or invalid.
    private var rating: Int? {
        if let stars = number("xmp.Rating"), (-1...5).contains(stars) { return stars }
        if let percent = number("MicrosoftPhoto.Rating"), let stars = Self.stars(percent) {
            return stars
        }
        if let stars = metadata[.image, 0x4746]?.integer, (0...5).contains(stars) { return stars }
        return metadata[.image, 0x4749]?.integer.flatMap(Self.stars)
    }

    private func number(_ key: String) -> Int? {
        text(key).flatMap { Double($0) }.flatMap { Int(exactly: $0.rounded()) }
    }

    /// Converts Windows' rating in percent to stars; Windows writes 1, 25, 50, 75 and 99.
    private static func stars(_ percent: Int) -> Int? {
        switch percent {
        case 0: 0
        case 1...12: 1
        case 13...37: 2
        case 38...62: 3
        case 63...87: 4
        case 88...100: 5
        default: nil
        }
    }

    /// The user comment in EXIF, whose first eight bytes name the character set.
    private var userComment: String? {
        guard let value = metadata[.photo, 0x9286] else { return nil }
        return value.withView { bytes in
            let text = bytes.available(at: 8)
            if bytes.starts(with: "UNICODE\u{0}") {
                return Text.utf16(text, isBigEndian: isBigEndian(text))
            }
            if bytes.starts(with: "ASCII\u{0}\u{0}\u{0}") || bytes.starts(with: "JIS\u{0}")
                || bytes.starts(with: "\u{0}\u{0}\u{0}IICSA")
                || bytes.available(at: 0, length: 8).bytes.allSatisfy({ $0 == 0 })
            {
                return Text.clean(text.bytes)
            }
            return Text.clean(bytes.bytes)
        }
    }

    /// Returns whether a UTF-16 text is big-endian, determined from its byte order mark or from a
    /// Latin first letter.
    ///
    /// The EXIF block's byte order is only the fallback, because not all programs follow it.
    private func isBigEndian(_ text: ByteView) -> Bool {
        if text.starts(with: "\u{FE}") { return true }
        guard let first = text.byte(at: 0), let second = text.byte(at: 1) else {
            return isBigEndian
        }
        if first == 0xfe, second == 0xff { return true }
        if first == 0xff, second == 0xfe { return false }
        if first == 0, second != 0 { return true }
        if first != 0, second == 0 { return false }
        return isBigEndian
    }

    private func windowsText(_ tag: Int) -> String? {
        metadata[.image, tag]?.withView { Text.utf16($0, isBigEndian: false) }
    }

    private func iptcTexts(_ record: Int, _ tag: Int) -> [String] {
        (metadata.iptc[record << 16 | tag] ?? []).compactMap { Text.clean($0) }
    }

    private func iptcText(_ record: Int, _ tag: Int) -> String? {
        iptcTexts(record, tag).first
    }

    // MARK: - Special captures

    private func readApple(into facts: inout MediaFacts) {
        facts.customRendered = metadata[.photo, 0xa401]?.integer
        guard let note = metadata[.photo, 0x927c]?.withView({ AppleMakerNote($0) }) else { return }
        facts.burstIdentifier = note.burstIdentifier
        facts.contentIdentifier = note.contentIdentifier
        facts.appleHDRImageType = note.hdrImageType
    }

    private func readGoogle(into facts: inout MediaFacts) {
        if facts.burstIdentifier == nil,
            let burst = metadata.xmp("GCamera.BurstID") ?? metadata.xmp("GCreations.CameraBurstID")
        {
            facts.burstIdentifier = burst
            facts.isBurstPrimary = metadata.xmp("GCamera.BurstPrimary") == "1"
        }
        // The name alone, or as the suffix of a longer one.
        let types = metadata.xmp["GCamera.SpecialTypeID"] ?? []
        if types.contains(where: { $0.hasSuffix("PORTRAIT") }) {
            facts.depth.insert("google-portrait")
        }
    }

    private func readSpecialCaptures(into facts: inout MediaFacts) {
        facts.hdr.formUnion(container.hdr)
        facts.depth.formUnion(container.depth)
        for key in metadata.xmp.keys {
            if key.hasPrefix("hdrgm.") { facts.hdr.insert("hdrgm-xmp") }
            if key.hasPrefix("HDRGainMap.") { facts.hdr.insert("apple-gainmap-xmp") }
            if key.hasPrefix("GDepth.") { facts.depth.insert("gdepth") }
            if key.hasPrefix("depthData.") { facts.depth.insert("apple-depth-xmp") }
        }
        let semantics = metadata.xmp.filter { $0.key.hasSuffix("Item:Semantic") }
        if semantics.values.contains(where: { $0.contains("GainMap") }) {
            facts.hdr.insert("hdrgm-xmp")
        }
        readPanorama(into: &facts)
        facts.isStereo = facts.isStereo || container.isStereo
        if let movie = container.embeddedMovie {
            facts.embeddedMovieLength = Int64(movie.length)
            facts.embeddedMovieTail = Int64(movie.tail)
        } else {
            facts.embeddedMovieLength = embeddedMovieLength
        }
    }

    private func readPanorama(into facts: inout MediaFacts) {
        facts.panoramaProjection = metadata.xmp("GPano.ProjectionType")
        let full = metadata.xmp("GPano.FullPanoWidthPixels").flatMap { Int($0) }
        let part = metadata.xmp("GPano.CroppedAreaImageWidthPixels").flatMap { Int($0) }
        let hasPart = if let full, let part { full > part } else { false }
        facts.isPanorama =
            facts.customRendered == 6
            || (facts.panoramaProjection != nil && (hasPart || full != nil))
    }

    /// The length of the movie at the end of an Android motion photo; nil for other files.
    private var embeddedMovieLength: Int64? {
        for name in ["GCamera.MicroVideoOffset", "GCamera.MotionPhotoOffset"] {
            if let offset = metadata.xmp(name).flatMap({ Int64($0) }), offset > 0 { return offset }
        }
        for (key, values) in metadata.xmp where key.hasSuffix("Item:Semantic") {
            guard values.first == "MotionPhoto" else { continue }
            let stem = key.dropLast("Semantic".count)
            if let length = metadata.xmp("\(stem)Length").flatMap({ Int64($0) }), length > 0 {
                return length
            }
        }
        return nil
    }
}
