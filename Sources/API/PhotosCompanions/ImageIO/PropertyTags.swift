internal import Foundation
internal import PhotoModel
internal import WorkerProtocol

/// The EXIF tags for writing an image's properties to a file.
struct PropertyTags {
    private(set) var directories = TagDirectories()

    /// Creates EXIF tags from an image's properties.
    ///
    /// - Parameters:
    ///   - properties: The properties, under ImageIO's keys.
    ///   - size: The size of the stored image.
    ///   - isSRGB: Whether the image's colors are sRGB.
    init(_ properties: [String: Any], size: PixelSize, isSRGB: Bool) {
        var tiff = PropertyValue.dictionary(properties["{TIFF}"]) ?? [:]
        var exif = PropertyValue.dictionary(properties["{Exif}"]) ?? [:]
        var gps = PropertyValue.dictionary(properties["{GPS}"]) ?? [:]
        // The pixel format and the compression are determined by the file that is written.
        for key in ["Compression", "PhotometricInterpretation", "TileWidth", "TileLength"] {
            tiff[key] = nil
        }
        tiff["Orientation"] = Self.orientation(properties)?.rawValue
        if let across = PropertyValue.number(properties["DPIWidth"]),
            let down = PropertyValue.number(properties["DPIHeight"])
        {
            tiff["XResolution"] = across
            tiff["YResolution"] = down
            tiff["ResolutionUnit"] = 2
        }
        exif["PixelXDimension"] = size.width
        exif["PixelYDimension"] = size.height
        exif["ColorSpace"] = isSRGB ? 1 : 65535
        exif["ExifVersion"] = exif["ExifVersion"] ?? [2, 3, 2]
        if !gps.isEmpty { gps["GPSVersion"] = gps["GPSVersion"] ?? [2, 3, 0, 0] }
        directories.image = Self.entries(tiff, .image)
        directories.photo = Self.entries(exif, .photo)
        directories.gps = Self.entries(gps, .gps)
        if let comment = exif["UserComment"].flatMap(PropertyValue.text), !comment.isEmpty {
            directories.photo.append(.undefined(0x9286, Self.comment(comment)))
        }
        let notes = PropertyValue.dictionary(properties["{MakerApple}"]) ?? [:]
        if let note = Self.appleNote(notes) { directories.photo.append(.undefined(0x927c, note)) }
    }

    /// Returns the orientation in the properties; nil if they contain none.
    static func orientation(_ properties: [String: Any]) -> PhotoModel.Orientation? {
        let tiff = PropertyValue.dictionary(properties["{TIFF}"])
        let number =
            PropertyValue.integer(properties["Orientation"])
            ?? PropertyValue.integer(tiff?["Orientation"])
        return number.flatMap { PhotoModel.Orientation(rawValue: $0) }
    }

    private static func entries(
        _ values: [String: Any],
        _ directory: WrittenTag.Directory
    ) -> [TagDirectories.Entry] {
        ImageTag.all(in: directory).compactMap { number, tag in
            guard let value = values[tag.key], !PropertyValue.isNull(value) else { return nil }
            return tag.entry(number, value)
        }
    }

    /// Returns a text in the form of an EXIF user comment: the name of the character code, then the
    /// text.
    private static func comment(_ text: String) -> [UInt8] {
        if text.utf8.allSatisfy({ $0 < 128 }) {
            return Array("ASCII\0\0\0".utf8) + Array(text.utf8)
        }
        return Array("UNICODE\0".utf8)
            + text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }

