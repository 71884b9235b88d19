/// A box of a movie's index that can be modified and written.
///
/// Only the container boxes that lead to the tracks' tables are parsed. All other boxes are kept
/// unchanged.
struct IndexBox {
    enum Content {
        case bytes([UInt8])
        case boxes([IndexBox])
    }

    private static let opened: Set<String> = ["moov", "trak", "mdia", "minf", "stbl", "udta"]
    private static let maximumBoxes = 20_000

    /// The four bytes of the type.
    let type: [UInt8]
    var content: Content

    init(_ type: String, _ content: Content) {
        self.type = Array(type.utf8.prefix(4))
        self.content = content
    }

    private init(type: [UInt8], content: Content) {
        self.type = type
        self.content = content
    }

    /// The type as text, which is exact only for a type in ASCII.
    var name: String { String(decoding: type, as: UTF8.self) }

    // MARK: - Reading

    /// Parses the content of a box of the type `name`; returns nil if the content is inconsistent.
    init?(_ name: String, body: ByteView) {
        var count = 0
        guard let content = Self.content(of: name, body, &count) else { return nil }
        self.init(name, content)
    }

    private static func content(of name: String, _ body: ByteView, _ count: inout Int) -> Content? {
        guard opened.contains(name) else { return .bytes(Array(body.bytes)) }
        if let boxes = boxes(in: body, &count) { return .boxes(boxes) }
        // User data may contain anything.
        return name == "udta" ? .bytes(Array(body.bytes)) : nil
    }

    private static func boxes(in body: ByteView, _ count: inout Int) -> [IndexBox]? {
        var boxes: [IndexBox] = []
        var position = 0
        while position < body.count {
            // QuickTime ends some lists with four zeros.
            if body.count - position < 8 {
                guard body.available(at: position).bytes.allSatisfy({ $0 == 0 }) else { return nil }
                break
            }
            count += 1
            guard count < maximumBoxes, let length = body.integer32(at: position), length >= 8,
                let type = body.part(at: position + 4, length: 4)?.bytes,
                let inner = body.part(at: position + 8, length: length - 8)
            else { return nil }
            let name = String(decoding: type, as: UTF8.self)
            guard let content = content(of: name, inner, &count) else { return nil }
            boxes.append(IndexBox(type: Array(type), content: content))
            position += length
        }
        return boxes
    }

    // MARK: - Writing

    /// The length in bytes, including the header.
    var length: Int {
        switch content {
        case .bytes(let bytes): 8 + bytes.count
        case .boxes(let boxes): boxes.reduce(8) { $0 + $1.length }
        }
    }

    func write(into result: inout [UInt8]) {
        result.append(bigEndian: UInt32(clamping: length))
        result += type
        switch content {
        case .bytes(let bytes): result += bytes
        case .boxes(let boxes): for box in boxes { box.write(into: &result) }
        }
    }

    // MARK: - Children

    var boxes: [IndexBox] {
        get { if case .boxes(let boxes) = content { boxes } else { [] } }
        set { content = .boxes(newValue) }
    }

    /// The content of a box that was not parsed; empty for a parsed one.
    var bytes: [UInt8] {
        if case .bytes(let bytes) = content { bytes } else { [] }
    }

    func first(_ name: String) -> IndexBox? { boxes.first { $0.name == name } }

    /// Returns the box at a path of nested box types; nil if there is none.
    ///
    /// The first box of each type is used.
    func find(_ path: String...) -> IndexBox? {
        var box = self
        for name in path {
            guard let next = box.first(name) else { return nil }
            box = next
        }
        return box
    }

    /// Modifies all boxes of the type `name` among this box's parsed descendants.
    mutating func change(_ name: String, _ body: (inout IndexBox) -> Void) {
        guard case .boxes(var inner) = content else { return }
        // Avoids a copy, since the array is then referenced only once.
        content = .boxes([])
        for index in inner.indices {
            if inner[index].name == name { body(&inner[index]) }
            inner[index].change(name, body)
        }
        content = .boxes(inner)
    }

    /// The number of time units per second in the movie's header.
    var timescale: Int? {
        first("mvhd")?.bytes.withUnsafeBytes { bytes -> Int? in
            let view = ByteView(bytes)
            return view.integer32(at: view.byte(at: 0) == 1 ? 20 : 12)
        }
    }

    /// Replaces the first child of the same type with a box, or appends the box if there is no such
    /// child.
    mutating func put(_ box: IndexBox) {
        if let place = boxes.firstIndex(where: { $0.name == box.name }) {
            boxes[place] = box
        } else {
            boxes.append(box)
        }
    }

    mutating func remove(_ names: Set<String>) {
        boxes = boxes.filter { !names.contains($0.name) }
    }
}

extension [UInt8] {
    mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}
