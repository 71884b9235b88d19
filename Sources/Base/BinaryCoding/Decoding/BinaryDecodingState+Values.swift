internal import FoundationEssentials
internal import PhotoModel

/// Decoding of texts, bytes and values of any type.
extension BinaryDecodingState {
    /// Decodes the value at a position in the container at `level`.
    func decode<Value: Decodable>(
        _ type: Value.Type,
        at position: Int,
        level: Int
    ) throws -> Value {
        // These casts are between equal types.
        if type == Date.self {
            return unsafeBitCast(try date(at: position, level: level), to: type)
        }
        if type == String.self {
            return unsafeBitCast(try text(at: position, level: level), to: type)
        }
        if type == [String].self {
            return unsafeBitCast(try texts(at: position, level: level), to: type)
        }
        if type == RowIDBuffer.self {
            return unsafeBitCast(try ids(at: position, level: level), to: type)
        }
        if type == Data.self {
            return unsafeBitCast(Data(try bytes(at: position, Data.self, level: level)), to: type)
        }
        if type == [UInt8].self {
            let bytes = try bytes(at: position, [UInt8].self, level: level)
            return unsafeBitCast([UInt8](bytes), to: type)
        }
        if type == [AssetRecord].self {
            return unsafeBitCast(try records(at: position, level: level), to: type)
        }
        if byte(position) == Tag.list, let list = type as? any BinaryDecodableList.Type {
            return try decode(list, as: type, at: position, level: level)
        }
        return try Value(from: BinaryDecoder(state: self, level: level, position: position))
    }

    private func decode<List: BinaryDecodableList, Value>(
        _ list: List.Type,
        as type: Value.Type,
        at position: Int,
        level: Int
    ) throws -> Value {
        unsafeBitCast(try list.decode(from: self, at: position, level: level), to: type)
    }

    func date(at position: Int, level: Int) throws -> Date {
        guard byte(position) == Tag.date else {
            throw mismatch(Date.self, at: position, level: level)
        }
        let seconds = try checked(
            Double(bitPattern: load(position + 1, as: UInt64.self)),
            level: level
        )
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    @inline(__always)
    func text(at position: Int, level: Int) throws -> String {
        let tag = byte(position)
        if tag >= Tag.firstShortText, tag <= Tag.lastShortText {
            return try text(at: position + 1, count: Int(tag - Tag.firstShortText), level: level)
        }
        guard tag == Tag.text else { throw mismatch(String.self, at: position, level: level) }
        return try text(at: position + 5, count: length(at: position), level: level)
    }

    /// Decodes a text from `count` bytes at a position.
    @inline(__always)
    func text(at position: Int, count: Int, level: Int) throws -> String {
        // Short texts have no memory of their own; others have a header.
        if count > 15 { try charge(count + 32, level: level) }
        let bytes = UnsafeRawBufferPointer(start: base + position, count: count)
        let text = bytes.withMemoryRebound(to: UInt8.self) {
            String(validating: $0, as: UTF8.self)
        }
        guard let text else { throw malformed(level, "The text is not UTF-8.") }
        return text
    }

    /// Indicates whether the value at a position is a text that equals the given one.
    func isText(at position: Int, equalTo text: String) -> Bool {
        let tag = byte(position)
        let bytes: UnsafeRawBufferPointer
        if tag >= Tag.firstShortText, tag <= Tag.lastShortText {
            let count = Int(tag - Tag.firstShortText)
            bytes = UnsafeRawBufferPointer(start: base + position + 1, count: count)
        } else if tag == Tag.text {
            bytes = UnsafeRawBufferPointer(start: base + position + 5, count: length(at: position))
        } else {
            return false
        }
        return bytes.elementsEqual(text.utf8)
    }

    private func bytes(
        at position: Int,
        _ type: any Any.Type,
        level: Int
    ) throws -> UnsafeRawBufferPointer {
        guard byte(position) == Tag.data else { throw mismatch(type, at: position, level: level) }
        let count = length(at: position)
        try charge(count, level: level)
        return UnsafeRawBufferPointer(start: base + position + 5, count: count)
    }

    private func ids(at position: Int, level: Int) throws -> RowIDBuffer {
        guard byte(position) == Tag.rowIDs else {
            throw mismatch(RowIDBuffer.self, at: position, level: level)
        }
        let length = length(at: position)
        guard length.isMultiple(of: 8) else {
            throw malformed(level, "\(length) bytes are not a whole number of row ids.")
        }
        try charge(length, level: level)
        let bytes = UnsafeRawBufferPointer(start: base + position + 5, count: length)
        let ids = ContiguousArray<Int64>(unsafeUninitializedCapacity: length / 8) { ids, count in
            UnsafeMutableRawBufferPointer(ids).copyMemory(from: bytes)
            #if _endian(big)
            for index in 0..<(length / 8) { ids[index] = Int64(littleEndian: ids[index]) }
            #endif
            count = length / 8
        }
        return RowIDBuffer(ids)
    }

    private func texts(at position: Int, level: Int) throws -> [String] {
        var list = try BinaryUnkeyedDecoding(state: self, level: level + 1, position: position)
        try charge(list.remaining, of: String.self, level: level)
        var texts: [String] = []
        texts.reserveCapacity(list.remaining)
        while !list.isAtEnd {
            texts.append(try text(at: try list.next(), level: level + 1))
        }
        return texts
    }

    private func records(at position: Int, level: Int) throws -> [AssetRecord] {
        try requireDepth(level + 1)
        frames[level + 1].isMap = false
        guard byte(position) == Tag.records else {
            throw mismatch([AssetRecord].self, at: position, level: level)
        }
        let end = position + 5 + length(at: position)
        return try AssetRecordLayout.records(
            in: self,
            from: position + 5,
            to: end,
            level: level + 1
        )
    }
}

/// A list whose memory can be allocated before its elements are decoded.
private protocol BinaryDecodableList {
    static func decode(
        from state: BinaryDecodingState,
        at position: Int,
        level: Int
    ) throws -> Self
}

extension Array: BinaryDecodableList where Element: Decodable {
    fileprivate static func decode(
        from state: BinaryDecodingState,
        at position: Int,
        level: Int
    ) throws -> [Element] {
        var list = try BinaryUnkeyedDecoding(state: state, level: level + 1, position: position)
        try state.charge(list.remaining, of: Element.self, level: level)
        var elements: [Element] = []
        elements.reserveCapacity(list.remaining)
        while !list.isAtEnd {
            let position = try list.next()
            elements.append(try state.decode(Element.self, at: position, level: level + 1))
        }
        return elements
    }
}
