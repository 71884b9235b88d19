internal import Foundation
internal import LibraryService
internal import PhotoModel

/// Writes an edit's adjustments as Apple's envelope, a property list that other programs can read.
enum AdjustmentEnvelopeWriter {
    static let contentType = "com.apple.photos.apple-adjustment-envelope"
    static let pathExtension = "aae"

    /// Encodes adjustments as an Apple adjustment envelope.
    ///
    /// - Parameters:
    ///   - adjustments: The editor's adjustments.
    ///   - editor: The editor's identifier.
    ///   - time: The time of the edit.
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
                "The adjustments of an edit cannot be written.",
                reason: "\(error)",
                recovery: "This is a bug; please report it."
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
                    "Use a short text, such as com.example.editor."
                )
            }
        }
        guard adjustments.data.count <= ContentAdjustments.maximumLength else {
            throw refusal(
                "They have \(adjustments.data.count) bytes, but at most"
                    + " \(ContentAdjustments.maximumLength) are allowed.",
                "Save a description of the edit instead of image data."
            )
        }
    }
}
