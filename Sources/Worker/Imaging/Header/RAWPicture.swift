internal import CLibRawShim
package import PhotoModel

/// The header of a RAW file, read by LibRaw.
package struct RAWPicture {
    package var storedSize: PixelSize
    package var displaySize: PixelSize
    package var orientation: Orientation
    package var make: String
    package var model: String

    package init(_ bytes: UnsafeRawBufferPointer) throws(ImagingError) {
        guard let start = bytes.baseAddress else { throw ImagingError("no data") }
        var facts = cphotos_raw_facts()
        var words = [CChar](repeating: 0, count: 256)
        guard cphotos_raw_read(start, bytes.count, &facts, &words, words.count) == 0 else {
            let text = words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw ImagingError(String(decoding: text, as: UTF8.self))
        }
        storedSize = PixelSize(width: Int(facts.width), height: Int(facts.height))
        displaySize = PixelSize(width: Int(facts.displayWidth), height: Int(facts.displayHeight))
        orientation = Orientation(rawValue: Int(facts.orientation)) ?? .up
        make = Self.text(facts.make)
        model = Self.text(facts.model)
    }

    private static func text(_ tuple: some Any) -> String {
        withUnsafeBytes(of: tuple) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
