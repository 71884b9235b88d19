internal import CJXLShim
package import PhotoModel

/// The header and boxes of a JPEG XL file, read by libjxl.
package struct JPEGXLPicture {
    /// The maximum length of a box; longer boxes are omitted.
    private static let boxLimit = 4 << 20
    private static let maximumBoxes = 16

    package private(set) var storedSize = PixelSize(width: 0, height: 0)
    package private(set) var orientation = Orientation.up
    package private(set) var isAnimated = false
    package private(set) var frameCount: Int?
    /// The H.273 code of the transfer function, such as 16 for PQ and 18 for HLG.
    package private(set) var transfer = 0
    /// The H.273 code of the primaries, such as 9 for BT.2020 and 12 for Display P3; 0 for gray and
    /// for colors that are described only by a profile.
    package private(set) var primaries = 0
    /// The metadata boxes, each with its type: `Exif`, `xml ` or `jhgm`.
    package private(set) var boxes: [(type: String, bytes: [UInt8])] = []

    package init(_ bytes: UnsafeRawBufferPointer) throws(ImagingError) {
        guard let start = bytes.baseAddress else { throw ImagingError("no data") }
        var facts = cphotos_jxl_facts()
        let code = withUnsafeMutablePointer(to: &self) { picture in
            cphotos_jxl_read(
                start,
                bytes.count,
                Self.boxLimit,
                &facts,
                { context, type, bytes, length in
                    context?.assumingMemoryBound(to: JPEGXLPicture.self).pointee.add(
                        String(cString: type),
                        Array(UnsafeBufferPointer(start: bytes, count: length))
                    )
                },
                UnsafeMutableRawPointer(picture)
            )
        }
        guard code == 0 else { throw ImagingError("its header is damaged or truncated") }
        storedSize = PixelSize(width: Int(facts.width), height: Int(facts.height))
        orientation = Orientation(rawValue: Int(facts.orientation)) ?? .up
        isAnimated = facts.isAnimated != 0
        frameCount = facts.frames > 0 ? Int(facts.frames) : nil
        transfer = Int(facts.transfer)
        primaries = Int(facts.primaries)
    }

    private mutating func add(_ type: String, _ bytes: [UInt8]) {
        if boxes.count < Self.maximumBoxes { boxes.append((type, bytes)) }
    }
}
