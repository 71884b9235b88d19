/// An editor's adjustments in Apple's envelope: an XML or binary property list with three required
/// members.
package struct AdjustmentEnvelope {
    /// The maximum length, in bytes, of a format identifier or format version.
    private static let longestText = 4096

    package var formatIdentifier: String
    package var formatVersion: String
    package var data: [UInt8]

    /// Reads an envelope; returns nil when one of the three members is missing or invalid.
    package init?(_ bytes: ByteView) {
        let members =
            bytes.starts(with: "bplist")
            ? BinaryPropertyList(bytes)?.members : XMLPropertyList(bytes).members
        guard let members, case .text(let identifier)? = members["adjustmentFormatIdentifier"],
            case .text(let version)? = members["adjustmentFormatVersion"],
            case .data(let data)? = members["adjustmentData"],
            !identifier.isEmpty, identifier.utf8.count <= Self.longestText,
            version.utf8.count <= Self.longestText
        else { return nil }
        formatIdentifier = identifier
        formatVersion = version
        self.data = data
    }
}

/// A value of a property list; values of unused types are `other`.
enum PropertyListValue {
    case text(String)
    case data([UInt8])
    case number(Int)
    case flag(Bool)
    case other
}
