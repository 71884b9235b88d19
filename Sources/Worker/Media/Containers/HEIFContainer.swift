internal import PhotoModel

/// A reader for the item structure of HEIF and AVIF files: the items, their locations and their
/// relations.
///
/// libheif determines the displayed size. This reader finds metadata, auxiliary images and
/// sequences, even in files that a decoder rejects.
package struct HEIFContainer {
    private struct Item {
        var type = ""
        var contentType = ""
        var extents: [(method: Int, offset: Int, length: Int)] = []
        var properties: [Int] = []
    }

    private static let maximumItems = 20_000
    private static let maximumExtents = 64
    private static let maximumMetadataLength = 16 << 20

    private let bytes: ByteView
    private var container = Container()
    private var items: [Int: Item] = [:]
    private var primary: Int?
    private var properties: [ISOBox] = []
    private var inlineData = ByteView.empty
    /// The source items of each derived item, keyed by the identifier of the derived item.
    private var sources: [Int: [Int]] = [:]

    package static func read(_ bytes: ByteView) -> Container {
        var reader = HEIFContainer(bytes: bytes)
        let boxes = ISOBox.boxes(in: bytes)
        if boxes.contains(where: { $0.type == "ftyp" && $0.body.contains("tmap") }) {
            reader.container.hdr.insert("iso-21496-1")
        }
        if let meta = boxes.first(where: { $0.type == "meta" }) {
            reader.readMeta(meta.body.available(at: 4))
        }
        if let movie = boxes.first(where: { $0.type == "moov" }) { reader.readSequence(movie.body) }
        if let movie = boxes.first(where: { $0.type == "mpvd" && $0.isComplete }) {
            reader.container.embeddedMovie = EmbeddedMoviePlace(movie.body, in: bytes)
        }
        if !boxes.contains(where: { $0.type == "meta" || $0.type == "moov" }) {
            reader.container.damage = "The file has no index of its images: it is truncated."
        }
        return reader.container
    }

    private init(bytes: ByteView) {
        self.bytes = bytes
    }

    // MARK: - Index

    private mutating func readMeta(_ meta: ByteView) {
        for box in ISOBox.boxes(in: meta) {
            switch box.type {
            case "pitm":
                primary =
                    box.body.byte(at: 0) == 0
                    ? box.body.integer16(at: 4) : box.body.integer32(at: 4)
            case "iinf": readItems(box.body)
            case "iloc": readLocations(box.body)
            case "iprp": readProperties(box.body)
            case "idat": inlineData = box.body
            case "iref": readReferences(box.body)
            case "grpl":
                if ISOBox.first("ster", in: box.body) != nil { container.isStereo = true }
            default: break
            }
        }
        describePrimary()
        collectMetadata()
        findAuxiliaries()
        findToneMap()
    }

    private mutating func readItems(_ body: ByteView) {
        let header = body.byte(at: 0) == 0 ? 6 : 8
        for box in ISOBox.boxes(in: body.available(at: header)).prefix(Self.maximumItems)
        where box.type == "infe" {
            guard let version = box.body.byte(at: 0), version >= 2 else { continue }
            let width = version == 2 ? 2 : 4
            guard let identifier = box.body.number(at: 4, length: width),
                let type = box.body.code(at: 6 + width)
            else { continue }
            var item = items[Int(identifier)] ?? Item()
            item.type = type
            if type == "mime", let end = box.body.index(of: 0, from: 10 + width) {
                let text = box.body.available(at: end + 1)
                let length = text.index(of: 0) ?? text.count
                item.contentType = Text.clean(text.available(at: 0, length: length).bytes) ?? ""
            }
            items[Int(identifier)] = item
        }
    }

    private mutating func readLocations(_ body: ByteView) {
        guard let version = body.byte(at: 0), let sizes = body.integer16(at: 4), version <= 2 else {
            return
        }
        let offsetSize = sizes >> 12 & 15
        let lengthSize = sizes >> 8 & 15
        let baseSize = sizes >> 4 & 15
        let indexSize = version == 0 ? 0 : sizes & 15
        let wide = version == 2 ? 4 : 2
        guard let count = body.number(at: 6, length: wide) else { return }
        var position = 6 + wide
        func take(_ size: Int) -> Int? {
            defer { position += size }
            if size == 0 { return 0 }
            guard let number = body.number(at: position, length: size), number <= Int.max / 4
            else { return nil }
            return Int(number)
        }
        for _ in 0..<min(Int(count), Self.maximumItems) {
            guard let identifier = take(wide), let method = version == 0 ? 0 : take(2),
                take(2) != nil, let base = take(baseSize), let extents = take(2)
            else { return }
            for _ in 0..<min(extents, Self.maximumExtents) {
                guard take(indexSize) != nil, let offset = take(offsetSize),
                    let length = take(lengthSize)
                else { return }
                items[identifier, default: Item()].extents
                    .append((method & 15, base + offset, length))
            }
        }
    }

    private mutating func readProperties(_ body: ByteView) {
        for box in ISOBox.boxes(in: body) {
            if box.type == "ipco" { properties = ISOBox.boxes(in: box.body) }
            if box.type == "ipma" { readAssociations(box.body) }
        }
    }

    private mutating func readAssociations(_ body: ByteView) {
        guard let version = body.byte(at: 0), let flags = body.byte(at: 3),
            let count = body.integer32(at: 4)
        else { return }
        let wide = version == 0 ? 2 : 4
        var position = 8
        for _ in 0..<min(count, Self.maximumItems) {
            guard let identifier = body.number(at: position, length: wide),
                let number = body.byte(at: position + wide)
            else { return }
            position += wide + 1
            for _ in 0..<number {
                if flags & 1 != 0 {
                    guard let index = body.integer16(at: position) else { return }
                    items[Int(identifier), default: Item()].properties.append(index & 0x7fff)
                    position += 2
                } else {
                    guard let index = body.byte(at: position) else { return }
                    items[Int(identifier), default: Item()].properties.append(Int(index & 0x7f))
                    position += 1
                }
            }
        }
    }

    // MARK: - Properties and metadata

    private func properties(of item: Item) -> [ISOBox] {
        item.properties.compactMap { $0 > 0 && $0 <= properties.count ? properties[$0 - 1] : nil }
    }

    private mutating func describePrimary() {
        guard let primary, let item = items[primary] else { return }
        for property in properties(of: item) {
            switch property.type {
            case "ispe":
                if let width = property.body.integer32(at: 4),
                    let height = property.body.integer32(at: 8)
                {
                    container.size = PixelSize(width: width, height: height)
                }
            case "colr":
                guard let kind = property.body.code(at: 0) else { continue }
                if kind == "nclx" {
                    record(transfer: property.body.integer16(at: 6))
                    container.setColorName(primaries: property.body.integer16(at: 4))
                }
                if kind == "prof" || kind == "rICC" {
                    container.profile = Array(property.body.available(at: 4).bytes)
                }
            default: break
            }
        }
    }

    private mutating func record(transfer: Int?) {
        if transfer == 16 { container.hdr.insert("pq") }
        if transfer == 18 { container.hdr.insert("hlg") }
    }

    private mutating func collectMetadata() {
        for (_, item) in items.sorted(by: { $0.key < $1.key }) {
            if item.type == "Exif", container.unpackedExif == nil, container.exif == nil,
                let data = data(of: item)
            {
                // The first four bytes are the offset of the TIFF header after them.
                data.withUnsafeBytes { whole in
                    let view = ByteView(whole)
                    guard let skip = view.integer32(at: 0) else { return }
                    let block = view.available(at: 4 + skip)
                    guard TagDirectory.isBigEndian(block) != nil else { return }
                    container.unpackedExif = Array(block.bytes)
                }
            }
            if item.type == "mime", item.contentType.contains("rdf+xml"),
                container.unpackedXMP.count < 16, let data = data(of: item)
            {
                data.withUnsafeBytes { whole in
                    let packet = ByteView(whole)
                    container.hdr.formUnion(GainMaps.named(in: packet))
                    if packet.contains("http://ns.apple.com/depthData/") {
                        container.depth.insert("apple-depth-xmp")
                    }
                    if packet.contains("http://ns.google.com/photos/1.0/depthmap/") {
                        container.depth.insert("gdepth")
                    }
                }
                container.unpackedXMP.append(data)
            }
            if item.type == "tmap" { container.hdr.insert("iso-21496-1") }
        }
    }

    private mutating func readReferences(_ body: ByteView) {
        let wide = body.byte(at: 0) == 0 ? 2 : 4
        for box in ISOBox.boxes(in: body.available(at: 4)) where box.type == "dimg" {
            guard let from = box.body.number(at: 0, length: wide),
                let count = box.body.integer16(at: wide)
            else { continue }
            sources[Int(from)] = (0..<min(count, 4)).compactMap { index in
                box.body.number(at: wide + 2 + index * wide, length: wide).map { Int($0) }
            }
        }
    }

    /// Finds the tone map item, which is derived from the primary image and its gain map.
    private mutating func findToneMap() {
        for (identifier, item) in items.sorted(by: { $0.key < $1.key }) where item.type == "tmap" {
            guard let pair = sources[identifier], pair.count == 2, pair[0] == primary,
                let numbers = data(of: item)
            else { continue }
            container.toneMap = numbers
            container.gainMapItem = pair[1]
            return
        }
    }

    private mutating func findAuxiliaries() {
        for property in properties where property.type == "auxC" {
            let text = property.body.available(at: 4, length: 200)
            if text.contains("hdrgainmap") { container.hdr.insert("aux-gainmap") }
            if text.contains("iso:ts:21496") { container.hdr.insert("iso-21496-1") }
            if text.contains("disparity") { container.depth.insert("apple-depth-xmp") }
            if text.contains("auxid:2") { container.depth.insert("aux-depth") }
            if text.contains("portraiteffectsmatte") { container.depth.insert("portrait-matte") }
        }
    }

    private func data(of item: Item) -> [UInt8]? {
        var result: [UInt8] = []
        for extent in item.extents {
            let source = extent.method == 1 ? inlineData : bytes
            guard extent.method <= 1,
                let part = source.part(at: extent.offset, length: extent.length),
                result.count + part.count <= Self.maximumMetadataLength
            else { return nil }
            result.append(contentsOf: part.bytes)
        }
        return result.isEmpty ? nil : result
    }

    // MARK: - Sequences

    private mutating func readSequence(_ movie: ByteView) {
        for track in ISOBox.boxes(in: movie) where track.type == "trak" {
            guard let handler = ISOBox.find(["mdia", "hdlr"], in: track.body),
                handler.starts(with: "pict", at: 8),
                let sizes = ISOBox.find(["mdia", "minf", "stbl", "stsz"], in: track.body),
                let count = sizes.integer32(at: 8)
            else { continue }
            container.frameCount = count
            container.isAnimated = count > 1
            if container.size == nil, let header = ISOBox.first("tkhd", in: track.body) {
                // The sides are 16.16 fixed-point numbers at the header's end.
                let end = header.body.count
                if let width = header.body.integer32(at: end - 8),
                    let height = header.body.integer32(at: end - 4)
                {
                    container.size = PixelSize(width: width >> 16, height: height >> 16)
                }
            }
            return
        }
    }
}
