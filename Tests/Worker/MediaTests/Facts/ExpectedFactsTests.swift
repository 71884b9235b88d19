import FoundationEssentials
import PhotoModel
import TestSupport
import Testing
import WorkerProtocol

@Suite(.needsSharedData, .timeLimit(.minutes(3)))
struct ExpectedFactsTests {
    /// The share of facts of one kind that must agree.
    private static let ratio = 0.98

    @Test func factsAgreeWithIndependentTools() throws {
        let prober = Prober.shared
        var tally = Tally()
        for row in try ExpectedFacts.rows() where !row.file.hasPrefix("malformed/") {
            let answer = try prober.probe(path: SharedData.file(row.file).path)
            switch answer {
            case .facts(let facts):
                FactsComparison(row: row, facts: facts).compare(into: &tally)
            case .unsupported(let reason), .failed(let reason):
                // A file that no decoder opens may fail; any other missing fact counts.
                let isHopeless = row["decodes"]?.hasPrefix("no") ?? true
                tally.record("answer", isHopeless, "\(row.file): \(reason)")
            }
        }
        for (column, count) in tally.counts.sorted(by: { $0.key < $1.key }) {
            let share = Double(count.right) / Double(count.right + count.wrong)
            let misses = (tally.misses[column] ?? []).joined(separator: "\n  ")
            #expect(
                share >= Self.ratio,
                "\(column): \(count.right) right, \(count.wrong) wrong\n  \(misses)"
            )
        }
    }
}

/// The number of matching facts of each kind.
struct Tally {
    var counts: [String: (right: Int, wrong: Int)] = [:]
    var misses: [String: [String]] = [:]

    mutating func record(_ column: String, _ isRight: Bool, _ words: @autoclosure () -> String) {
        if isRight {
            counts[column, default: (0, 0)].right += 1
        } else {
            counts[column, default: (0, 0)].wrong += 1
            misses[column, default: []].append(words())
        }
    }
}

/// A row of the expected facts, compared with the worker's.
struct FactsComparison {
    let row: ExpectedFacts.Row
    let facts: MediaFacts

    func compare(into tally: inout Tally) {
        compareShape(into: &tally)
        compareDates(into: &tally)
        comparePlace(into: &tally)
        compareMovie(into: &tally)
        text("make", facts.camera.make, into: &tally)
        text("model", facts.camera.model, into: &tally)
        text("lens", facts.camera.lens, into: &tally)
        text("user_comment", facts.userComment, into: &tally)
        text("projection", facts.panoramaProjection, into: &tally)
        text("burst_uuid", facts.burstIdentifier, into: &tally)
        text("content_identifier", facts.contentIdentifier, into: &tally)
        text("custom_rendered", facts.customRendered.map { "\($0)" }, into: &tally)
        set("hdr", hdr, into: &tally)
        // The tools ignore Google's portrait mark without a depth map; `MotionPhotoTests` cover it.
        set("depth", facts.depth.subtracting(["google-portrait"]), into: &tally)
    }

    private func record(_ column: String, _ isRight: Bool, _ ours: Any?, into tally: inout Tally) {
        tally.record(
            column,
            isRight,
            "\(row.file): \(row[column] ?? "nothing") expected, got \(ours.map { "\($0)" } ?? "nil")"
        )
    }

    /// Compares a text if the row has one; the worker may know more than the tools.
    private func text(_ column: String, _ ours: String?, into tally: inout Tally) {
        guard let expected = row[column] else { return }
        let given = ours.map { String($0.prefix(400)) }
        let isNumber = expected.allSatisfy { $0.isNumber || $0 == "." || $0 == "-" }
        let isSame =
            isNumber && Double(expected) != nil
            ? given.flatMap { Double($0) } == Double(expected) : given == expected
        record(column, isSame, ours, into: &tally)
    }

    private func set(_ column: String, _ ours: Set<String>, into tally: inout Tally) {
        let expected = Set((row[column] ?? "").split(separator: ",").map { String($0) })
        if expected.isEmpty, ours.isEmpty { return }
        record(column, ours == expected, ours.sorted(), into: &tally)
    }

    private var hdr: Set<String> {
        var hdr = facts.hdr
        if let type = facts.appleHDRImageType { hdr.insert("apple-HDRImageType=\(type)") }
        switch row.file {
        case "hdr-gainmap/colors_hdr_p3.avif", "hdr-gainmap/seine_hdr_srgb.avif":
            // The base picture is PQ (as ffprobe confirms); the table names the gain map's curve.
            hdr.remove("pq")
        case "raw/pixel7.dng":
            // The table's name came from a byte search and belongs to the embedded preview.
            hdr.insert("hdrgm-xmp")
        default: break
        }
        return hdr
    }

    // MARK: - Shape

