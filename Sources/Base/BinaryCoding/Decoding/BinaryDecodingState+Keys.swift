/// Decoding of the keys of maps.
extension BinaryDecodingState {
    typealias KeyTag = BinaryFormat.KeyTag

    /// Makes the map or list at `start` the current container of its level.
    ///
    /// Containers of one level that are used alternately share a frame, which only costs time.
    @inline(__always)
    func enter(_ level: Int, start: Int) {
        if frames[level].start == start { return }
        let isMap = byte(start) == Tag.map
        frames[level] = Frame(
            start: start,
            cursor: firstEntry(start),
            end: start + 5 + length(at: start),
            current: firstEntry(start),
            isMap: isMap
        )
    }

    /// Returns the position of a map's first entry.
    @inline(__always)
    func firstEntry(_ start: Int) -> Int { start + 5 }

    /// Returns the position of the value whose key is at `position`.
    @inline(__always)
    func value(ofKeyAt position: Int, in frame: Frame, level: Int) throws -> Int {
        let tag = byte(position)
        if tag < KeyTag.firstReserved { return position + 1 }
        switch tag {
        case KeyTag.wide where frame.end - position > 3: return position + 3
        case KeyTag.inline: return try end(of: position + 1, within: frame.end, level: level - 1)
        default: throw malformed(level - 1, "A key is malformed.")
        }
    }

    /// Returns the name of the key at a position, which `value(ofKeyAt:in:level:)` must have
    /// checked.
    func name(ofKeyAt position: Int, in frame: Frame) throws -> String {
        let tag = byte(position)
        let name: String?
        switch tag {
        case KeyTag.inline: return try text(at: position + 1, level: 0)
        case KeyTag.wide:
            name = self.name(at: Int(load(position + 1, as: UInt16.self)))
        default: name = self.name(at: Int(tag))
        }
        guard let name else { throw DecodingError.malformed([], "A key has no name.") }
        return name
    }

    /// Indicates whether the key at a position has a given name.
    private func isKey(at position: Int, named name: String) -> Bool {
        switch byte(position) {
        case KeyTag.inline: isText(at: position + 1, equalTo: name)
        case KeyTag.wide: isName(at: Int(load(position + 1, as: UInt16.self)), equalTo: name)
        case let index: isName(at: Int(index), equalTo: name)
        }
    }

    /// Indicates whether the key at a position refers to the name with a given index.
    @inline(__always)
    private func isKey(at position: Int, withIndex index: UInt16) -> Bool {
        let tag = byte(position)
        return tag < KeyTag.firstReserved
            ? UInt16(tag) == index
            : tag == KeyTag.wide && load(position + 1, as: UInt16.self) == index
    }

    /// Finds a key of a map and returns the position of its value; nil if the map does not have the
    /// key.
    ///
    /// The next entry is tried first, since values are decoded in the order in which they were
    /// encoded.
    @inline(__always)
    func find<Key: CodingKey>(
        _ key: Key,
        indexes: UnsafeMutablePointer<UInt16>?,
        level: Int,
        start: Int
    ) throws -> Int? {
        enter(level, start: start)
        guard let indexes else {
            let name = key.stringValue
            return try search(level, start: start) { isKey(at: $0, named: name) }
        }
        let slot = indexes + Int(withUnsafeBytes(of: key) { $0.first ?? 0 })
        if slot.pointee == 0 {
            let index = self.index(of: key.stringValue)
            slot.pointee = index == DecodedNames.absent ? index : index + 1
        }
        if slot.pointee == DecodedNames.absent { return nil }
        let index = slot.pointee - 1
        let frame = frames[level]
        let value = frame.cursor + 1
        if value < frame.end, UInt16(byte(frame.cursor)) == index,
            index < UInt16(KeyTag.firstReserved)
        {
            frames[level].current = frame.cursor
            frames[level].cursor = try end(of: value, within: frame.end, level: level)
            return value
        }
        return try search(level, start: start) { isKey(at: $0, withIndex: index) }
    }

    /// Finds the value that contains a superclass's properties; nil if the map has none.
    func findSuper(level: Int, start: Int) throws -> Int? {
        enter(level, start: start)
        return try search(level, start: start) {
            isKey(at: $0, named: PathKey.super.stringValue)
        }
    }

    /// Searches a map from the entry at the cursor to its end, then from its beginning to the
    /// cursor.
    ///
    /// On success, returns the position of the value and moves the cursor after it.
    private func search(
        _ level: Int,
        start: Int,
        where isMatch: (Int) -> Bool
    ) throws -> Int? {
        let frame = frames[level]
        let first = firstEntry(start)
        for range in [frame.cursor..<frame.end, first..<frame.cursor] {
            var position = range.lowerBound
            while position < range.upperBound {
                let value = try value(ofKeyAt: position, in: frame, level: level)
                let next = try end(of: value, within: frame.end, level: level)
                if isMatch(position) {
                    frames[level].current = position
                    frames[level].cursor = next
                    return value
                }
                position = next
            }
        }
        return nil
    }

    /// Moves the cursor back to the entry that was found last.
    func stepBack(_ level: Int) { frames[level].cursor = frames[level].current }

    /// Returns the keys of a map, except those that `type` cannot represent.
    func keys<Key: CodingKey>(_ type: Key.Type, level: Int, start: Int) throws -> [Key] {
        enter(level, start: start)
        let frame = frames[level]
        var keys: [Key] = []
        var position = firstEntry(start)
        while position < frame.end {
            let value = try value(ofKeyAt: position, in: frame, level: level)
            if let key = Key(stringValue: try name(ofKeyAt: position, in: frame)) {
                // An array that grows has twice the memory of its elements, and a dictionary that
                // is made from the keys as much again.
                try charge(4 * MemoryLayout<Key>.stride, level: level - 1)
                keys.append(key)
            }
            position = try end(of: value, within: frame.end, level: level - 1)
        }
        return keys
    }
}
