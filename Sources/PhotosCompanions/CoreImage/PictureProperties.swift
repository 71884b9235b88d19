internal import Foundation
internal import PhotoModel
internal import WorkerProtocol

/// What a file says of its picture, under the names that ImageIO has for it.
enum PictureProperties {
    static let orientation = "Orientation"
    private static let tiff = "{TIFF}"

    static func make(_ file: PictureFile) -> [String: Any] {
        let facts = file.facts
        let size = file.source.description.size
        let number = Int(file.orientation.rawValue)
        var properties: [String: Any] = [
            "PixelWidth": size.width, "PixelHeight": size.height, "ColorModel": "RGB",
            orientation: number,
        ]
        var tiff: [String: Any] = [orientation: number]
        tiff["Make"] = facts.camera.make
        tiff["Model"] = facts.camera.model
        tiff["Software"] = facts.camera.software
        tiff["ImageDescription"] = facts.caption
        tiff["DateTime"] = text(.exifModified, in: facts)
        properties[Self.tiff] = tiff
        var exif: [String: Any] = [
            "PixelXDimension": size.width, "PixelYDimension": size.height,
        ]
        exif["DateTimeOriginal"] = text(.exifOriginal, in: facts)
        exif["DateTimeDigitized"] = text(.exifDigitized, in: facts)
        let original = facts.dates.first { $0.source == .exifOriginal }
        exif["SubsecTimeOriginal"] = original?.subseconds
        exif["OffsetTimeOriginal"] = original?.offset
        exif["LensModel"] = facts.camera.lens
        exif["FNumber"] = facts.camera.aperture
        exif["ExposureTime"] = facts.camera.exposureTime
        exif["ISOSpeedRatings"] = facts.camera.isoSpeed.map { [$0] }
        exif["FocalLength"] = facts.camera.focalLength
        exif["FocalLenIn35mmFilm"] = facts.camera.focalLengthIn35mmFilm
        exif["UserComment"] = facts.userComment
        properties["{Exif}"] = exif
        if let location = facts.location {
            var place: [String: Any] = [
                "Latitude": abs(location.latitude),
                "LatitudeRef": location.latitude < 0 ? "S" : "N",
                "Longitude": abs(location.longitude),
                "LongitudeRef": location.longitude < 0 ? "W" : "E",
            ]
            place["Altitude"] = location.altitude.map(abs)
            place["AltitudeRef"] = location.altitude.map { $0 < 0 ? 1 : 0 }
            properties["{GPS}"] = place
        }
        return properties
    }

    /// The same of a picture that was turned upright.
    static func upright(_ properties: [String: Any]) -> [String: Any] {
        guard properties[orientation] != nil else { return properties }
        var upright = properties
        upright[orientation] = 1
        if var tiff = upright[Self.tiff] as? [String: Any] {
            tiff[orientation] = 1
            upright[Self.tiff] = tiff
        }
        return upright
    }

    private static func text(_ source: CaptureTime.Source, in facts: MediaFacts) -> String? {
        facts.dates.first { $0.source == source }?.text
    }
}
