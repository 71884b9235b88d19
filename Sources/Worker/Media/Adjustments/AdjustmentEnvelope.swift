/// What an editor did, as Apple's envelope holds it: a property list, in XML or binary, of whose
/// members three matter.
package struct AdjustmentEnvelope {
    /// The longest name or version that is believed, in bytes.
    private static let longestText = 4096

    package var formatIdentifier: String
    package var formatVersion: String
    package var data: [UInt8]

    /// Reads an envelope; nil when one of the three is missing or damaged.
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

/// A value of a property list, as far as it is of use here.
enum PropertyListValue {
    case text(String)
    case data([UInt8])
    case other
}
