internal import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

/// Files as they travel.
extension ResourceRecord {
    private static let travelling = [
        "type", "originalFilename", "contentType", "size", "pixelWidth", "pixelHeight",
    ]
    private static let pathExtension = "pathExtension"

    /// The file as other devices know it.
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

    /// Creates the row of another device's file.
    init(
        _ resource: CloudResource,
        of asset: AssetRecord,
        isEdit: Bool,
        in database: Database
    ) throws {
        var values = try CloudColumns.decode(resource.record)
        let uuid = resource.id.uuid
        var ext = "bin"
        // A name from elsewhere never becomes a path.
        if case .text(let text)? = values[Self.pathExtension], (1...8).contains(text.utf8.count),
            text.utf8.allSatisfy({ Self.safe.contains($0) })
        {
            ext = text
        }
        let path = FilePlacement.target(uuid: uuid, pathExtension: ext, isEdit: isEdit)
        values = values.filter { Self.travelling.contains($0.key) }
        values["uuid"] = .text(uuid)
        values["assetId"] = .integer(asset.id)
        values["path"] = .text(path)
        values["sha256"] = .text("x:" + resource.content.hexadecimal)
        guard let record = try ResourceRecord(id: 0, values, of: asset, in: database) else {
            throw Self.notTravelling(uuid)
        }
        self = record
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
    /// Returns the name of an object with a UUID.
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
    /// Creates the name of a content with a SHA-256 in 64 lower-case hexadecimal digits; nil for
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
