internal import PhotoModel

/// A reader for a JPEG's segments before the pixels, and for the index of additional images in the
/// file.
package struct JPEGContainer {
    private static let maximumSegments = 2000
    private static let maximumProfileLength = 4 << 20

    private let bytes: ByteView
    private var container = Container()
    private var profileParts: [Int: ByteView] = [:]
    private var pictureIndex: (block: ByteView, position: Int)?

    package static func read(_ bytes: ByteView) -> Container {
        var reader = JPEGContainer(bytes: bytes)
        reader.readSegments()
        reader.joinProfile()
        reader.readPictureIndex()
        reader.container.embeddedMovie = EmbeddedMoviePlace(samsungTrailerOf: bytes)
        return reader.container
    }

    private init(bytes: ByteView) {
        self.bytes = bytes
    }

    // MARK: - Segments

    private mutating func readSegments() {
        var position = 2
        for _ in 0..<Self.maximumSegments {
            // Skips fill bytes and padding that some cameras write between segments.
            guard let start = bytes.index(of: 0xff, from: position) else { break }
            var marker = start + 1
            while bytes.byte(at: marker) == 0xff { marker += 1 }
            guard let code = bytes.byte(at: marker) else { break }
            position = marker + 1
            switch code {
            case 0x00, 0x01, 0xd0...0xd8: continue
            case 0xd9, 0xda:
                finish(pixelsAt: marker - 1)
                return
            default: break
            }
            guard let length = bytes.integer16(at: position), length >= 2,
                let body = bytes.part(at: position + 2, length: length - 2)
            else { break }
            read(code, body, at: position + 2)
            position += length
        }
        finish(pixelsAt: position)
    }

    private mutating func finish(pixelsAt start: Int) {
        guard let size = container.size else {
            container.damage =
                "The JPEG ends before the size of its image: it is truncated or damaged."
            return
        }
        if !hasEnd(after: start) {
            container.isCutShort = true
            container.warnings.append("The JPEG is truncated; a part of the image is missing.")
        }
        if size.width == 0 || size.height == 0 {
            container.damage = "The JPEG declares an invalid size (\(size.width)x\(size.height))."
        }
    }

    /// Returns whether an end-of-image marker is near the end of the file.
    ///
    /// A movie or other data may follow the marker.
    ///
    /// The search starts at the pixels, because previews before them have their own end markers.
    private func hasEnd(after start: Int) -> Bool {
        let tail = 1 << 20
        let last = bytes.available(at: max(start, bytes.count - tail))
        if last.byte(at: last.count - 2) == 0xff, last.byte(at: last.count - 1) == 0xd9 {
            return true
        }
        return last.contains([0xff, 0xd9])
    }

    private mutating func read(_ marker: UInt8, _ body: ByteView, at position: Int) {
        switch marker {
        case 0xc0...0xc3, 0xc5...0xc7, 0xc9...0xcb, 0xcd...0xcf: readFrame(body)
        case 0xe1: readApp1(body)
        case 0xe2: readApp2(body, at: position)
        case 0xed where container.iptc == nil: readPhotoshop(body)
        case 0xfe:
            if container.texts["Comment"] == nil {
                container.texts["Comment"] = Text.clean(body.bytes)
            }
        default: break
        }
    }

    private mutating func readFrame(_ body: ByteView) {
        guard container.size == nil, let height = body.integer16(at: 1),
            let width = body.integer16(at: 3)
        else { return }
        container.size = PixelSize(width: width, height: height)
        if let precision = body.byte(at: 0), precision != 8 {
            container.undecodable =
                "The JPEG has \(precision) bits per sample, which the decoder does not support."
        }
    }

    private mutating func readApp1(_ body: ByteView) {
        if body.starts(with: "Exif\u{0}") {
            if container.exif == nil { container.exif = body.available(at: 6) }
        } else if body.starts(with: "http://ns.adobe.com/xap/1.0/\u{0}") {
            container.xmp.append(body.available(at: 29))
        } else if body.starts(with: "http://ns.adobe.com/xmp/extension/\u{0}") {
            // The extension contains images encoded as text. Only their presence matters here.
            if body.contains("http://ns.google.com/photos/1.0/depthmap/") {
                container.depth.insert("gdepth")
            }
        } else if body.starts(with: "II*\u{0}") || body.starts(with: "MM\u{0}*") {
            // EXIF without its identifier, as a few programs write it.
            if container.exif == nil { container.exif = body }
        }
    }

    private mutating func readApp2(_ body: ByteView, at position: Int) {
        if body.starts(with: "ICC_PROFILE\u{0}"), let number = body.byte(at: 12) {
            profileParts[Int(number)] = body.available(at: 14)
        } else if body.starts(with: "MPF\u{0}") {
            if pictureIndex == nil { pictureIndex = (body.available(at: 4), position + 4) }
        } else if body.starts(with: "urn:iso:std:iso:ts:21496") {
            container.hdr.insert("iso-21496-1")
            // The parameters follow the identifier. The base image's segment contains only the
            // version.
            if let end = body.index(of: 0), body.count > end + 9 {
                container.toneMap = Array(body.available(at: end + 1).bytes)
            }
        }
    }

    private mutating func readPhotoshop(_ body: ByteView) {
        guard body.starts(with: "Photoshop 3.0\u{0}") else { return }
        container.iptc = Photoshop.iptc(in: body.available(at: 14))
    }

    private mutating func joinProfile() {
        let parts = profileParts.sorted { $0.key < $1.key }.map(\.value)
        guard !parts.isEmpty,
            parts.reduce(0, { $0 + $1.count }) <= Self.maximumProfileLength
        else { return }
        container.profile = parts.flatMap { Array($0.bytes) }
    }

    // MARK: - Further images

    /// Reads the multi-picture index (CIPA DC-007): a TIFF directory with 16-byte image entries in
    /// tag 0xb002.
    private mutating func readPictureIndex() {
        guard let (block, position) = pictureIndex, let order = TagDirectory.isBigEndian(block),
            let entries = TagDirectory.first(ofTIFF: block)?[0xb002]
        else { return }
        let whole = bytes
        var found: [ByteView] = []
        var isStereo = false
        entries.withView { list in
            for start in stride(from: 0, to: min(list.count, 16 * 64), by: 16) {
                guard let kind = list.integer32(at: start, isBigEndian: order),
                    let length = list.integer32(at: start + 4, isBigEndian: order),
                    let offset = list.integer32(at: start + 8, isBigEndian: order)
                else { break }
                // The first image is the main image with offset 0.
                if kind & 0xff0000 == 0x020000 { isStereo = true }
                // Offsets are relative to the index. If a program changed data before the pixels
                // without updating the index, the last image is still at the end of the file.
                let places = [position + offset, offset, whole.count - length]
                let picture = places.lazy.compactMap { whole.part(at: $0, length: length) }
                    .first { $0.byte(at: 0) == 0xff && $0.byte(at: 1) == 0xd8 }
                guard offset > 0, let picture else { continue }
                found.append(picture)
            }
        }
        if isStereo { container.contentType = "public.mpo-image" }
        for picture in found {
            let other = JPEGContainer.read(withoutIndex: picture)
            container.hdr.formUnion(other.hdr)
            for packet in other.xmp {
                container.hdr.formUnion(GainMaps.named(in: packet))
            }
            let isGainMap =
                !other.hdr.isEmpty || other.xmp.contains { !GainMaps.named(in: $0).isEmpty }
            if isGainMap { container.gainMaps.append(picture) }
            if other.damage == nil, other.xmp.isEmpty, other.hdr.isEmpty, !isStereo {
                container.previews.append(picture)
            }
        }
    }

    private static func read(withoutIndex bytes: ByteView) -> Container {
        var reader = JPEGContainer(bytes: bytes)
        reader.readSegments()
        return reader.container
    }
}

