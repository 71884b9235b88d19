internal import LibraryService
internal import PhotoModel

/// A position in a library's history, with a textual form for storage.
///
/// The token represents the state up to one transaction of one library. The text is
/// `LIBRARY:VERSION:STAMP`: the library's UUID, the version number, and a stamp that distinguishes
/// transactions of the same number, which occur when an older copy of the library is restored. The
/// token stays valid when the library is moved, and until history is pruned past it. Text without a
/// stamp, as older versions wrote it, is also valid; then only the number is compared.
public struct HistoryToken: Sendable, Hashable, Codable, LosslessStringConvertible {
    /// The UUID of the library.
    public let libraryIdentifier: String
    /// The version of the last transaction up to this position; 0 for the beginning of the history.
    public let version: Int64
    let stamp: HistoryStamp?

    init(libraryIdentifier: String, version: Int64, stamp: HistoryStamp?) {
        self.libraryIdentifier = libraryIdentifier
        self.version = version
        self.stamp = stamp
    }

    /// Parses the text of a token; returns nil when it is invalid.
    public init?(_ description: String) {
        let parts = description.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), !parts[0].isEmpty, let version = Int64(parts[1]),
            version >= 0,
            parts[1].allSatisfy(\.isNumber)
        else { return nil }
        let stamp = parts.count == 3 ? HistoryStamp(String(parts[2])) : nil
        guard parts.count == 2 || stamp != nil else { return nil }
        self.init(
            libraryIdentifier: String(parts[0]).uppercased(),
            version: version,
            stamp: stamp
        )
    }

    /// The token as text.
    public var description: String {
        "\(libraryIdentifier):\(version)" + (stamp.map { ":\($0)" } ?? "")
    }

    /// Encodes the token as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Decodes a token from a string.
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
