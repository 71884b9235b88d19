package import Foundation

extension SampleFile {
    /// Returns Apple's adjustment envelope: the editor that changed a photo, and its recipe.
    package static func aae(
        formatIdentifier: String = "com.apple.photo",
        formatVersion: String = "1.4",
        recipe: Data = Data("sample adjustment".utf8)
    ) throws -> Data {
        let envelope: [String: Any] = [
            "adjustmentBaseVersion": 0,
            "adjustmentData": recipe,
            "adjustmentEditorBundleID": "com.apple.mobileslideshow",
            "adjustmentFormatIdentifier": formatIdentifier,
            "adjustmentFormatVersion": formatVersion,
            "adjustmentTimestamp": Date(timeIntervalSince1970: 1_700_000_000),
        ]
        return try PropertyListSerialization.data(
            fromPropertyList: envelope,
            format: .xml,
            options: 0
        )
    }

    /// Returns an XMP sidecar with title, caption, keywords and rating.
    package static func xmp(_ metadata: SampleMetadata) -> Data {
        Data(XMPPacket(metadata: metadata).text.utf8)
    }
}
