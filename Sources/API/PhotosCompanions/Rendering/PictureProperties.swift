internal import Foundation

/// What a picture's properties say of how it is turned.
enum PictureProperties {
    static let orientation = "Orientation"
    private static let tiff = "{TIFF}"

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
}
