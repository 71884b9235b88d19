internal import Foundation
internal import PhotoModel
internal import WorkerProtocol

/// The properties of an image file, in the form of ImageIO's dictionaries.
struct ImageProperties {
    private let facts: MediaFacts

    init(_ facts: MediaFacts) {
        self.facts = facts
    }

    /// The properties under ImageIO's keys, with values that bridge to Foundation's strings,
    /// numbers, arrays and dictionaries.
    var dictionary: [String: Any] {
        var result: [String: Any] = [
            "ColorModel": "RGB", "Orientation": orientation,
        ]
        if let size = pixelSize {
            result["PixelWidth"] = size.width
            result["PixelHeight"] = size.height
        }
        var tiff = tags(.image)
        tiff["Make"] = tiff["Make"] ?? facts.camera.make
        tiff["Model"] = tiff["Model"] ?? facts.camera.model
        tiff["Software"] = tiff["Software"] ?? facts.camera.software
        if tiff["Orientation"] != nil { tiff["Orientation"] = orientation }
        if let across = tiff["XResolution"] as? Double, let down = tiff["YResolution"] as? Double,
            let inch = Self.inch(tiff["ResolutionUnit"] as? Int)
        {
            result["DPIWidth"] = across * inch
            result["DPIHeight"] = down * inch
        }
        var exif = tags(.photo)
        exif["LensModel"] = exif["LensModel"] ?? facts.camera.lens
        exif["UserComment"] = facts.userComment
        result["{TIFF}"] = tiff.isEmpty ? nil : tiff
        result["{Exif}"] = exif.isEmpty ? nil : exif
        result["{GPS}"] = place
        result["{IPTC}"] = words
        result["{MakerApple}"] = appleNotes
        result["ProfileName"] = facts.profileName
        if facts.format == .gif || facts.isAnimated, let count = facts.frameCount {
            result[animationKey] = ["FrameCount": count]
        }
        return result
    }

    // MARK: - Helpers

    /// Returns the length of an inch in a resolution unit of TIFF; nil for a unit without a fixed
    /// length, whose resolution only states the aspect ratio of the pixels.
    private static func inch(_ unit: Int?) -> Double? {
        switch unit {
        // TIFF's default unit is the inch.
        case nil, 2: 1
        case 3: 2.54
        default: nil
        }
    }

    /// The key of the dictionary with the number of frames.
    ///
    /// It is GIF's for animations in formats for which there is no other dictionary.
    private var animationKey: String {
        switch facts.format {
        case .png: "{PNG}"
        case .webp: "{WebP}"
        case .heic, .heif: "{HEICS}"
        case .avif: "{AVIS}"
        default: "{GIF}"
        }
    }

    /// The size of the decoded pixels before ``orientation`` is applied.
    private var pixelSize: PixelSize? {
        isTurnedByTag ? facts.storedSize ?? facts.displaySize : facts.displaySize
    }

    /// The EXIF orientation; 1 for formats whose decoders orient the image.
    private var orientation: Int { isTurnedByTag ? Int(facts.orientation.rawValue) : 1 }

    private var isTurnedByTag: Bool { facts.format.leavesTurning }

    private func tags(_ directory: WrittenTag.Directory) -> [String: Any] {
        var result: [String: Any] = [:]
        for tag in facts.tags where tag.directory == directory {
            guard let named = ImageTag.named(tag), let value = named.value(tag.value) else {
                continue
            }
            result[named.key] = value
        }
        return result
    }

    /// The maker notes of Apple's cameras, keyed by decimal tag numbers.
    private var appleNotes: [String: Any]? {
        var result: [String: Any] = [:]
        for tag in facts.tags where tag.directory == .apple {
            switch tag.value {
            case .text(let text): result["\(tag.number)"] = text
            case .numbers(let numbers):
                let values = numbers.map { number -> Any in
                    Int(exactly: number).map { $0 as Any } ?? number
                }
                result["\(tag.number)"] = values.count == 1 ? values[0] : values
            }
        }
        return result.isEmpty ? nil : result
    }

    private var place: [String: Any]? {
        var result = tags(.gps)
        // The location of a file that states it only in XMP.
        if let location = facts.location, result["Latitude"] == nil || result["Longitude"] == nil {
            result["Latitude"] = abs(location.latitude)
            result["LatitudeRef"] = location.latitude < 0 ? "S" : "N"
            result["Longitude"] = abs(location.longitude)
            result["LongitudeRef"] = location.longitude < 0 ? "W" : "E"
            if let altitude = location.altitude {
                result["Altitude"] = abs(altitude)
                result["AltitudeRef"] = altitude < 0 ? 1 : 0
            }
        }
        return result.isEmpty ? nil : result
    }

    private var words: [String: Any]? {
        var result: [String: Any] = [:]
        result["ObjectName"] = facts.title
        result["Caption/Abstract"] = facts.caption
        result["Keywords"] = facts.keywords.isEmpty ? nil : facts.keywords
        result["StarRating"] = facts.rating
        return result.isEmpty ? nil : result
    }
}

extension MediaFacts {
    /// The color space in which an image from this file is written, which depends on the file's
    /// color profile or color codes.
    ///
    /// It is sRGB if the profile is sRGB or gray, or if the file has none. For any other profile,
    /// it is Display P3. The name of the profile is read together with the tags.
    var colorSpace: CGColorSpace {
        let name = profileName ?? ""
        let isPlain =
            name.isEmpty || name.contains("sRGB") || name.lowercased().contains("gray")
            || name.contains("Gamma 2.2")
        return isPlain ? .standard : .wide
    }
}
