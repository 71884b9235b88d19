package import Foundation
internal import GRDB
internal import PhotoModel

extension ResourceRecord {
    /// The columns of `resource`.
    static var map: ColumnMap<ResourceRecord> { ResourceColumns.map }

    /// The SELECT statement whose rows `init(row:)` parses, to be followed by a WHERE clause.
    static var selectSQL: String { ResourceColumns.select }

    /// Parses a row of `ResourceRecord.selectSQL`.
    init(row: Row) throws {
        var cells = RowReader(row: row, table: "resource")
        try self.init(cells: &cells)
    }

    /// Parses the cells of a row of `ResourceRecord.selectSQL`.
    init(cells: inout some CellReader) throws {
        let id: Int64 = try cells.next()
        let uuid: String = try cells.next()
        let assetID: Int64 = try cells.next()
        let type: ResourceType = try cells.next(ResourceType.init(rawValue:))
        let originalFilename: String = try cells.next()
        let contentType: String = try cells.next()
        let path: String = try cells.next()
        let size: Int64 = try cells.next()
        let sha256: Data = try cells.next()
        let width: Int = try cells.next()
        let height: Int = try cells.next()
        self.init(
            id: id,
            uuid: uuid,
            assetID: assetID,
            assetUUID: try cells.next(),
            type: type,
            originalFilename: originalFilename,
            contentType: contentType,
            path: path,
            size: size,
            sha256: Hexadecimal.text(sha256),
            pixelSize: PixelSize(width: width, height: height)
        )
    }
}

private enum ResourceColumns {
    // Immutable after its first use; the closures only read their argument.
    nonisolated(unsafe) static let map = ColumnMap<ResourceRecord>(
        table: "resource",
        columns: [
            .init("uuid") { $0.uuid },
            .init("assetId") { $0.assetID },
            .init("type") { $0.type.rawValue },
            .init("originalFilename") { $0.originalFilename },
            .init("contentType") { $0.contentType },
            .init("path") { $0.path },
            .init("size") { $0.size },
            .init("sha256") { Hexadecimal.bytes($0.sha256) },
            .init("pixelWidth") { $0.pixelSize.width },
            .init("pixelHeight") { $0.pixelSize.height },
        ]
    )

    static let select: String = {
        let list = map.columns.map { "resource." + $0.name }.joined(separator: ", ")
        return
            "SELECT resource.id, \(list), asset.uuid FROM resource JOIN asset ON asset.id = resource.assetId"
    }()
}

/// Converts between bytes and lowercase hexadecimal digits.
package enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Encodes bytes with two digits each.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes an even number of hexadecimal digits; nil for any other text.
    package static func bytes(_ text: String) -> Data? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        for character in text.utf8 {
            guard let digit = digit(character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return high == nil ? Data(bytes) : nil
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
