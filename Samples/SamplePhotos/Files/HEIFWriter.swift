package import Foundation
package import PhotoModel

/// Writes HEIF files of uncompressed pixels (ISO/IEC 23001-17): a primary picture, its thumbnails,
/// and the crop and rotation of each.
package struct HEIFWriter {
    /// A transformative property of a picture.
    package enum Transform: Hashable, Sendable {
        /// Crops to a rectangle.
        case crop(PixelRectangle)
        /// Rotates by quarter turns, counterclockwise.
        case rotation(Int)
        /// Swaps left and right, or top and bottom.
        case mirror(isHorizontal: Bool)
    }

    /// A picture in the file.
    package struct Item: Hashable, Sendable {
        /// The pixels as stored.
        package var image: RGBImage
        /// In the order in which they apply.
        package var transforms: [Transform]

        package init(_ image: RGBImage, _ transforms: [Transform] = []) {
            self.image = image
            self.transforms = transforms
        }
    }

    private let primary: Item
    private let thumbnails: [Item]
    private var items: [Item] { [primary] + thumbnails }

    package init(_ primary: Item, thumbnails: [Item] = []) {
        self.primary = primary
        self.thumbnails = thumbnails
    }

    /// The file's bytes.
    package var data: Data {
        let type = Self.box("ftyp", Data("mif1".utf8) + Data(count: 4) + Data("mif1heif".utf8))
        // The index has the same length for any position of the pixels.
        let start = type.count + index(pixelsAt: 0).count + 8
        let pixels = items.reduce(into: Data()) { $0.append(contentsOf: $1.image.bytes) }
        return type + index(pixelsAt: start) + Self.box("mdat", pixels)
    }

    // MARK: - Boxes

    private func index(pixelsAt start: Int) -> Data {
        var content = Data(count: 4)
        content += Self.box("hdlr", Data(count: 8) + Data("pict".utf8) + Data(count: 13))
        content += Self.box("pitm", Data(count: 4) + Self.number(1, 2))
        content += Self.box("iinf", Data(count: 4) + Self.number(items.count, 2) + entries)
        content += Self.box("iref", Data(count: 4) + references)
        content += Self.box("iprp", properties)
        content += Self.box("iloc", locations(from: start))
        return Self.box("meta", content)
    }

    private var entries: Data {
        items.indices.reduce(into: Data()) { data, index in
            let version = Data([2, 0, 0, 0])
            let entry = Self.number(index + 1, 2) + Data(count: 2) + Data("unci\0".utf8)
            data += Self.box("infe", version + entry)
        }
    }

    private var references: Data {
        thumbnails.indices.reduce(into: Data()) { data, index in
            data += Self.box("thmb", [index + 2, 1, 1].reduce(Data()) { $0 + Self.number($1, 2) })
        }
    }

    private func locations(from start: Int) -> Data {
        var data = Data([0, 0, 0, 0, 0x44, 0]) + Self.number(items.count, 2)
        var offset = start
        for (index, item) in items.enumerated() {
            data += Self.number(index + 1, 2) + Data(count: 2) + Self.number(1, 2)
            data += Self.number(offset, 4) + Self.number(item.image.bytes.count, 4)
            offset += item.image.bytes.count
        }
        return data
    }

    private var properties: Data {
        var boxes = Data()
        var count = 0
        var associations = Data(count: 4) + Self.number(items.count, 4)
        for (index, item) in items.enumerated() {
            let own = Self.properties(of: item)
            boxes += own.reduce(Data(), +)
            associations += Self.number(index + 1, 2) + Data([UInt8(own.count)])
            // All properties except the first, the size, are essential.
            associations += Data(own.indices.map { UInt8(count + $0 + 1) | ($0 > 0 ? 0x80 : 0) })
            count += own.count
        }
        return Self.box("ipco", boxes) + Self.box("ipma", associations)
    }

    private static func properties(of item: Item) -> [Data] {
        let size = item.image.size
        // Red, green and blue of 8 bits, interleaved by pixel, one tile.
        let components = (0..<3).reduce(Data()) { $0 + number($1, 2) + Data([7, 0, 0]) }
        let layout = Data(count: 8) + number(3, 4) + components + Data([0, 1]) + Data(count: 22)
        return [
            box("ispe", Data(count: 4) + number(size.width, 4) + number(size.height, 4)),
            box("cmpd", [4, 5, 6].reduce(number(3, 4)) { $0 + number($1, 2) }),
            box("uncC", layout),
        ] + item.transforms.map { box(for: $0, of: size) }
    }

    private static func box(for transform: Transform, of size: PixelSize) -> Data {
        switch transform {
        case .crop(let part):
            // The offset of the part's center from the picture's center, in halves.
            let across = 2 * part.x + part.size.width - size.width
            let down = 2 * part.y + part.size.height - size.height
            let numbers = [part.size.width, 1, part.size.height, 1, across, 2, down, 2]
            return box("clap", numbers.reduce(Data()) { $0 + number($1, 4) })
        case .rotation(let turns): return box("irot", Data([UInt8(turns & 3)]))
        case .mirror(let isHorizontal): return box("imir", Data([isHorizontal ? 1 : 0]))
        }
    }

    private static func box(_ type: String, _ body: Data) -> Data {
        number(body.count + 8, 4) + Data(type.utf8) + body
    }

    private static func number(_ value: Int, _ length: Int) -> Data {
        Data((0..<length).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) })
    }
}
