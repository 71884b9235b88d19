internal import PhotoModel
internal import WorkerProtocol

extension FactsReader {
    /// Reads all dates of the metadata into `facts`, in descending precedence.
    func readDates(into facts: inout MediaFacts) {
        var dates: [WrittenDate] = []
        func add(
            _ source: CaptureTime.Source,
            _ value: TagValue?,
            subseconds: TagValue?,
            offset: TagValue?
        ) {
            guard let text = value?.writtenText else { return }
            var date = WrittenText.date(text, source: source)
            if let digits = subseconds?.text { date.subseconds = digits }
            if let offset = offset?.text { date.offset = offset }
            dates.append(date)
        }
        add(
            .exifOriginal,
            metadata[.photo, 0x9003] ?? metadata[.image, 0x9003],
            subseconds: metadata[.photo, 0x9291],
            offset: metadata[.photo, 0x9011]
        )
        add(
            .exifDigitized,
            metadata[.photo, 0x9004] ?? metadata[.image, 0x9004],
            subseconds: metadata[.photo, 0x9292],
            offset: metadata[.photo, 0x9012]
        )
        dates += facts.format == .xmp ? sidecarDates : embeddedDates
        if let date = iptcDate { dates.append(date) }
        add(
            .exifModified,
            metadata[.image, 0x0132],
            subseconds: metadata[.photo, 0x9290],
            offset: metadata[.photo, 0x9010]
        )
        for keyword in ["Creation Time", "create-date", "CreationTime"] {
            if let text = container.texts[keyword] {
                dates.append(WrittenText.date(WrittenText.fromISO(text), source: .png))
            }
        }
        if let text = container.modified {
            dates.append(WrittenDate(source: .png, text: text, offset: "Z"))
        }
        facts.dates = dates
    }

    private var embeddedDates: [WrittenDate] {
        ["photoshop.DateCreated", "exif.DateTimeOriginal", "xmp.CreateDate"].compactMap {
            xmpDate($0)
        }
    }

    /// The capture dates of a sidecar, or its digitization date if it has no capture date.
    ///
    /// Programs that change only one date change the capture date.
    private var sidecarDates: [WrittenDate] {
        let taken = ["exif.DateTimeOriginal", "photoshop.DateCreated"].compactMap { xmpDate($0) }
        guard taken.isEmpty, var digitized = xmpDate("xmp.CreateDate") else { return taken }
        digitized.source = .exifDigitized
        return [digitized]
    }

    private func xmpDate(_ key: String) -> WrittenDate? {
        guard let text = metadata.xmp(key), !text.isEmpty else { return nil }
        return WrittenText.date(WrittenText.fromISO(text), source: .xmp)
    }

    /// The IPTC date, which two data sets contain as `YYYYMMDD` and `HHMMSS±HHMM`.
    ///
    /// Many programs write a time without a UTC offset; the offset is then nil.
    private var iptcDate: WrittenDate? {
        guard let bytes = metadata.iptc[2 << 16 | 55]?.first, let day = Text.clean(bytes),
            day.utf8.count == 8, day.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        let digits = Array(day)
        let text = "\(String(digits[0..<4])):\(String(digits[4..<6])):\(String(digits[6..<8]))"
        guard let bytes = metadata.iptc[2 << 16 | 60]?.first, let written = Text.clean(bytes),
            let time = WrittenText.iptcTime(written)
        else { return WrittenDate(source: .iptc, text: text) }
        return WrittenDate(source: .iptc, text: "\(text) \(time.clock)", offset: time.offset)
    }
}

/// The parsing of dates in the forms that programs write.
enum WrittenText {
    /// Parses a time of the form `HHMMSS` or `HH:MM:SS`, with or without a UTC offset.
    static func iptcTime(_ text: String) -> (clock: String, offset: String?)? {
        let start = text.firstIndex { !($0.isASCII && ($0.isNumber || $0 == ":")) }
        let digits = Array(text[..<(start ?? text.endIndex)].filter { $0 != ":" })
        guard digits.count == 6 else { return nil }
        let clock = "\(String(digits[0..<2])):\(String(digits[2..<4])):\(String(digits[4..<6]))"
        guard let start else { return (clock, nil) }
        let tail = text[start...]
        if tail == "Z" { return (clock, "Z") }
        guard tail.first == "+" || tail.first == "-", isOffset(tail) else { return (clock, nil) }
        return (clock, withColon(tail))
    }

    /// Splits a date into date and time, the fraction of a second, and the UTC offset.
    static func date(_ text: String, source: CaptureTime.Source) -> WrittenDate {
        var rest = Substring(text)
        var offset: String?
        if rest.hasSuffix("Z"), rest.dropLast().last?.isNumber == true {
            offset = "Z"
            rest = rest.dropLast()
        } else if let start = rest.lastIndex(where: { $0 == "+" || $0 == "-" }) {
            let tail = rest[start...]
            if isOffset(tail), rest[..<start].contains(":"), rest[..<start].last?.isNumber == true {
                offset = withColon(tail)
                rest = rest[..<start]
            }
        }
        var subseconds: String?
        if let dot = rest.lastIndex(of: "."), rest[..<dot].filter({ $0 == ":" }).count >= 2 {
            let digits = rest[rest.index(after: dot)...]
            if !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) {
                subseconds = String(digits)
                rest = rest[..<dot]
            }
        }
        return WrittenDate(
            source: source,
            text: Text.clean(String(rest)) ?? "",
            subseconds: subseconds,
            offset: offset
        )
    }

    /// Converts a date from ISO 8601 to EXIF's form; returns other text unchanged.
    ///
    /// For example, `2023-07-15T12:30:45` becomes `2023:07:15 12:30:45`.
    static func fromISO(_ text: String) -> String {
        var characters = Array(text)
        guard characters.count >= 10, characters[4] == "-", characters[7] == "-" else {
            return text
        }
        characters[4] = ":"
        characters[7] = ":"
        if characters.count > 10, characters[10] == "T" { characters[10] = " " }
        return String(characters)
    }

    /// Returns whether a text that begins with a sign is a UTC offset: `+0200`, `+02:00` or `+02`.
    private static func isOffset(_ text: Substring) -> Bool {
        let digits = text.dropFirst().filter { $0 != ":" }
        return (digits.count == 4 || digits.count == 2)
            && digits.allSatisfy { $0.isASCII && $0.isNumber }
    }

    private static func withColon(_ text: Substring) -> String {
        let digits = text.dropFirst().filter { $0 != ":" }
        let minutes = digits.count == 4 ? digits.suffix(2) : "00"
        return "\(text.prefix(1))\(digits.prefix(2)):\(minutes)"
    }
}
