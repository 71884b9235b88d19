internal import PhotoModel

/// The QuickTime metadata in a movie's index (`moov/meta`), whose values are not decoded.
struct IndexMetadata {
    private static let maximumKeys = 2000

    private struct Entry {
        /// The namespace and the name of the key, encoded as in the `keys` box.
        var key: [UInt8]
        /// The encoded boxes that contain the value.
        var value: [UInt8]
    }

    private var entries: [Entry] = []

    init() {}

    /// Parses a `meta` box; returns nil if it is not in QuickTime's format or is inconsistent.
    init?(_ box: IndexBox) {
        let read = box.bytes.withUnsafeBytes { Self.entries(in: ByteView($0)) }
        guard let read else { return nil }
        entries = read
    }

    private static func entries(in body: ByteView) -> [Entry]? {
        // QuickTime's box has no version before its children; ISO's box has one.
        let isPlain = body.code(at: 4) == "hdlr"
        let boxes = ISOBox.boxes(in: isPlain ? body : body.available(at: 4))
        guard let handler = boxes.first(where: { $0.type == "hdlr" })?.body,
            handler.code(at: 8) == "mdta",
            let table = boxes.first(where: { $0.type == "keys" })?.body,
            let list = boxes.first(where: { $0.type == "ilst" })?.body,
            let count = table.integer32(at: 4), count <= maximumKeys
        else { return nil }
        var keys: [[UInt8]] = []
        var position = 8
        for _ in 0..<count {
            guard let length = table.integer32(at: position), length >= 8,
                let key = table.part(at: position + 4, length: length - 4)
            else { return nil }
            keys.append(Array(key.bytes))
            position += length
        }
        var entries: [Entry] = []
        position = 0
        while position + 8 <= list.count {
            guard let length = list.integer32(at: position), length >= 8,
                let number = list.integer32(at: position + 4), number >= 1, number <= keys.count,
                let value = list.part(at: position + 8, length: length - 8)
            else { return nil }
            entries.append(Entry(key: keys[number - 1], value: Array(value.bytes)))
            position += length
        }
        return entries
    }

    var isEmpty: Bool { entries.isEmpty }

    func contains(_ key: String) -> Bool {
        let name = Self.name(of: key)
        return entries.contains { $0.key == name }
    }

    private static func name(of key: String) -> [UInt8] { Array("mdta".utf8) + Array(key.utf8) }

    /// Adds a text entry, which replaces all entries with the same key.
    mutating func set(_ key: String, _ value: String) {
        remove(key)
        var data: [UInt8] = []
        data.append(bigEndian: UInt32(clamping: 16 + value.utf8.count))
        data += Array("data".utf8)
        data.append(bigEndian: UInt32(1))
        data.append(bigEndian: UInt32(0))
        data += Array(value.utf8)
        entries.append(Entry(key: Self.name(of: key), value: data))
    }

    /// Adds the entries of `others` whose keys this metadata does not contain.
    mutating func add(_ others: IndexMetadata) {
        let known = Set(entries.map(\.key))
        entries += others.entries.filter { !known.contains($0.key) }
    }

    private mutating func remove(_ key: String) {
        let name = Self.name(of: key)
        entries.removeAll { $0.key == name }
    }

    /// Returns the metadata as a `meta` box in QuickTime's or ISO's format.
    func box(isQuickTime: Bool) -> IndexBox {
        var handler: [UInt8] = [UInt8](repeating: 0, count: 8)
        handler += Array("mdta".utf8)
        handler += [UInt8](repeating: 0, count: 13)
        var keys: [UInt8] = [0, 0, 0, 0]
        var list: [UInt8] = []
        keys.append(bigEndian: UInt32(clamping: entries.count))
        for (index, entry) in entries.enumerated() {
            keys.append(bigEndian: UInt32(clamping: entry.key.count + 4))
            keys += entry.key
            list.append(bigEndian: UInt32(clamping: entry.value.count + 8))
            list.append(bigEndian: UInt32(index + 1))
            list += entry.value
        }
        var body: [UInt8] = isQuickTime ? [] : [0, 0, 0, 0]
        IndexBox("hdlr", .bytes(handler)).write(into: &body)
        IndexBox("keys", .bytes(keys)).write(into: &body)
        IndexBox("ilst", .bytes(list)).write(into: &body)
        return IndexBox("meta", .bytes(body))
    }
}
