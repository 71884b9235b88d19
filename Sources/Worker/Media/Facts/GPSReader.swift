internal import PhotoModel

/// A reader for the location and the GPS time in EXIF or XMP.
struct GPSReader {
    let metadata: RawMetadata

    /// The location; nil if it is incomplete, out of range, or at latitude 0 and longitude 0.
    var location: Location? {
        guard
            let latitude = exifAngle(0x0002, reference: 0x0001, negative: "S")
                ?? xmpAngle("exif.GPSLatitude", negative: "S"),
            let longitude = exifAngle(0x0004, reference: 0x0003, negative: "W")
                ?? xmpAngle("exif.GPSLongitude", negative: "W")
        else { return nil }
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        let location = Location(latitude: latitude, longitude: longitude, altitude: altitude)
        return location.isNullIsland ? nil : location
    }

    /// Indicates whether the location is in EXIF; a location only in XMP may be from a program
    /// instead of the camera.
    var isLocationInEXIF: Bool {
        exifAngle(0x0002, reference: 0x0001, negative: "S") != nil
            && exifAngle(0x0004, reference: 0x0003, negative: "W") != nil
    }

    private func exifAngle(_ tag: Int, reference: Int, negative: String) -> Double? {
        // An angle without its hemisphere is ambiguous.
        guard let value = metadata[.gps, tag], value.count >= 1,
            let hemisphere = metadata[.gps, reference]?.text?.uppercased().prefix(1),
            !hemisphere.isEmpty
        else { return nil }
        if value.type == 2 {
            return value.text.flatMap { Self.degrees(in: $0) }.map {
                hemisphere == negative ? -$0 : $0
            }
        }
        guard let degrees = value.double(at: 0) else { return nil }
        let minutes = value.double(at: 1) ?? 0
        let seconds = value.double(at: 2) ?? 0
        let result = abs(degrees) + minutes / 60 + seconds / 3600
        guard result.isFinite else { return nil }
        return hemisphere == negative || degrees < 0 ? -result : result
    }

    /// Parses an angle in XMP: `48,51.504N`, `48,51,30.24N` or plain degrees.
    ///
    /// Apple Photos writes degrees without a letter, and the hemisphere in a separate property.
    private func xmpAngle(_ key: String, negative: Character) -> Double? {
        guard var text = metadata.xmp(key)?.uppercased() else { return nil }
        var hemisphere = metadata.xmp(key + "Ref")?.uppercased().first
        if let last = text.last, "NSEW".contains(last) {
            hemisphere = last
            text.removeLast()
        }
        guard let degrees = Self.degrees(in: text) else { return nil }
        guard degrees >= 0 else { return degrees }
        return hemisphere == negative ? -degrees : degrees
    }

    /// Parses degrees, minutes and seconds separated by spaces, commas or unit signs.
    private static func degrees(in text: String) -> Double? {
        let parts = text.split { ", \u{B0}'\"".contains($0) }.map { fraction(String($0)) }
        guard (1...3).contains(parts.count) else { return nil }
        var result = 0.0
        var unit = 1.0
        for part in parts {
            guard let part, part.isFinite else { return nil }
            result += part / unit
            unit *= 60
        }
        return result
    }

    /// Parses a decimal number or a fraction, such as `12.5` or `25/2`.
    private static func fraction(_ text: String) -> Double? {
        let parts = text.split(separator: "/")
        if parts.count == 2, let above = Double(parts[0]), let below = Double(parts[1]), below != 0
        {
            return above / below
        }
        return Double(text)
    }

    private var altitude: Double? {
        if let value = metadata[.gps, 0x0006]?.double, value.isFinite, value < 1_000_000 {
            let isBelow = metadata[.gps, 0x0005]?.integer == 1
            return isBelow ? -abs(value) : value
        }
        guard let text = metadata.xmp("exif.GPSAltitude"), let value = Self.fraction(text),
            value.isFinite
        else { return nil }
        return metadata.xmp("exif.GPSAltitudeRef") == "1" ? -abs(value) : value
    }

    /// The GPS time in UTC, as `YYYY:MM:DD HH:MM:SS[.fff]`.
    var dateTime: String? {
        guard let day = metadata[.gps, 0x001d]?.text, let time = metadata[.gps, 0x0007],
            let hour = time.double(at: 0), let minute = time.double(at: 1),
            let second = time.double(at: 2), (0..<24).contains(hour), (0..<60).contains(minute),
            (0..<61).contains(second)
        else { return nil }
        func two(_ number: Double) -> String {
            let text = String(Int(number))
            return text.count < 2 ? "0" + text : text
        }
        var fraction = ""
        let part = second - second.rounded(.down)
        if part > 0.0005 {
            let thousandths = String(min(999, Int((part * 1000).rounded())))
            fraction = "." + String(repeating: "0", count: 3 - thousandths.count) + thousandths
            while fraction.hasSuffix("0") { fraction.removeLast() }
        }
        let date = day.replacing("-", with: ":")
        return "\(date) \(two(hour)):\(two(minute)):\(two(second.rounded(.down)))\(fraction)"
    }
}
