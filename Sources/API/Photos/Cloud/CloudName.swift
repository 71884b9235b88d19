internal import Foundation
internal import PhotoModel

/// The components of a cloud identifier.
///
/// It has the form `LIBRARY:001:SHA-256` for an asset, `LIBRARY:040:UUID` for an album, and
/// `LIBRARY:020:UUID` for a folder.
struct CloudName: Hashable {
    /// The UUID of the library.
    let library: String
    let kind: ObjectKind
    /// The original's SHA-256 digest as 64 lowercase hexadecimal digits, or the UUID of a
    /// collection.
    let value: String

    init(library: String, kind: ObjectKind, value: String) {
        self.library = library
        self.kind = kind
        self.value = value
    }

    /// Parses the text of an identifier, or returns nil if it has a different format.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let library = UUID(uuidString: parts[0])?.uuidString,
            let kind = Self.codes.first(where: { $0.value == parts[1] })?.key
        else { return nil }
        let value: String
        if kind == .asset {
            value = parts[2].lowercased()
            guard value.utf8.count == 64,
                value.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
            else { return nil }
        } else {
            guard let uuid = UUID(uuidString: parts[2]) else { return nil }
            value = uuid.uuidString
        }
        self.init(library: library, kind: kind, value: value)
    }

    var text: String { "\(library):\(Self.codes[kind] ?? ""):\(value)" }

    /// The code of each object kind in cloud identifiers and at the end of local identifiers.
    private static let codes: [ObjectKind: String] = [
        .asset: "001", .album: "040", .folder: "020",
        .moment: "060", .momentList: "080",
    ]
}
