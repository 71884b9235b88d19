internal import PhotoModel

/// A reader for the metadata of QuickTime and MP4 files: the keys of `moov/meta` and the user data.
///
/// FFmpeg pairs keys with wrong values if a file's key numbers have gaps, so FFmpeg is not used
/// here.
struct QuickTimeMetadata {
    /// The maximum number of bytes to read from the movie's index (`moov`).
    private static let maximumIndexLength = 128 << 20
    private static let maximumKeys = 500
    private static let maximumValueLength = 64 << 10

    /// The values by key: `com.apple.quicktime.make`, or the user data's four-character code
    /// (`©xyz`).
    private(set) var values: [String: String] = [:]
    /// The metadata of the movie itself, excluding metadata of its tracks, in file order.
    private(set) var items: [MovieMetadataItem] = []
    /// Indicates whether a track contains stereo video.
    private(set) var isStereo = false

    /// Reads a movie's metadata from a file descriptor; the movie's index may be at any position in
    /// the file.
    init(descriptor: Int32) {
        let layout = MovieLayout(descriptor: descriptor)
        guard let place = layout.boxes.first(where: { $0.name == "moov" }),
            let index = layout.body(of: place, atMost: Self.maximumIndexLength)
        else { return }
        index.withUnsafeBytes { readMovie(ByteView($0)) }
    }

    // MARK: - Boxes

    private mutating func readMovie(_ movie: ByteView) {
        for box in ISOBox.boxes(in: movie) {
            switch box.type {
            case "meta": readKeys(box.body, isOfMovie: true)
            case "udta": readUserData(box.body)
            case "trak": readTrack(box.body)
            default: break
            }
        }
        // Apple's cameras record in a track how it was captured (time-lapse). The movie's own
        // metadata take precedence.
        for box in ISOBox.boxes(in: movie) where box.type == "trak" {
            if let meta = ISOBox.first("meta", in: box.body) { readKeys(meta.body) }
        }
    }

    /// Returns the children of a `meta` box in ISO's or QuickTime's format.
    ///
    /// In ISO's format, the version and flags precede the children.
    private func children(ofMeta body: ByteView) -> [ISOBox] {
        ISOBox.boxes(in: body.code(at: 4) == "hdlr" ? body : body.available(at: 4))
    }

    private mutating func readKeys(_ body: ByteView, isOfMovie: Bool = false) {
        let boxes = children(ofMeta: body)
        if isOfMovie { readTunes(boxes) }
        guard let table = boxes.first(where: { $0.type == "keys" })?.body,
            let list = boxes.first(where: { $0.type == "ilst" })?.body,
            let count = table.integer32(at: 4)
        else { return }
        var keys: [String] = []
        var position = 8
        for _ in 0..<min(count, Self.maximumKeys) {
            guard let length = table.integer32(at: position), length >= 8,
                let name = table.part(at: position + 8, length: length - 8)
            else { break }
            keys.append(Text.clean(name.bytes) ?? "")
            position += length
        }
        position = 0
        for _ in 0..<Self.maximumKeys {
            guard let length = list.integer32(at: position), length >= 8,
                let number = list.integer32(at: position + 4),
                let item = list.part(at: position + 8, length: length - 8)
            else { break }
            position += length
            guard number >= 1, number <= keys.count,
                let data = ISOBox.first("data", in: item)?.body
            else { continue }
            let key = keys[number - 1]
            guard !key.isEmpty, let value = Self.value(of: data) else { continue }
            if values[key] == nil { values[key] = value }
            if isOfMovie { add(key, value, space: "mdta") }
        }
    }

    /// Reads a metadata list in iTunes' format, which has four-character codes instead of a key
    /// table.
    private mutating func readTunes(_ boxes: [ISOBox]) {
        guard !boxes.contains(where: { $0.type == "keys" }),
            let list = boxes.first(where: { $0.type == "ilst" })
        else { return }
        for entry in ISOBox.boxes(in: list.body).prefix(Self.maximumKeys) {
            guard let data = ISOBox.first("data", in: entry.body)?.body,
                let value = Self.value(of: data)
            else { continue }
            add(Self.letters(entry.type), value, space: "itsk")
        }
    }