    /// Returns Apple's maker note from values keyed by decimal tag numbers; nil if no value can be
    /// encoded.
    private static func appleNote(_ values: [String: Any]) -> [UInt8]? {
        let entries = values.compactMap { key, value -> TagDirectories.Entry? in
            guard let number = Int(key), (1...0xffff).contains(number) else { return nil }
            if let text = PropertyValue.text(value) { return .text(number, text) }
            if let values = PropertyValue.array(value) {
                let numbers = values.compactMap { PropertyValue.number($0) }
                return numbers.isEmpty || numbers.count < values.count
                    ? nil : .signedRationals(number, numbers)
            }
            guard let value = PropertyValue.number(value) else { return nil }
            guard let whole = Int(exactly: value) else { return .signedRationals(number, [value]) }
            return .signedLong(number, whole)
        }
        guard !entries.isEmpty else { return nil }
        let head = Array("Apple iOS\0\0\u{1}MM".utf8)
        return head + TagDirectories.directory(entries, at: head.count)
    }
}

extension ImageTag {
    /// Returns the directory entry that stores a client's property value under this tag; nil if the
    /// value is not valid for the tag.
    func entry(_ number: Int, _ value: Any) -> TagDirectories.Entry? {
        switch form {
        case .text: return PropertyValue.text(value).map { .text(number, $0) }
        case .clock:
            guard let parts = PropertyValue.text(value)?.split(separator: ":") else { return nil }
            let numbers = parts.compactMap { Double($0) }.filter(\.isFinite)
            return numbers.count == 3 ? .rationals(number, numbers) : nil
        case .angle:
            guard let angle = PropertyValue.number(value), angle.isFinite else { return nil }
            return .rationals(number, Self.parts(of: angle))
        case .version: return digits(value).map { .undefined(number, $0) }
        case .int, .double, .ints, .doubles:
            // Programs may pass an ISO speed as a single number, and a single number in an array.
            let values = PropertyValue.array(value) ?? [value]
            let numbers = values.compactMap { PropertyValue.number($0) }.filter(\.isFinite)
            guard !numbers.isEmpty, numbers.count == values.count else { return nil }
            return numeric(number, numbers)
        }
    }

    private func numeric(_ number: Int, _ values: [Double]) -> TagDirectories.Entry {
        let integers = values.map { Int($0.rounded(.toNearestOrAwayFromZero).bounded) }
        let bytes = integers.map { UInt8(clamping: $0) }
        switch stored {
        case .byte: return .bytes(number, bytes)
        case .undefined: return .undefined(number, bytes)
        case .short: return .shorts(number, integers)
        case .long: return .long(number, integers[0])
        case .signedLong: return .signedLong(number, integers[0])
        case .signedRational: return .signedRationals(number, values)
        case .rational, .text: return .rationals(number, values)
        }
    }

    /// Returns the four digits of a version as ASCII characters; nil if the value is not a version.
    ///
    /// The value is text of four characters, or an array of numbers that may lack leading and
    /// trailing zeros.
    private func digits(_ value: Any) -> [UInt8]? {
        if let text = PropertyValue.text(value), text.utf8.count == 4 { return Array(text.utf8) }
        guard var numbers = PropertyValue.array(value)?.compactMap({ PropertyValue.integer($0) }),
            (1...4).contains(numbers.count), numbers.allSatisfy({ (0...9).contains($0) })
        else { return nil }
        if numbers.count < 4 { numbers = [0] + numbers }
        while numbers.count < 4 { numbers.append(0) }
        return numbers.map { UInt8($0 + 48) }
    }

    /// Returns the degrees, minutes and seconds of an angle in degrees, ignoring its sign.
    private static func parts(of angle: Double) -> [Double] {
        let size = abs(angle)
        var degrees = size.rounded(.down)
        var minutes = ((size - degrees) * 60).rounded(.down)
        // Seconds are rounded to 1e-7, about 3 micrometers on Earth.
        var seconds = (((size - degrees) * 60 - minutes) * 60 * 1e7).rounded() / 1e7
        if seconds >= 60 { (seconds, minutes) = (0, minutes + 1) }
        if minutes >= 60 { (minutes, degrees) = (0, degrees + 1) }
        return [degrees, minutes, max(0, seconds)]
    }
}

extension Double {
    /// The number clamped to ±1e15, which an `Int` can represent.
    fileprivate var bounded: Double { min(max(self, -1e15), 1e15) }
}
