internal import Foundation

/// Helpers for the orientation in image properties.
enum PictureProperties {
    static let orientation = "Orientation"
    private static let tiff = "{TIFF}"

    /// Returns an image's properties with the orientation set to upright, for use after orienting
    /// the pixels.
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
}