/// A reader for Photoshop's image resources, which JPEG files and Photoshop documents contain.
enum Photoshop {
    /// Returns the content of the IPTC block in Photoshop's image resources; nil if there is none.
    static func iptc(in resources: ByteView) -> ByteView? {
        self.resources(in: resources).first { $0.identifier == 0x0404 }?.body
    }

    /// Returns the identifiers and contents of the resources, up to the first malformed one.
    static func resources(in bytes: ByteView) -> [(identifier: Int, body: ByteView)] {
        var found: [(identifier: Int, body: ByteView)] = []
        var position = 0
        for _ in 0..<1000 {
            guard bytes.starts(with: "8BIM", at: position),
                let identifier = bytes.integer16(at: position + 4),
                let name = bytes.byte(at: position + 6)
            else { break }
            // The name and the data are padded to an even length.
            let data = position + 6 + (Int(name) + 2) / 2 * 2
            guard let length = bytes.integer32(at: data) else { break }
            found.append((identifier, bytes.available(at: data + 4, length: length)))
            position = data + 4 + (length + 1) / 2 * 2
        }
        return found
    }
}

/// The detection of gain maps from the namespaces in their XMP.
package enum GainMaps {
    package static func named(in packet: ByteView) -> Set<String> {
        var found: Set<String> = []
        if packet.contains("http://ns.apple.com/HDRGainMap/") { found.insert("apple-gainmap-xmp") }
        if packet.contains("http://ns.adobe.com/hdr-gain-map/") { found.insert("hdrgm-xmp") }
        return found
    }
}
