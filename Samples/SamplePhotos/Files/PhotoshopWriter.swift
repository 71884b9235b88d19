package import Foundation
package import PhotoModel

/// Writes Photoshop documents: a composite, image resources, and the number of layers.
package struct PhotoshopWriter {
    /// Numbers of the color modes.
    package enum Mode: UInt16, Sendable {
        case gray = 1
        case rgb = 3
        case lab = 9
    }

    package var mode: Mode
    package var size: PixelSize
    /// 8 or 16.
    package var depth = 8
    /// A plane per channel, with one byte per pixel.
    package var channels: [[UInt8]]
    /// By number.
    package var resources: [(identifier: UInt16, body: Data)] = []
    /// Negative if the channel after the colors is the composite's opacity.
    package var layerCount: Int16 = 0
    /// 1, or 2 for large documents.
    package var version: UInt16 = 1
    /// Whether rows are run-length encoded.
    package var isPacked = false

    package init(_ mode: Mode, size: PixelSize, channels: [[UInt8]]) {
        self.mode = mode
        self.size = size
        self.channels = channels
    }

    /// Creates a document of a picture.
    package init(_ image: RGBImage) {
        self.init(
            .rgb,
            size: image.size,
            channels: (0..<3).map { channel in
                stride(from: channel, to: image.bytes.count, by: 3).map { image.bytes[$0] }
            }
        )
    }

    /// The file's bytes.
    package var data: Data {
        var file = ByteWriter()
        file.append(ascii: "8BPS")
        file.append(version)
        file.append([0, 0, 0, 0, 0, 0])
        file.append(UInt16(channels.count))
        file.append(UInt32(size.height))
        file.append(UInt32(size.width))
        file.append(UInt16(depth))
        file.append(mode.rawValue)
        file.append(UInt32(0))
        append(resourceSection, to: &file)
        append(layerSection, to: &file)
        appendComposite(to: &file)
        return file.data
    }

    private func append(_ section: Data, to file: inout ByteWriter) {
        file.append(UInt32(section.count))
        file.append(section)
    }

    private var resourceSection: Data {
        var section = ByteWriter()
        for resource in resources {
            section.append(ascii: "8BIM")
            section.append(resource.identifier)
            section.append(UInt16(0))
            section.append(UInt32(resource.body.count))
            section.append(resource.body)
            section.align(to: 2)
        }
        return section.data
    }

    /// The declared number of layers, all empty.
    private var layerSection: Data {
        guard layerCount != 0 else { return Data() }
        var layers = ByteWriter()
        layers.append(layerCount)
        for _ in 0..<layerCount.magnitude {
            layers.append(Data(count: 18))
            layers.append(ascii: "8BIMnorm")
            layers.append([255, 0, 0, 0])
            layers.append(UInt32(12))
            layers.append(Data(count: 12))
        }
        layers.align(to: 2)
        var section = ByteWriter()
        section.append(UInt32(layers.count))
        section.append(layers.data)
        section.append(UInt32(0))
        return section.data
    }

    private func appendComposite(to file: inout ByteWriter) {
        file.append(UInt16(isPacked ? 1 : 0))
        let rows = channels.flatMap { plane in
            (0..<size.height).map { row in
                plane[row * size.width..<(row + 1) * size.width].flatMap {
                    [UInt8](repeating: $0, count: depth / 8)
                }
            }
        }
        guard isPacked else { return rows.forEach { file.append($0) } }
        let packed = rows.map { row in
            stride(from: 0, to: row.count, by: 128).flatMap { start in
                let part = row[start..<min(start + 128, row.count)]
                return [UInt8(part.count - 1)] + part
            }
        }
        for row in packed { file.append(UInt16(row.count)) }
        for row in packed { file.append(row) }
    }
}
