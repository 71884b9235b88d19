/// The strings, data, integers and Booleans in the top-level dictionary of a binary property list.
struct BinaryPropertyList {
    private static let trailerLength = 32
    private static let maximumMembers = 1_000

    private(set) var members: [String: PropertyListValue] = [:]
    /// The number of the top-level object.
    let top: Int
    let bytes: ByteView
    private let offsetLength: Int
    private let referenceLength: Int
    private let count: Int
    private let table: Int

    /// Reads a property list; returns nil for damaged data and for a top-level object that is not a
    /// dictionary.
    init?(_ bytes: ByteView) {
        let trailer = bytes.available(at: bytes.count - Self.trailerLength)
        guard trailer.count == Self.trailerLength, let offsetLength = trailer.byte(at: 6),
            let referenceLength = trailer.byte(at: 7),
            (1...8).contains(offsetLength), (1...8).contains(referenceLength),
            let count = trailer.number(at: 8, length: 8).flatMap(Int.init(exactly:)),
            let top = trailer.number(at: 16, length: 8).flatMap(Int.init(exactly:)),
            let table = trailer.number(at: 24, length: 8).flatMap(Int.init(exactly:)),
            count <= bytes.count, table <= bytes.count
        else { return nil }
        self.bytes = bytes
        self.offsetLength = Int(offsetLength)
        self.referenceLength = Int(referenceLength)
        self.count = count
        self.table = table
        self.top = top
        guard readMembers(of: top) else { return nil }
    }

    private mutating func readMembers(of object: Int) -> Bool {
        guard let (kind, size, start) = header(of: object), kind == 0xd,
            size <= Self.maximumMembers
        else { return false }
        for index in 0..<size {
            guard let key = reference(at: start, index),
                let value = reference(at: start, size + index)
            else { return false }
            guard case .text(let name)? = read(key) else { continue }
            members[name] = read(value) ?? .other
        }
        return true
    }

    /// Returns the object number of a key's value in the top-level dictionary.
    func member(_ wanted: String) -> Int? {
        guard let (kind, size, start) = header(of: top), kind == 0xd, size <= Self.maximumMembers
        else { return nil }
        for index in 0..<size {
            guard let key = reference(at: start, index), case .text(wanted)? = read(key) else {
                continue
            }
            return reference(at: start, size + index)
        }
        return nil
    }

    /// Returns the object number of a collection's element at `index`.
    ///
    /// `start` is the offset of the collection's references.
    func reference(at start: Int, _ index: Int) -> Int? {
        bytes.number(at: start + index * referenceLength, length: referenceLength)
            .flatMap(Int.init(exactly:))
    }

    /// Returns an object's type, its size or element count, and the offset of its content.
    func header(of object: Int) -> (kind: UInt8, size: Int, start: Int)? {
        guard object >= 0, object < count,
            let offset = bytes.number(at: table + object * offsetLength, length: offsetLength)
                .flatMap(Int.init(exactly:)), offset < bytes.count,
            let marker = bytes.byte(at: offset)
        else { return nil }
        let low = Int(marker & 0xf)
        guard low == 0xf else { return (marker >> 4, low, offset + 1) }
        guard let integer = bytes.byte(at: offset + 1), integer >> 4 == 1, integer & 0xf <= 3 else {
            return nil
        }
        let length = 1 << Int(integer & 0xf)
        guard let size = bytes.number(at: offset + 2, length: length).flatMap(Int.init(exactly:)),
            size <= bytes.count
        else { return nil }
        return (marker >> 4, size, offset + 2 + length)
    }

    /// Returns an object's value; nil for damaged data.
    func read(_ object: Int) -> PropertyListValue? {
        guard let (kind, size, start) = header(of: object) else { return nil }
        switch kind {
        case 0x0 where size == 8 || size == 9: return .flag(size == 9)
        case 0x1 where size <= 3:
            return bytes.number(at: start, length: 1 << size).flatMap(Int.init(exactly:))
                .map(PropertyListValue.number) ?? .other
        case 0x4: return bytes.part(at: start, length: size).map { .data(Array($0.bytes)) }
        case 0x5:
            return bytes.part(at: start, length: size)
                .flatMap { String(validating: $0.bytes, as: UTF8.self) }
                .map(PropertyListValue.text)
        case 0x6:
            guard let part = bytes.part(at: start, length: 2 * size) else { return nil }
            let units = stride(from: 0, to: part.count, by: 2).map { offset in
                UInt16(part.bytes[offset]) << 8 | UInt16(part.bytes[offset + 1])
            }
            return String(validating: units, as: UTF16.self).map(PropertyListValue.text)
        default: return .other
        }
    }
}