    private mutating func add(_ key: String, _ value: String, space: String) {
        guard items.count < Self.maximumKeys else { return }
        items.append(MovieMetadataItem(keySpace: space, key: key, value: value))
    }

    /// Returns a box type with its initial `©` restored, which `ByteView` replaced with `)`.
    private static func letters(_ code: String) -> String {
        code.hasPrefix(")") ? "\u{A9}\(code.dropFirst())" : code
    }

    /// Decodes the value of a `data` box, which follows a four-byte type and a four-byte locale.
    private static func value(of data: ByteView) -> String? {
        guard let type = data.integer32(at: 0) else { return nil }
        let value = data.available(at: 8, length: maximumValueLength)
        switch type & 0xff_ffff {
        case 1: return Text.clean(value.bytes)
        case 2: return Text.utf16(value, isBigEndian: true)
        case 23:
            return value.number(at: 0, length: 4).map {
                "\(Float(bitPattern: UInt32(truncatingIfNeeded: $0)))"
            }
        case 24: return value.number(at: 0, length: 8).map { "\(Double(bitPattern: $0))" }
        case 21, 22, 65...67, 74...78:
            let length = min(value.count, 8)
            guard length > 0, let number = value.number(at: 0, length: length) else { return nil }
            guard [21, 65, 66, 67, 74].contains(type & 0xff_ffff), length < 8 else {
                return "\(Int64(bitPattern: number))"
            }
            // The sign is the highest bit of the stored bytes.
            let shift = UInt64(64 - 8 * length)
            return "\(Int64(bitPattern: number << shift) >> Int64(shift))"
        default: return nil
        }
    }

    /// Reads the user data box (`udta`): international texts, a nested `meta` box, and 3GPP's
    /// author and date.
    private mutating func readUserData(_ body: ByteView) {
        var position = 0
        for _ in 0..<Self.maximumKeys {
            guard let length = body.integer32(at: position), length >= 8,
                let item = body.part(at: position + 8, length: length - 8)
            else { return }
            if body.byte(at: position + 4) == 0xa9, let name = body.code(at: position + 4) {
                let key = "\u{A9}\(name.dropFirst())"
                if let size = item.integer16(at: 0),
                    let value = Text.clean(item.available(at: 4, length: size).bytes)
                {
                    if values[key] == nil { values[key] = value }
                    add(key, value, space: "udta")
                }
            } else if body.code(at: position + 4) == "meta" {
                readKeys(item, isOfMovie: true)
            } else if body.code(at: position + 4) == "date", values["udta.date"] == nil {
                values["udta.date"] = Self.date(in: item)
            } else if body.code(at: position + 4) == "auth", values["3gpp.author"] == nil {
                // Version, flags and language precede 3GPP's text.
                values["3gpp.author"] = Text.clean(item.available(at: 6).bytes)
            }
            position += length
        }
    }

    /// Returns the date in a text entry, which may have a prefix: version and flags, a length, or a
    /// language.
    private static func date(in item: ByteView) -> String? {
        [0, 4, 6].lazy.compactMap { Text.clean(item.available(at: $0).bytes) }
            .first { text in
                let year = text.utf8.prefix(4)
                return year.count == 4 && year.allSatisfy { (0x30...0x39).contains($0) }
            }
    }

    // MARK: - Tracks

    /// Detects Apple's spatial video, whose sample description has an extension that declares both
    /// eyes.
    private mutating func readTrack(_ track: ByteView) {
        guard let descriptions = ISOBox.find(["mdia", "minf", "stbl", "stsd"], in: track) else {
            return
        }
        for entry in ISOBox.boxes(in: descriptions.available(at: 8)) {
            guard ["hvc1", "hev1", "avc1", "av01"].contains(entry.type) else { continue }
            let extensions = entry.body.available(at: 78)
            if let eyes = ISOBox.find(["vexu", "eyes", "stri"], in: extensions),
                let flags = eyes.byte(at: 4), flags & 3 == 3
            {
                isStereo = true
            }
        }
    }
}
