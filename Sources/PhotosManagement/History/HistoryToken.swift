internal import PhotoModel

/// A place in a library's history, as text that can be kept.
///
/// It stands for everything up to one transaction of one library. The text is `LIBRARY:VERSION`, the
/// library's UUID and a number; it stays valid when the library is moved, and until history is pruned
/// beyond it.
public struct HistoryToken: Sendable, Hashable, Codable, LosslessStringConvertible {
    /// The UUID of the library that it belongs to.
    public let libraryIdentifier: String
    /// Of the last transaction that is included; 0 for the beginning.
    public let version: Int64

    init(libraryIdentifier: String, version: Int64) {
        self.libraryIdentifier = libraryIdentifier
        self.version = version
    }

    /// Reads the text of a token; nil when it is none.
    public init?(_ description: String) {
        let parts = description.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let version = Int64(parts[1]), version >= 0,
            parts[1].allSatisfy(\.isNumber)
        else { return nil }
        self.init(libraryIdentifier: String(parts[0]).uppercased(), version: version)
    }

    /// The token as text.
    public var description: String { "\(libraryIdentifier):\(version)" }

    /// The token as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Reads a token that was encoded as a string.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let token = HistoryToken(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "This is not a history token."
            )
        }
        self = token
    }
}
