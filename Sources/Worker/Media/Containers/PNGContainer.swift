internal import PhotoModel

/// A reader for the chunks of a PNG or APNG.
package struct PNGContainer {
    private static let maximumChunks = 100_000
    private static let maximumTexts = 64

    private var container = Container()
    private var textCount = 0

    package static func read(_ bytes: ByteView) -> Container {
        var reader = PNGContainer()
        reader.readChunks(bytes)
        return reader.container
    }

    private mutating func readChunks(_ bytes: ByteView) {
        var position = 8
        var hasPixels = false
        var hasEnd = false
        for _ in 0..<Self.maximumChunks {
            guard let length = bytes.integer32(at: position),
                let name = bytes.code(at: position + 4)
            else { break }
            if name == "IDAT" { hasPixels = true }
            if name == "IEND" {
                hasEnd = true
                break
            }
            guard let body = bytes.part(at: position + 8, length: length) else { break }
            read(name, body)
            position += 12 + length
        }
        check(hasPixels: hasPixels, hasEnd: hasEnd)
    }

    private mutating func check(hasPixels: Bool, hasEnd: Bool) {
        guard let size = container.size else {
            container.damage = "The PNG has no header: it is truncated or damaged."
            return
        }
        let sides = 1...Int(Int32.max)
        if !sides.contains(size.width) || !sides.contains(size.height) {
            container.damage =
                "The PNG declares an invalid size (\(size.width)x\(size.height))."
        } else if !hasPixels {
            container.damage = "The PNG has no pixels: it is truncated or damaged."
        } else if !hasEnd {
            container.warnings.append("The PNG is truncated; a part of the image is missing.")
        }
    }

    private mutating func read(_ name: String, _ body: ByteView) {
        switch name {
        case "IHDR":
            guard container.size == nil, let width = body.integer32(at: 0),
                let height = body.integer32(at: 4)
            else { return }
            container.size = PixelSize(width: width, height: height)
        case "acTL":
            container.frameCount = body.integer32(at: 0)
            container.isAnimated = (container.frameCount ?? 0) > 1
        case "eXIf":
            if container.exif == nil {
                container.exif = body.starts(with: "Exif\u{0}\u{0}") ? body.available(at: 6) : body
            }
        case "cICP": readColorCodes(body)
        case "tIME": readTime(body)
        case "iCCP": readProfile(body)
        case "tEXt", "zTXt", "iTXt":
            guard textCount < Self.maximumTexts else { return }
            textCount += 1
            readText(name, body)
        default: break
        }
    }

    private mutating func readColorCodes(_ body: ByteView) {
        if body.byte(at: 1) == 16 { container.hdr.insert("pq") }
        if body.byte(at: 1) == 18 { container.hdr.insert("hlg") }
        container.setColorName(primaries: body.byte(at: 0).map { Int($0) })
    }

    private mutating func readTime(_ body: ByteView) {
        guard let year = body.integer16(at: 0), body.count >= 7 else { return }
        let parts = (2...6).map { body.byte(at: $0) ?? 0 }
        func two(_ number: UInt8) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let digits = String(year)
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        container.modified =
            "\(padded):\(two(parts[0])):\(two(parts[1])) "
            + "\(two(parts[2])):\(two(parts[3])):\(two(parts[4]))"
    }

    private mutating func readProfile(_ body: ByteView) {
        guard let end = body.index(of: 0), body.byte(at: end + 1) == 0 else { return }
        container.profile = Inflate.unpack(body.available(at: end + 2))
    }

    // MARK: - Text

    private mutating func readText(_ name: String, _ body: ByteView) {
        guard let end = body.index(of: 0), end > 0,
            let keyword = Text.clean(body.available(at: 0, length: end).bytes)
        else { return }
        var text = body.available(at: end + 1)
        var isPacked = name == "zTXt"
        if name == "zTXt" { text = text.available(at: 1) }
        if name == "iTXt" {
            // The compression flag and method, then the language and the translated keyword.
            isPacked = text.byte(at: 0) == 1
            guard let language = text.index(of: 0, from: 2),
                let translated = text.index(of: 0, from: language + 1)
            else { return }
            text = text.available(at: translated + 1)
        }
        if isPacked {
            guard let bytes = Inflate.unpack(text) else { return }
            bytes.withUnsafeBytes { keep(ByteView($0), of: keyword, isOwned: false) }
        } else {
            keep(text, of: keyword, isOwned: true)
        }
    }

    private mutating func keep(_ text: ByteView, of keyword: String, isOwned: Bool) {
        switch keyword {
        case "XML:com.adobe.xmp":
            if isOwned {
                container.xmp.append(text)
            } else {
                container.unpackedXMP.append(Array(text.bytes))
            }
        case "Raw profile type exif", "Raw profile type APP1":
            guard let bytes = Self.profile(text) else { return }
            bytes.withUnsafeBytes { whole in
                let view = ByteView(whole)
                if view.starts(with: "Exif\u{0}\u{0}") {
                    container.unpackedExif = Array(view.available(at: 6).bytes)
                } else if view.starts(with: "http://ns.adobe.com/xap/1.0/\u{0}") {
                    container.unpackedXMP.append(Array(view.available(at: 29).bytes))
                } else if TagDirectory.isBigEndian(view) != nil {
                    container.unpackedExif = bytes
                }
            }
        case "Raw profile type xmp":
            if let bytes = Self.profile(text) { container.unpackedXMP.append(bytes) }
        case "Raw profile type iptc", "Raw profile type 8bim":
            guard let bytes = Self.profile(text) else { return }
            bytes.withUnsafeBytes { whole in
                let view = ByteView(whole)
                container.unpackedIPTC =
                    Photoshop.iptc(in: view).map { Array($0.bytes) } ?? bytes
            }
        default:
            if container.texts[keyword] == nil {
                container.texts[keyword] = Text.clean(text.bytes)
            }
        }
    }

    /// Decodes a metadata block in ImageMagick's format: a line with its name, a line with its
    /// length, then hexadecimal digits.
    private static func profile(_ text: ByteView) -> [UInt8]? {
        var lines = 0
        var position = 0
        // An empty line, the name and the length.
        while lines < 3, let end = text.index(of: 0x0a, from: position) {
            position = end + 1
            lines += 1
        }
        guard lines == 3 else { return nil }
        var result: [UInt8] = []
        var high: UInt8?
        for byte in text.available(at: position).bytes {
            guard let digit = hexadecimal(byte) else { continue }
            if let first = high {
                result.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return result.isEmpty ? nil : result
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
