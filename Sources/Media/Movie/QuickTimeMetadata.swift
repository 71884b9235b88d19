internal import Glibc

/// Reads the metadata of QuickTime and MP4 files: the keys of `moov/meta` and the user data.
///
/// FFmpeg gives keys the values of others when a file numbers them with gaps, so they are read here.
struct QuickTimeMetadata {
    /// An index longer than this is not read for its metadata.
    private static let maximumIndexLength = 128 << 20
    private static let maximumBoxes = 10_000
    private static let maximumKeys = 500
    private static let maximumValueLength = 64 << 10

    /// Values by key: `com.apple.quicktime.make`, or the user data's four letters (`©xyz`).
    private(set) var values: [String: String] = [:]
    /// Whether a track holds both eyes' pictures.
    private(set) var isStereo = false

    /// Finds the movie's index through `descriptor`, wherever in the file it lies.
    init(descriptor: Int32) {
        var position = 0
        for _ in 0..<Self.maximumBoxes {
            guard let header = Self.read(descriptor, at: position, length: 16) else { return }
            let found = header.withUnsafeBytes {
                bytes -> (type: String, header: Int, length: Int)? in
                let view = ByteView(bytes)
                guard let short = view.integer32(at: 0), let type = view.code(at: 4) else {
                    return nil
                }
                if short == 1 {
                    guard let long = view.number(at: 8, length: 8), long <= Int.max / 4 else {
                        return nil
                    }
                    return (type, 16, Int(long))
                }
                return (type, 8, short == 0 ? .max / 4 : short)
            }
            guard let found, found.length >= found.header else { return }
            if found.type == "moov" {
                let length = min(found.length - found.header, Self.maximumIndexLength)
                guard
                    let index = Self.read(
                        descriptor,
                        at: position + found.header,
                        length: length
                    )
                else { return }
                index.withUnsafeBytes { readMovie(ByteView($0)) }
                return
            }
            let (next, overflow) = position.addingReportingOverflow(found.length)
            guard !overflow else { return }
            position = next
        }
    }

    /// Up to `length` bytes; nil for none.
    private static func read(_ descriptor: Int32, at offset: Int, length: Int) -> [UInt8]? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, offset < Int(status.st_size), offset >= 0 else {
            return nil
        }
        let wanted = min(length, Int(status.st_size) - offset)
        var received = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
            while received < wanted, let start = buffer.baseAddress {
                let result = pread(
                    descriptor,
                    start + received,
                    wanted - received,
                    off_t(offset + received)
                )
                if result < 0, errno == EINTR { continue }
                guard result > 0 else { break }
                received += result
            }
            count = received
        }
        return bytes.isEmpty ? nil : bytes
    }

    // MARK: - Boxes

    private mutating func readMovie(_ movie: ByteView) {
        for box in ISOBox.boxes(in: movie) {
            switch box.type {
            case "meta": readKeys(box.body)
            case "udta": readUserData(box.body)
            case "trak": readTrack(box.body)
            default: break
            }
        }
        // Apple says of a track how it was captured (time-lapse). What the movie says itself counts
        // first.
        for box in ISOBox.boxes(in: movie) where box.type == "trak" {
            if let meta = ISOBox.first("meta", in: box.body) { readKeys(meta.body) }
        }
    }

    /// QuickTime's box has no version before its children, ISO's has.
    private func children(ofMeta body: ByteView) -> [ISOBox] {
        ISOBox.boxes(in: body.code(at: 4) == "hdlr" ? body : body.available(at: 4))
    }

    private mutating func readKeys(_ body: ByteView) {
        let boxes = children(ofMeta: body)
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
            add(keys[number - 1], data)
        }
    }

    /// Four bytes of type, four of language, then the value.
    private mutating func add(_ key: String, _ data: ByteView) {
        guard !key.isEmpty, values[key] == nil, let type = data.integer32(at: 0) else { return }
        let value = data.available(at: 8, length: Self.maximumValueLength)
        switch type & 0xff_ffff {
        case 1: values[key] = Text.clean(value.bytes)
        case 2: values[key] = Text.utf16(value, isBigEndian: true)
        case 21, 22, 65...67, 74...78:
            let length = min(value.count, 8)
            if length > 0, let number = value.number(at: 0, length: length) {
                values[key] = "\(number)"
            }
        default: break
        }
    }

    /// International text: its length, its language, the text.
    private mutating func readUserData(_ body: ByteView) {
        var position = 0
        for _ in 0..<Self.maximumKeys {
            guard let length = body.integer32(at: position), length >= 8,
                let item = body.part(at: position + 8, length: length - 8)
            else { return }
            if body.byte(at: position + 4) == 0xa9, let name = body.code(at: position + 4) {
                let key = "\u{A9}\(name.dropFirst())"
                if values[key] == nil, let size = item.integer16(at: 0) {
                    values[key] = Text.clean(item.available(at: 4, length: size).bytes)
                }
            } else if body.code(at: position + 4) == "meta" {
                readKeys(item)
            }
            position += length
        }
    }

    // MARK: - Tracks

    /// Apple's spatial video names the eyes in an extension of the sample's description.
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
