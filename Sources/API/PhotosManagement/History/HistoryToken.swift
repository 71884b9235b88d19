internal import LibraryService
internal import PhotoModel

/// A place in a library's history, as text that can be kept.
///
/// It stands for everything up to one transaction of one library. The text is `LIBRARY:VERSION:STAMP`,
/// the library's UUID, a number, and what tells the transaction from another of that number, as there is
/// one when an older copy of the library was put back. The token stays valid when the library is moved,
/// and until history is pruned beyond it. Text without a stamp, as older versions wrote it, is a token,
/// too; then nothing but the number is compared.
public struct HistoryToken: Sendable, Hashable, Codable, LosslessStringConvertible {
    /// The UUID of the library that it belongs to.
    public let libraryIdentifier: String
    /// Of the last transaction that is included; 0 for the beginning.
    public let version: Int64
    let stamp: HistoryStamp?

    init(libraryIdentifier: String, version: Int64, stamp: HistoryStamp?) {
        self.libraryIdentifier = libraryIdentifier
        self.version = version
        self.stamp = stamp
    }

    /// Reads the text of a token; nil when it is none.
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
