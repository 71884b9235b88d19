internal import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

/// Conversion of resource records to and from the form that devices exchange.
extension ResourceRecord {
    private static let travelling = [
        "type", "originalFilename", "contentType", "size", "pixelWidth", "pixelHeight",
    ]
    private static let pathExtension = "pathExtension"

    /// Converts the record to a `CloudResource`, the form in which other devices receive it.
    ///
    /// - Throws: `corrupt` if the row has no UUID or no hash.
    func cloudResource() throws -> CloudResource {
        guard let content = ContentID(hexadecimal: sha256) else {
            throw Self.notTravelling(uuid)
        }
        let ext = (path as NSString).pathExtension
        return CloudResource(
            id: try CloudID.of(uuid),
            content: content,
            record: CloudColumns.encode(
                Self.map.journaled(self, columns: Self.travelling),
                [(Self.pathExtension, ext.databaseValue)]
            )
        )
    }

    /// Creates the record of a file that another device announced.
    init(_ resource: CloudResource, of asset: AssetRecord, isEdit: Bool) throws {
        let uuid = resource.id.uuid
        var ext = "bin"
        var values = Self.map.columns.map(\.original)
        func set(_ name: String, _ value: DatabaseValue) {
            if let place = Self.map.places[name] { values[place] = value }
        }
        for (name, value) in try CloudColumns.decode(resource.record) {
            if Self.travelling.contains(name) {
                set(name, value.databaseValue)
            } else if name == Self.pathExtension, case .text(let text) = value,
                // A name from elsewhere never becomes a path.
                (1...8).contains(text.utf8.count), text.utf8.allSatisfy({ Self.safe.contains($0) })
            {
                ext = text
            }
        }
        set("uuid", uuid.databaseValue)
        set("assetId", asset.id.databaseValue)
        let path = FilePlacement.target(uuid: uuid, pathExtension: ext, isEdit: isEdit)
        set("path", path.databaseValue)
        set("sha256", resource.content.data.databaseValue)
        var cells = Self.map.reader(id: 0, values + [asset.uuid.databaseValue])
        try self.init(cells: &cells)
    }

    private static let safe = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8
    )

    private static func notTravelling(_ uuid: String) -> LibraryError {
        LibraryError(
            .corrupt,
            "The file \(uuid) cannot be exchanged with other devices.",
            reason: "Its row is damaged.",
            recovery: "Run photos verify.",
            identifiers: [uuid]
        )
    }
}

extension CloudID {
    /// Converts the UUID of an object to its cloud identifier.
    ///
    /// - Throws: `corrupt` for a text that is not an upper-case UUID.
    static func of(_ uuid: String) throws -> CloudID {
        if let id = CloudID(uuid: uuid) { return id }
        throw LibraryError(
            .corrupt,
            "The object \(uuid) cannot be exchanged with other devices.",
            reason: "Its identifier is not a UUID.",
            recovery: "Run photos verify.",
            identifiers: [uuid]
        )
    }
}

extension ContentID {
    /// Creates a content's identifier from its SHA-256 in 64 lowercase hexadecimal digits; nil for
    /// any other text.
    init?(hexadecimal text: String) {
        guard text.utf8.count == 64, let first = CloudID(hexadecimal: text.prefix(32)),
            let second = CloudID(hexadecimal: text.suffix(32))
        else { return nil }
        self.init(first, second)
    }

    /// The SHA-256 in hexadecimal digits.
    var hexadecimal: String { first.hexadecimal + second.hexadecimal }
}
