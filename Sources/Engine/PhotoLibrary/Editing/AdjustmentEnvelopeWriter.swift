internal import Foundation
internal import LibraryService
internal import PhotoModel

/// Writes what an editor did as Apple's envelope, the property list that other programs know.
enum AdjustmentEnvelopeWriter {
    static let contentType = "com.apple.photos.apple-adjustment-envelope"
    static let pathExtension = "aae"

    /// The bytes of an envelope.
    ///
    /// - Parameters:
    ///   - adjustments: What the editor did.
    ///   - editor: Who the editor is.
    ///   - time: When it did that.
    /// - Returns: A property list in XML.
    /// - Throws: `invalidRequest` for adjustments that cannot be stored.
    static func data(
        _ adjustments: ContentAdjustments,
        editor: String,
        time: Date
    ) throws(LibraryError) -> Data {
        try check(adjustments)
        let members: [String: Any] = [
            "adjustmentBaseVersion": 0,
            "adjustmentData": adjustments.data,
            "adjustmentEditorBundleID": editor.filter { $0 != "\0" },
            "adjustmentFormatIdentifier": adjustments.formatIdentifier,
            "adjustmentFormatVersion": adjustments.formatVersion,
            "adjustmentTimestamp": time,
        ]
        do {
            return try PropertyListSerialization.data(
                fromPropertyList: members,
                format: .xml,
                options: 0
            )
        } catch {
            throw LibraryError(
                .internalError,
                "The adjustments of an edit could not be written.",
                reason: "\(error)",
                recovery: "This is a defect; please report it."
            )
        }
    }

    private static func check(_ adjustments: ContentAdjustments) throws(LibraryError) {
        func refusal(_ reason: String, _ recovery: String) -> LibraryError {
            LibraryError(
                .invalidRequest,
                "The adjustment data of an edit cannot be saved.",
                reason: reason,
                recovery: recovery
            )
        }
        for (name, text) in [
            ("format identifier", adjustments.formatIdentifier),
            ("format version", adjustments.formatVersion),
        ] {
            guard !text.isEmpty, text.utf8.count <= 4096,
                !text.unicodeScalars.contains(where: { $0.value < 0x20 })
            else {
                throw refusal(
                    "Their \(name) is \(text.isEmpty ? "empty" : "too long, or has control characters").",
                    "Give a short text, such as com.example.editor."
                )
            }
        }
        guard adjustments.data.count <= ContentAdjustments.maximumLength else {
            throw refusal(
                "They have \(adjustments.data.count) bytes, and"
                    + " \(ContentAdjustments.maximumLength) are the most.",
                "Save what was done to the photo, not the photo."
            )
        }
    }
}