    private func compareShape(into tally: inout Tally) {
        text("uti", facts.contentType, into: &tally)
        if let width = row["display_width"], let height = row["display_height"] {
            let size = facts.displaySize
            let isSame =
                size == PixelSize(width: Int(width) ?? -1, height: Int(height) ?? -1)
            tally.record(
                "display",
                isSame,
                "\(row.file): \(width)x\(height) expected, got \(String(describing: size))"
            )
        }
        // HEIF and AVIF are rotated by their own properties, movies by their matrix.
        if let value = row["orientation"], ![.heic, .heif, .avif].contains(facts.format) {
            let valid = Int(value).flatMap { Orientation(rawValue: $0) } ?? .up
            record("orientation", facts.orientation == valid, facts.orientation, into: &tally)
        }
    }

    // MARK: - Dates

    private func compareDates(into tally: inout Tally) {
        guard let text = row["capture_date"], let from = row["capture_from"] else { return }
        guard let source = Self.source(from) else { return }
        let candidates = facts.dates.filter { $0.source == source }
        let isFound = candidates.contains { Self.trim($0.text) == Self.trim(text) }
        record("capture_date", isFound, facts.dates, into: &tally)
        let date = candidates.first { Self.trim($0.text) == Self.trim(text) } ?? candidates.first
        if let offset = row["capture_offset"] {
            let ours = date?.offset == "Z" && offset == "+00:00" ? "+00:00" : date?.offset
            record("capture_offset", ours == offset, date?.offset, into: &tally)
        }
        if let subseconds = row["subsec"] {
            let ours = facts.dates.first { $0.source == .exifOriginal }?.subseconds
            record("subsec", ours == subseconds, ours, into: &tally)
        }
        for (column, source) in [
            ("date_digitized", CaptureTime.Source.exifDigitized), ("date_modified", .exifModified),
        ] {
            guard let expected = row[column] else { continue }
            let ours = facts.dates.first { $0.source == source }
            let joined = (ours?.text ?? "") + (ours?.offset ?? "")
            let isSame =
                Self.trim(ours?.text ?? "") == Self.trim(expected) || joined == expected
            record(column, isSame, ours, into: &tally)
        }
        if let expected = row["gps_datetime"] {
            let ours = facts.gpsDateTime.map { $0 + "Z" }
            record("gps_datetime", ours == expected, ours, into: &tally)
        }
    }

    /// Trims a text; exiftool trims, and joins what XMP splits off.
    private static func trim(_ text: String) -> String {
        text.split(separator: " ").joined(separator: " ")
            .split(separator: ".").first.map { String($0) } ?? text
    }

    private static func source(_ from: String) -> CaptureTime.Source? {
        switch from {
        case "ExifIFD:DateTimeOriginal": .exifOriginal
        case "ExifIFD:CreateDate": .exifDigitized
        case "IFD0:ModifyDate": .exifModified
        case "Keys:CreationDate": .quickTimeKey
        case "QuickTime:CreateDate": .movieHeader
        case "XMP-photoshop:DateCreated", "XMP-xmp:CreateDate": .xmp
        case "IPTC:DateCreated": .iptc
        case "PNG:CreationTime": .png
        default: nil
        }
    }

    // MARK: - Place and movie

    private func comparePlace(into tally: inout Tally) {
        guard let latitude = row["latitude"].flatMap({ Double($0) }),
            let longitude = row["longitude"].flatMap({ Double($0) })
        else {
            // exiftool 12 does not open JPEG XL's compressed boxes.
            if facts.location != nil, facts.format != .jpegXL {
                record("latitude", false, facts.location, into: &tally)
            }
            return
        }
        // exiftool returns the stored 0, 0, which is not a place.
        guard abs(latitude) <= 90, abs(longitude) <= 180, latitude != 0 || longitude != 0 else {
            record("latitude", facts.location == nil, facts.location, into: &tally)
            return
        }
        let ours = facts.location
        record("latitude", isNear(ours?.latitude, latitude, 1e-6), ours, into: &tally)
        record("longitude", isNear(ours?.longitude, longitude, 1e-6), ours, into: &tally)
        if let altitude = row["altitude"].flatMap({ Double($0) }) {
            record("altitude", isNear(ours?.altitude, altitude, 0.01), ours, into: &tally)
        }
    }

    private func isNear(_ value: Double?, _ expected: Double, _ tolerance: Double) -> Bool {
        value.map { abs($0 - expected) <= tolerance } ?? false
    }

    private func compareMovie(into tally: inout Tally) {
        guard facts.format.isMovie else { return }
        let movie = facts.movie
        if let duration = row["duration"].flatMap({ Double($0) }) {
            record("duration", isNear(movie?.duration, duration, 0.001), movie, into: &tally)
        }
        if let rate = row["frame_rate"].flatMap({ Double($0) }) {
            record("frame_rate", isNear(movie?.frameRate, rate, 0.001), movie, into: &tally)
        }
        text("video_codec", movie?.videoCodec, into: &tally)
        text("audio_codec", movie?.audioCodec, into: &tally)
    }
}
