internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import WorkerClient

/// A gain map, with conversions to and from ImageIO's dictionary of auxiliary data.
struct AuxiliaryGainMap {
    /// The pixel format `L008`: one 8-bit gray value per pixel.
    static let gray = 0x4c30_3038
    /// The pixel format `BGRA`.
    static let color = 0x4247_5241

    let size: PixelSize
    let isGray: Bool
    /// The parameters of the map; nil if only the image's maker notes contain them.
    let map: GainMap?
    /// The pixels, three bytes each.
    private let rows: [UInt8]

    /// Creates a gain map from decoded pixels.
    init(_ memory: PixelMemory, _ map: GainMap) {
        size = memory.description.size
        self.map = map
        rows = memory.withBytes { Array($0) }
        isGray = Self.isGray(rows)
    }

    private static func isGray(_ rows: [UInt8]) -> Bool {
        for start in stride(from: 0, to: rows.count - 2, by: 3)
        where rows[start] != rows[start + 1] || rows[start] != rows[start + 2] {
            return false
        }
        return true
    }

    /// Creates a gain map from ImageIO's dictionary; nil if the dictionary is invalid.
    init?(_ info: [String: Any]) {
        guard let data = info["kCGImageAuxiliaryDataInfoData"] as? Data ?? Self.data(info),
            let said = PropertyValue.dictionary(info["kCGImageAuxiliaryDataInfoDataDescription"]),
            let width = PropertyValue.integer(said["Width"]),
            let height = PropertyValue.integer(said["Height"]),
            let format = PropertyValue.integer(said["PixelFormat"]),
            (1...1 << 15).contains(width), (1...1 << 15).contains(height),
            format == Self.gray || format == Self.color
        else { return nil }
        let length = format == Self.gray ? 1 : 4
        let line = PropertyValue.integer(said["BytesPerRow"]) ?? width * length
        guard line >= width * length, line <= 1 << 20,
            data.count >= line * (height - 1) + width * length
        else { return nil }
        size = PixelSize(width: width, height: height)
        isGray = format == Self.gray
        map = (info["kCGImageAuxiliaryDataInfoMetadata"] as? CGImageMetadata)?.map
        var rows: [UInt8] = []
        rows.reserveCapacity(width * height * 3)
        data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Void in
            for row in 0..<height {
                for column in 0..<width {
                    let place = row * line + column * length
                    for channel in [2, 1, 0] {
                        rows.append(bytes[length == 1 ? place : place + channel])
                    }
                }
            }
        }
        self.rows = rows
    }

    private static func data(_ info: [String: Any]) -> Data? {
        (info["kCGImageAuxiliaryDataInfoData"] as? NSData).map { Data(referencing: $0) }
    }

    /// The gain map as ImageIO's dictionary.
    var dictionary: [String: Any] {
        let pixel = isGray ? 1 : 4
        var bytes = Data(capacity: size.width * size.height * pixel)
        for start in stride(from: 0, to: rows.count - 2, by: 3) {
            if isGray {
                bytes.append(rows[start])
            } else {
                bytes.append(contentsOf: [rows[start + 2], rows[start + 1], rows[start], 255])
            }
        }
        return [
            "kCGImageAuxiliaryDataInfoData": bytes as NSData,
            "kCGImageAuxiliaryDataInfoDataDescription": [
                "Width": size.width, "Height": size.height, "BytesPerRow": size.width * pixel,
                "PixelFormat": isGray ? Self.gray : Self.color, "Orientation": 1,
            ] as NSDictionary,
            "kCGImageAuxiliaryDataInfoMetadata": CGImageMetadata(map),
        ]
    }

    /// The gain map's auxiliary data type in ImageIO.
    var type: CFString {
        if case .stops? = map?.meaning { return kCGImageAuxiliaryDataTypeISOGainMap }
        return kCGImageAuxiliaryDataTypeHDRGainMap
    }

    /// Copies the pixels into shared memory and returns them as a source for image rendering.
    func pixels() throws(CIRenderingError) -> RecipeSource {
        let description = PixelBufferDescription(size: size, layout: .rgb)
        let memory = SealedMemory.make(length: rows.count) { buffer in
            buffer.copyBytes(from: rows)
            return true
        }
        guard let memory else { throw RecipeSource.noMemory(rows.count) }
        return RecipeSource(
            .pixels(description, PictureRendering.PixelComponents(alpha: .ignored)),
            .pixels(Descriptor(owning: memory)),
            name: "The gain map"
        )
    }
}
